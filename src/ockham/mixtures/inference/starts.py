"""Where fits of a mixture start."""

import numpy as np

from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference.design import Design
from ockham.streams import Stream

__all__ = ["starts"]


def starts(model: FiniteMixture, design: Design, stream: Stream, n: int) -> list[Parameters]:
    """In turn a draw of the prior, and what a row of its own says of each class; the first is of the prior.

    Classes that are drawn from a prior far from the rows, or a vague one, have all rows in one of them. More starts of
    the same stream begin with the fewer, and all fits of a cell share them.
    """
    rng, n_rows = stream.child("initial parameters").generator(), len(design.counts)

    def of_rows() -> Parameters:
        rows = rng.choice(n_rows, model.n_classes, replace=n_rows < model.n_classes)
        return model.mode(Sums(np.ones(model.n_classes), design.statistics[rows]))

    return [of_rows() if k % 2 and n_rows else model.sample(model.nothing, rng) for k in range(n)]
