"""Modes of the posterior of a discrete network, by the variational bound of each."""

from dataclasses import dataclass

import numpy as np

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_starts
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import variational_em
from ockham.streams import Stream

__all__ = ["Mode", "Modes", "find"]

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


@dataclass(frozen=True)
class Modes:
    """What a search found.

    Attributes
    ----------
    found : list of Mode
        By their bounds, the highest first; one to as many as were asked for.
    share_missing : float
        What the modes that are not there have of the evidence, roughly, by the bounds: those that were found beyond the
        number asked for, and those that were not found, which are taken to have as much as the modes that a single
        start led to ([Good1953]).
    n_fits : int
        Starts that were followed to their modes.
    n_passes : int
        Over the data.
    """

    found: list[Mode]
    share_missing: float
    n_fits: int
    n_passes: int


def find(network: DiscreteNetwork, data: UniqueRows, stream: Stream, n_starts: int, n_modes: int) -> Modes:
    """Search for the modes of the highest bounds.

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
    modes: list[variational_em.State] = []
    hits: list[int] = []
    for fit in sorted(fits, key=lambda fit: -fit.bound):
        if modes and fit.bound >= modes[-1].bound - ALIKE:
            hits[-1] += 1
        else:
            modes.append(fit)
            hits.append(1)
    shares = np.exp([mode.bound - modes[0].bound for mode in modes])
    shares /= shares.sum()
    missing = shares[np.array(hits) == 1].sum() + shares[n_modes:].sum()
    found = [Mode(_log_means(network, mode.posterior), mode.bound) for mode in modes[:n_modes]]
    return Modes(found, float(min(missing, 1.0)), len(fits), n_passes)


def _log_means(network: DiscreteNetwork, counts: np.ndarray) -> np.ndarray:
    """Logs of the means of Dirichlet distributions."""
    logs: np.ndarray = np.log(counts / np.add.reduceat(counts, network.row_starts[:-1])[network.rows])
    return logs
