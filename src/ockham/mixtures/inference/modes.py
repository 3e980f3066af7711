"""Where chains begin: the ends of variational fits with the highest bounds."""

import numpy as np

from ockham.estimation.successive_halving import halved
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference import variational_em
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.starts import starts
from ockham.streams import Stream

__all__ = ["find"]

FIRST_ITERATIONS, LAST_ITERATIONS = 16, 512
SMALL = 1e-5
"""Nats, at which a fit stops."""
FARTHEST = 8.0
"""Nats below the highest bound, from which on a mode is taken to have no share in the evidence."""


def find(
    model: FiniteMixture, design: Design, stream: Stream, n_starts: int, n_chains: int
) -> tuple[Parameters, float, int]:
    """Parameters that chains begin at, of leading shape (n_chains,), the best bound, and passes over the data.

    Starts are draws of the prior, halved until there are no more than chains. Chains share the ends whose bounds are
    near to the best. Bounds leave out base measures, nats.
    """

    def climb(start: Sums, n_iterations: int) -> variational_em.State:
        return variational_em.run(model, design, start, max_iterations=n_iterations, tolerance=SMALL)

    begun = [variational_em.begin(model, design, start) for start in starts(model, stream, n_starts)]
    left, n_passes = halved(begun, climb, lambda _, state: state.posterior, n_steps=FIRST_ITERATIONS, n_left=n_chains)
    fits = sorted((climb(start, LAST_ITERATIONS) for start in left), key=lambda fit: -fit.objective)
    n_passes += len(begun) + sum(fit.n_evaluations for fit in fits)
    best = fits[0].objective
    near = [model.mode(fit.sums) for fit in fits if fit.objective > best - FARTHEST]
    chosen = [near[c % len(near)] for c in range(n_chains)]
    return Parameters(*(np.array(part) for part in zip(*chosen, strict=True))), best, n_passes
