"""Items of every kind with small tables of them, and the evidence of a mixture as a sum over assignments to classes."""

from itertools import product
from math import lgamma

import numpy as np

from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture, Sums
from ockham.mixtures.inference.design import Design
from ockham.mixtures.items.binomial import Binomial
from ockham.mixtures.items.categorical import Categorical
from ockham.mixtures.items.gaussian import Gaussian
from ockham.mixtures.items.ordered import Ordered
from ockham.mixtures.items.poisson import Poisson

__all__ = ["ITEMS", "enumerated", "mixture", "prior_draws", "sample_rows", "small_table", "summed"]

ITEMS = {
    "category": Categorical(3, 0.7),
    "ordering": Ordered(4, 1.5),
    "number": Gaussian(10.0, 2.0, 0.5, 1.5),
    "count": Poisson(3.0, 2.0),
    "share": Binomial(5, 0.6),
}


def mixture(n_classes, concentration=1.3, items=ITEMS):
    return FiniteMixture(n_classes, items, concentration)


def prior_draws(model, rng, n):
    """Parameters of leading shape (n,)."""
    return model.sample(Sums(*(np.broadcast_to(part, (n, *part.shape)) for part in model.nothing)), rng)


def sample_rows(model, rng, n, missing=0.15):
    """Rows of a draw of the prior; every item has a value in one row at least."""
    parameters = model.sample(model.nothing, rng)
    classes = rng.choice(model.n_classes, n, p=np.exp(parameters.log_weights))
    cells = np.stack([item.sample_cells(parameters.natural[classes][:, at], rng) for item, at in model.slices], axis=1)
    gaps = rng.random(cells.shape) < missing
    gaps[0] &= ~gaps.all(axis=0)
    cells[gaps] = np.nan
    return cells


def small_table(model, seed, n):
    return MixedRows.of(sample_rows(model, np.random.default_rng(seed), n), model.items)


def enumerated(model, data):
    """ln of the sum over all assignments of rows to classes, one by one, nats."""
    design = Design.of(model, data)
    statistics = np.repeat(design.statistics, design.counts.astype(int), axis=0)
    terms = []
    for assignment in product(range(model.n_classes), repeat=len(statistics)):
        members = np.eye(model.n_classes)[list(assignment)]
        terms.append(float(model.log_marginal(Sums(members.sum(axis=0), members.T @ statistics))))
    return float(np.logaddexp.reduce(terms)) + design.log_base


def summed(model, data):
    """The same by how many of the rows that are alike are of each class: of many rows, if few of them differ."""
    design = Design.of(model, data)
    cases, items = np.zeros((1, model.n_classes)), np.zeros((1, *model.nothing.items.shape))
    log_ways = np.zeros(1)
    for statistics, count in zip(design.statistics, design.counts.astype(int), strict=True):
        shares = np.array([s for s in product(range(count + 1), repeat=model.n_classes) if sum(s) == count])
        cases = (cases[:, None] + shares).reshape(-1, model.n_classes)
        items = (items[:, None] + shares[:, :, None] * statistics).reshape(-1, *model.nothing.items.shape)
        of_shares = [lgamma(count + 1) - sum(lgamma(n + 1) for n in share) for share in shares.tolist()]
        log_ways = (log_ways[:, None] + of_shares).ravel()
    return float(np.logaddexp.reduce(log_ways + model.log_marginal(Sums(cases, items)))) + design.log_base
