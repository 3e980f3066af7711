"""Gibbs sampling of classes and parameters in turn, of several chains at once."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference import merge_split
from ockham.mixtures.inference.design import Design

__all__ = ["Sweep", "run", "sweeps"]


class Sweep(NamedTuple):
    """What chains are at after a sweep, of leading shape (n_chains,).

    Attributes
    ----------
    parameters : Parameters
    sums : Sums
        Of the completed rows that the parameters were drawn after.
    """

    parameters: Parameters
    sums: Sums


def sweeps(
    model: FiniteMixture,
    design: Design,
    parameters: Parameters,
    rng: np.random.Generator,
    n: int,
    merge_split_every: int = 0,
) -> Iterator[Sweep]:
    """Sweeps from given parameters: every class is drawn, then every parameter. Each leaves the posterior as it is.

    After the classes of every so many sweeps, from the first on, those of two are put anew.
    """
    by_case = design.by_case() if merge_split_every else design
    for k in range(n):
        if merge_split_every and k % merge_split_every == 0:
            classes = merge_split.move(model, by_case, by_case.draw_classes(parameters, rng), rng)
            sums = by_case.sums(classes, model.n_classes)
        else:
            sums = design.complete(parameters, rng)
        parameters = model.sample(sums, rng)
        yield Sweep(parameters, sums)


def run(sweeps: Iterator[Sweep]) -> tuple[Parameters, Parameters, Sums]:
    """Where sweeps end, and the parameters and sums after each, of leading shape (n_chains, n)."""
    draws, sums = zip(*sweeps, strict=True)
    return (
        draws[-1],
        Parameters(*(np.stack(part, axis=1) for part in zip(*draws, strict=True))),
        Sums(*(np.stack(part, axis=1) for part in zip(*sums, strict=True))),
    )
