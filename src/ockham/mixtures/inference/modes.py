"""Where chains begin: the ends of variational fits with the highest bounds."""

import numpy as np

from ockham.mixtures.finite_mixture import FiniteMixture, Parameters
from ockham.mixtures.inference import variational_em
from ockham.mixtures.inference.climbing import starts
from ockham.mixtures.inference.design import Design
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

    Starts are draws of the prior, of which the better half goes on for twice as many iterations until there are as many
    as chains. Chains share the ends whose bounds are near to the best. Bounds leave out base measures, nats.
    """
    fits = [variational_em.init(model, design, design.expect(start)[1]) for start in starts(model, stream, n_starts)]
    n_iterations, n_passes = FIRST_ITERATIONS, 2 * n_starts
    while True:
        last = len(fits) <= n_chains
        for i, fit in enumerate(fits):
            for _ in range(LAST_ITERATIONS if last else n_iterations):
                before, fit = fit.objective, variational_em.step(model, design, fit)
                n_passes += 1
                if fit.objective - before < SMALL:
                    break
            fits[i] = fit
        fits.sort(key=lambda fit: -fit.objective)
        if last:
            break
        fits, n_iterations = fits[: max(n_chains, len(fits) // 2)], 2 * n_iterations
    best = fits[0].objective
    near = [model.mode(fit.sums) for fit in fits if fit.objective > best - FARTHEST]
    chosen = [near[c % len(near)] for c in range(n_chains)]
    return Parameters(*(np.array(part) for part in zip(*chosen, strict=True))), best, n_passes
