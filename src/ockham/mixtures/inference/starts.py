"""Where fits of a mixture start."""

import numpy as np

from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference.design import Design
from ockham.streams import Stream

__all__ = ["starts"]

DISTANT = 4
"""One in so many starts is of distant rows."""
N_POWERS = 5
"""From 1 to 16, each twice the one before."""


def starts(model: FiniteMixture, design: Design, stream: Stream, n: int) -> list[Parameters]:
    """In turn a draw of the prior, and what a row of its own says of each class; the first is of the prior.

    Classes that are drawn from a prior far from the rows, or a vague one, have all rows in one of them. Every second
    choice of rows is of distant ones, for of all rows few are in small classes. More starts of the same stream begin
    with the fewer, and all fits of a cell share them.
    """
    rng, n_rows = stream.child("initial parameters").generator(), len(design.counts)
    natural = _alone(model, design)

    def of_rows(k: int) -> Parameters:
        if k % DISTANT == DISTANT - 1:
            rows = _distant(natural, design.statistics, model.n_classes, rng)
        else:
            rows = rng.choice(n_rows, model.n_classes, replace=n_rows < model.n_classes)
        return model.mode(Sums(np.ones(model.n_classes), design.statistics[rows]))

    return [of_rows(k) if k % 2 and n_rows else model.sample(model.nothing, rng) for k in range(n)]


def _alone(model: FiniteMixture, design: Design) -> np.ndarray:
    """Parameters of a class that has one row, for each row, shape (n_rows, n_statistics)."""
    ones = np.ones((len(design.counts), model.n_classes))
    return model.mode(Sums(ones, design.statistics[:, None])).natural[:, 0]


def _distant(natural: np.ndarray, statistics: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Places of n rows, each drawn by how much more a class of its own says of it than those of the rows before.

    By squared distances of normal items that is the choice of [ArthurVassilvitskii2007]. A power of it, the same for
    all rows and drawn anew each time, goes from that to the farthest row: small classes need it beside a large one.
    """
    own, power = (natural * statistics).sum(axis=1), 2.0 ** rng.integers(N_POWERS)
    chosen, nearest = [int(rng.integers(len(own)))], np.full(len(own), -np.inf)
    while len(chosen) < n:
        nearest = np.maximum(nearest, statistics @ natural[chosen[-1]])
        below = np.maximum(own - nearest, 0.0)
        weights = (below / below.max()) ** power if below.max() > 0 else np.ones(len(own))
        chosen.append(int(rng.choice(len(own), p=weights / weights.sum())))
    return np.array(chosen)
