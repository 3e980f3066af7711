"""Sequential Monte Carlo over growing data, with Gibbs sweeps between ([Chopin2002], waste-free [DauChopin2022])."""

from collections.abc import Sequence

import numpy as np

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import gibbs
from ockham.networks.inference.likelihoods import log_likelihoods

__all__ = ["run"]


def run(
    network: DiscreteNetwork,
    rows: np.ndarray,
    sizes: Sequence[int],
    rng: np.random.Generator,
    *,
    n_chains: int,
    n_states: int,
    least_share: float = 0.5,
) -> tuple[np.ndarray, int]:
    """ln p(first n rows) for every n of ``sizes``, ascending, from one pass; nats, shape (n_sizes,).

    Also how many parameters had their likelihood computed, on a batch or, for a sweep, on all rows so far.

    Parameters
    ----------
    rows : ndarray of int, shape (n, n_observed)
        -1 where a cell is missing.
    n_chains, n_states : int
        Gibbs chains between two batches of rows, and states of each; all are particles.
    least_share : float
        The effective sample size, as a share of the particles, that the weights of a batch must have. A batch is the
        rows up to the next size, or half, a quarter ... of them, at least one.

    Notes
    -----
    The exponential of every value is an unbiased estimate of the evidence, but for the choice of the batches.
    """
    cardinalities = [network.cardinalities[i] for i in network.observed]
    particles = np.array([sample_log(network, rng) for _ in range(n_chains * n_states)])
    found = np.empty(len(sizes))
    total, n_rows, largest, n_passes = 0.0, 0, 1, 0
    for s, size in enumerate(sizes):
        while n_rows < size:
            n_added = min(largest, size - n_rows)
            while True:
                batch = UniqueRows.of(rows[n_rows : n_rows + n_added], cardinalities, missing=True)
                log_weights = log_likelihoods(network, batch, particles)
                n_passes += len(particles)
                weights = np.exp(log_weights - log_weights.max())
                share = weights.sum() ** 2 / (weights**2).sum() / len(particles)
                if share >= least_share or n_added == 1:
                    break
                n_added = max(1, n_added // 2)
            total += float(np.logaddexp.reduce(log_weights) - np.log(len(particles)))
            n_rows += n_added
            largest = 2 * n_added if share >= least_share else n_added
            data = UniqueRows.of(rows[:n_rows], cardinalities, missing=True)
            ancestors = particles[_systematic(weights, n_chains, rng)]
            chains = [gibbs.run(network, data, start, rng, n_states - 1, keep=True).draws for start in ancestors]
            particles = np.concatenate([ancestors, *chains])
            n_passes += n_chains * (n_states - 1)
        found[s] = total
    return found, n_passes


def _systematic(weights: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Indices of n draws in proportion to the weights, one uniform variate for all."""
    edges = np.cumsum(weights) / weights.sum()
    return np.minimum(np.searchsorted(edges, (rng.random() + np.arange(n)) / n), len(weights) - 1)
