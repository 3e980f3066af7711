"""Modes of the posterior of a discrete network, by the variational bound of each."""

from dataclasses import dataclass

import numpy as np

from ockham.estimation.mode_search import NEGLIGIBLE, followed
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import check_starts, sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import variational_em
from ockham.networks.inference.labelling import Labelling
from ockham.networks.inference.relabellings import Relabellings, relabellings
from ockham.streams import Stream

__all__ = ["Mode", "Modes", "apart", "find", "log_means"]

LAST_ITERATIONS = 3000
TOLERANCE = 1e-5
"""Nats, at which the last fits stop."""
ALIKE = 1e-2
"""Nats by which the bounds of fits to one mode may differ."""
APART = 1.0
"""Cases times squared distances of Hellinger by which fits to one mode may be apart under the nearest names. Where data
leave no parameters open any number from .001 to 4 tells them from mirror images under names that priors, or parents,
tell apart (tests/unit/networks/scorers/test_mirror_modes.py)."""


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
        By their bounds, the highest first; one to as many as were asked for, without those of no weight beside it.
    shares : ndarray, shape (n_modes,)
        Of all modes that starts led to in their evidence together, roughly, by the bounds; the highest first.
    hits : ndarray of int, shape (n_modes,)
        How many of the starts that were followed led to each.
    posteriors, log_means : ndarray, shape (n_modes, n_entries)
        Dirichlet hyperparameters of q(theta) of each, and logs of its mean.
    n_passes : int
        Over the data.
    """

    found: list[Mode]
    shares: np.ndarray
    hits: np.ndarray
    posteriors: np.ndarray
    log_means: np.ndarray
    n_passes: int

    @property
    def share_missing(self) -> float:
        """What the modes that are not in ``found`` have of the evidence, roughly.

        Those beyond the number asked for, and those that no start led to, which are taken to have as much as the modes
        that a single one led to ([Good1953]).
        """
        return min(1.0, float(self.shares[self.hits == 1].sum() + self.shares[len(self.found) :].sum()))


def find(network: DiscreteNetwork, data: UniqueRows, stream: Stream, n_starts: int, n_modes: int) -> Modes:
    """Search for the modes of the highest bounds.

    Variational EM starts from draws, in turn of the prior and of the flat one, for all draws of an informative prior
    may be near one mode. Those that ``followed`` chooses run until they converge. The bound ranks modes by their share
    of the evidence, which the height of the posterior at a MAP estimate does not.

    Raises
    ------
    ModelError
        When there are too many names of a mode to tell, or starts would take more memory than allowed.
    """

    def climb(start: np.ndarray, n_iterations: int) -> variational_em.State:
        return variational_em.run(network, data, start, max_iterations=n_iterations, tolerance=TOLERANCE)

    check_starts(network, n_starts)
    rng, flat = stream.child("initial parameters").generator(), np.ones(network.n_entries)
    starts = [sample_log(network, rng, flat if k % 2 else network.prior) for k in range(n_starts)]
    fits, n_passes = followed(starts, climb, lambda start, _: start, n_modes=n_modes, last=LAST_ITERATIONS)
    n_passes += sum(fit.n_iterations + 1 for fit in fits)
    bounds = np.array([fit.bound for fit in fits])
    means = np.array([log_means(network, fit.posterior) for fit in fits])
    same = relabellings(network)
    first: list[int] = []  # fit of each mode
    hits: list[int] = []
    for i in range(len(fits)):
        near = np.flatnonzero(bounds[first] - bounds[i] <= ALIKE)
        known = [k for k in near if apart(network, same, fits[first[k]].posterior, means[i : i + 1])[0] <= APART]
        if known:
            hits[known[0]] += 1
        else:
            first.append(i)
            hits.append(1)
    shares = np.exp(bounds[first] - bounds[0])
    shares /= shares.sum()
    found = [Mode(means[i], float(bounds[i])) for i in first[:n_modes] if bounds[i] > bounds[0] - NEGLIGIBLE]
    posteriors = np.array([fits[i].posterior for i in first])
    return Modes(found, shares, np.array(hits), posteriors, means[first], n_passes)


def apart(network: DiscreteNetwork, same: Relabellings, counts: np.ndarray, points: np.ndarray) -> np.ndarray:
    """How far points are from q(theta) under the nearest of the names, as ``APART`` has it; shape (n_points,).

    Parameters
    ----------
    network : DiscreteNetwork
    same : Relabellings
    counts : ndarray, shape (n_entries,)
        Dirichlet hyperparameters of q, with those of the prior in them.
    points : ndarray, shape (n_points, n_entries)
        Logs of parameters.
    """
    roots = np.exp(0.5 * log_means(network, counts))
    nearest, _ = Labelling(same, roots).apply(points)
    cases = np.add.reduceat(counts - network.prior, network.row_starts[:-1])
    affinities = np.add.reduceat(roots * np.exp(0.5 * nearest), network.row_starts[:-1], axis=1)
    distances: np.ndarray = (1 - affinities) @ cases
    return distances


def log_means(network: DiscreteNetwork, counts: np.ndarray) -> np.ndarray:
    """Logs of the means of Dirichlet distributions with these hyperparameters, shape (n_entries,)."""
    logs: np.ndarray = np.log(counts / np.add.reduceat(counts, network.row_starts[:-1])[network.rows])
    return logs
