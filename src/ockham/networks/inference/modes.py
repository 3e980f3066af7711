"""Modes of the posterior of a discrete network, by the variational bound of each."""

from dataclasses import dataclass

import numpy as np

from ockham.estimation.mode_search import NEGLIGIBLE, followed
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_starts
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import variational_em
from ockham.networks.inference.likelihoods import log_likelihoods
from ockham.streams import Stream

__all__ = ["Mode", "Modes", "find", "log_means"]

LAST_ITERATIONS = 3000
TOLERANCE = 1e-5
"""Nats, at which the last fits stop."""
ALIKE, SAME = 1e-2, 3.0
"""Nats by which the bounds of fits to one mode may differ, and their log likelihoods on other data. These differ by
less than 1.5 between fits to one mode, and by 9 and more between modes, mirror images of one bound among them."""
N_OTHERS, N_NEW_ROWS = 8, 32
"""Other data, and how many rows of each are made of cells of different rows, for modes may agree on all the others."""


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
        How many starts led to each.
    posteriors, log_means : ndarray, shape (n_modes, n_entries)
        Dirichlet hyperparameters of q(theta) of each, and logs of its mean.
    n_fits : int
        Starts that were followed to their modes.
    n_passes : int
        Over the data.
    """

    found: list[Mode]
    shares: np.ndarray
    hits: np.ndarray
    posteriors: np.ndarray
    log_means: np.ndarray
    n_fits: int
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

    Variational EM starts from draws of the prior, of which those that ``followed`` chooses run until they converge. The
    bound ranks modes by their share of the evidence, which the height of the posterior at a MAP estimate does not.
    """

    def climb(start: np.ndarray, n_iterations: int) -> variational_em.State:
        return variational_em.run(network, data, start, max_iterations=n_iterations, tolerance=TOLERANCE)

    starts = list(sample_starts(network, stream, n_starts))
    fits, n_passes = followed(starts, climb, lambda start, _: start, n_modes=n_modes, last=LAST_ITERATIONS)
    n_passes += sum(fit.n_iterations + 1 for fit in fits)
    bounds = np.array([fit.bound for fit in fits])
    means = np.array([log_means(network, fit.posterior) for fit in fits])
    elsewhere = _on_other_data(network, data, means, stream)
    n_passes += N_OTHERS * len(fits)
    first: list[int] = []  # fit of each mode
    hits: list[int] = []
    for i in range(len(fits)):
        near = (bounds[first] - bounds[i] <= ALIKE) & (np.abs(elsewhere[first] - elsewhere[i]).max(axis=1) <= SAME)
        if near.any():
            hits[int(near.argmax())] += 1
        else:
            first.append(i)
            hits.append(1)
    shares = np.exp(bounds[first] - bounds[0])
    shares /= shares.sum()
    found = [Mode(means[i], float(bounds[i])) for i in first[:n_modes] if bounds[i] > bounds[0] - NEGLIGIBLE]
    posteriors = np.array([fits[i].posterior for i in first])
    return Modes(found, shares, np.array(hits), posteriors, means[first], len(fits), n_passes)


def _on_other_data(
    network: DiscreteNetwork, data: UniqueRows, log_parameters: np.ndarray, stream: Stream
) -> np.ndarray:
    """Log likelihoods, nats, of the rows once to three times as often, and of some new ones; shape (n_fits, N_OTHERS).

    Labels do not change them, but modes that have one bound by chance or by symmetry differ in them.
    """
    rng = stream.child("other data").generator()
    found = []
    for _ in range(N_OTHERS):
        new = np.stack([rng.choice(column, N_NEW_ROWS) for column in data.rows.T], axis=1)
        often = data.counts * rng.integers(1, 4, len(data.counts))
        others = UniqueRows(np.concatenate([data.rows, new]), np.append(often, np.ones(N_NEW_ROWS, dtype=np.int64)))
        found.append(log_likelihoods(network, others, log_parameters))
    return np.stack(found, axis=1)


def log_means(network: DiscreteNetwork, counts: np.ndarray) -> np.ndarray:
    """Logs of the means of Dirichlet distributions with these hyperparameters, shape (n_entries,)."""
    logs: np.ndarray = np.log(counts / np.add.reduceat(counts, network.row_starts[:-1])[network.rows])
    return logs
