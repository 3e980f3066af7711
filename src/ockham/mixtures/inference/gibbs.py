"""Gibbs sampling of classes and parameters in turn, of several chains at once."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
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
    model: FiniteMixture, design: Design, parameters: Parameters, rng: np.random.Generator, n: int
) -> Iterator[Sweep]:
    """Sweeps from given parameters: every class is drawn, then every parameter. Each leaves the posterior as it is."""
    for _ in range(n):
        sums = design.complete(parameters, rng)
        parameters = model.sample(sums, rng)
        yield Sweep(parameters, sums)


def run(
    model: FiniteMixture, design: Design, parameters: Parameters, rng: np.random.Generator, n: int
) -> tuple[Parameters, Parameters, Sums]:
    """Where n sweeps end, and the parameters and sums after each, of leading shape (n_chains, n)."""
    kept = list(sweeps(model, design, parameters, rng, n))
    draws, sums = zip(*kept, strict=True)
    return (
        kept[-1].parameters,
        Parameters(*(np.stack(part, axis=1) for part in zip(*draws, strict=True))),
        Sums(*(np.stack(part, axis=1) for part in zip(*sums, strict=True))),
    )
