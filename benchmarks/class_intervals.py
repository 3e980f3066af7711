"""How often intervals of sizes and profiles of classes, as ``ockham.fit_classes`` says them, have the truth.

    python benchmarks/class_intervals.py 100          so many data sets, of a network and of a mixture
    python benchmarks/class_intervals.py 100 0.05     with so small hyperparameters of classes and categories

Parameters are drawn from the prior, and rows from these, so that intervals of 95 % have the truth in 95 % of the cases.
The classes of the truth have the labels of the fit. Each data set counts once, by the share of its intervals, and
classes that the fit cannot tell apart make none. As control, the intervals have half their width.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import warnings

import numpy as np

from ockham.api.fitting import fit_classes
from ockham.errors import OckhamWarning
from ockham.mixtures.classes import sampling
from ockham.mixtures.data.drawing import draw_rows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.items import Binomial, Categorical, Gaussian, Ordered, Poisson
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.dirichlet import sample_log
from ockham.networks.inference.labelling import Labelling
from ockham.networks.structure_space import naive_bayes_network
from ockham.streams import Stream
from ockham.table_results.fitted.memberships import memberships

ROUNDING = 1e-9


def network_of(prior):
    return naive_bayes_network(3, {f"x{i}": 2 for i in range(8)}, prior)


def mixture_of(prior):
    return FiniteMixture(
        2,
        {
            "category": Categorical(3, prior),
            "grade": Ordered(4, prior),
            "number": Gaussian(),
            "count": Poisson(3.0),
            "share": Binomial(5, prior),
        },
        prior,
    )


def fit(model, rows, seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OckhamWarning)
        return fit_classes(model, rows, seed=seed, n_draws=200)


def away(every, known):
    """Distance of the truth from the middle of each interval of a known class, in half widths; of none, if it is it."""
    found = [2 * np.abs(true - (s.lower + s.upper) / 2) / (s.upper - s.lower + ROUNDING) for true, s in every]
    return np.array(found)[:, known]


def of_network(seed, prior=1.0):
    """80 rows of eight items and three classes."""
    rng, network = np.random.default_rng(seed), network_of(prior)
    log_theta = sample_log(network, rng)
    found = fit(network, draw(network, np.exp(log_theta), 80, rng)[:, 1:], seed)
    model, reference = found.model, np.exp(0.5 * found.draws).mean(axis=(0, 1))
    (truth,), _ = Labelling(model.relabellings, reference).apply(log_theta[None])
    return away([(np.exp(model.log_sizes(truth)), found.sizes)] + [
        (model.of_item(j, np.exp(model.log_profiles(truth)))[:, 1], type(s)(*(part[:, 1] for part in s)))
        for j, s in enumerate(found.profiles.values())
    ], found.known)  # fmt: skip


def of_mixture(seed, prior=1.0):
    """60 rows of five items of every type and two classes, one cell in twenty missing."""
    mixture = mixture_of(prior)
    truth = mixture.sample(mixture.nothing, np.random.default_rng(seed))
    rows = draw_rows(mixture, truth, 60, 0.05, Stream(seed))
    found = fit(mixture, rows, seed)
    model, point = found.model, np.concatenate([truth.log_weights, truth.natural.ravel()])
    shares = memberships(model, rows, found.points)
    expected = np.concatenate([shares.sum(axis=0), (shares.T @ model.statistics(rows)[0]).ravel()])
    flat = sampling._by_class(model, np.stack([point, point])[None])
    point = sampling._by_entry(sampling._nearest(flat, sampling._by_class(model, expected)))[0, 0]
    true, said = model.profiles(point), found.quantities
    quantities = [(true[:, j], type(said)(*(part[:, j] for part in said))) for j in range(true.shape[1])]
    return away([(model.sizes(point), found.sizes), *quantities], found.known)


def main(n_data_sets, prior=1.0):
    for name, of_one in (("network", of_network), ("mixture", of_mixture)):
        distances = [found for seed in range(n_data_sets) if (found := of_one(seed, prior)).size]
        for width, about in ((1.0, ""), (0.5, ", of half the width")):
            shares = np.array([(found <= width).mean() for found in distances])
            error = shares.std(ddof=1) / np.sqrt(len(shares))
            print(f"{name}: intervals of 95 %{about} have the truth in {100 * shares.mean():.1f} +- {100 * error:.1f} "
                  f"% of {sum(found.size for found in distances)}, of {len(distances)} data sets")  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]), *map(float, sys.argv[2:]))
