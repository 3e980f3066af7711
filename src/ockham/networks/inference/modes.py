"""Modes of the posterior of a discrete network, by the variational bound of each."""

from dataclasses import dataclass

import numpy as np

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_starts
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import variational_em
from ockham.streams import Stream

__all__ = ["Mode", "find"]

FIRST_ITERATIONS = 16
LAST_ITERATIONS = 3000
TOLERANCE = 1e-5
"""Nats, at which the last fits stop; bounds that differ by less than ``ALIKE`` are taken to be of one mode."""
ALIKE = 1e-2


@dataclass(frozen=True)
class Mode:
    """Where a variational fit ended.

    Attributes
    ----------
    log_parameters : ndarray, shape (n_entries,)
        Logs of the mean of q(theta).
    bound : float
        Lower bound on the log evidence, nats.
    """

    log_parameters: np.ndarray
    bound: float


def find(
    network: DiscreteNetwork, data: UniqueRows, stream: Stream, n_starts: int, n_modes: int
) -> tuple[list[Mode], int]:
    """Modes, those of the highest bounds first, one to ``n_modes`` of them; and the passes that it took.

    Variational EM starts from draws of the prior. The better half, by the bound, goes on for twice as many iterations,
    until four starts for each mode are left; these run until they converge. The bound ranks modes by their share of
    the evidence, which the height of the posterior at a MAP estimate does not.
    """
    starts = list(sample_starts(network, stream, n_starts))
    n_iterations, n_passes = FIRST_ITERATIONS, 0
    while len(starts) > 4 * n_modes:
        fits = [variational_em.run(network, data, s, max_iterations=n_iterations, tolerance=TOLERANCE) for s in starts]
        n_passes += sum(fit.n_iterations + 1 for fit in fits)
        order = np.argsort([-fit.bound for fit in fits], kind="stable")
        starts = [starts[i] for i in order[: len(starts) // 2]]
        n_iterations *= 2
    fits = [variational_em.run(network, data, s, max_iterations=LAST_ITERATIONS, tolerance=TOLERANCE) for s in starts]
    n_passes += sum(fit.n_iterations + 1 for fit in fits)
    found: list[Mode] = []
    for fit in sorted(fits, key=lambda fit: -fit.bound):
        if len(found) < n_modes and (not found or fit.bound < found[-1].bound - ALIKE):
            totals = np.add.reduceat(fit.posterior, network.row_starts[:-1])[network.rows]
            found.append(Mode(np.log(fit.posterior / totals), fit.bound))
    return found, n_passes
