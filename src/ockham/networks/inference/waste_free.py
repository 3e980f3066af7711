"""Sequential Monte Carlo over growing data, with Gibbs sweeps between ([Chopin2002], waste-free [DauChopin2022])."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import gibbs
from ockham.networks.inference.likelihoods import log_likelihoods

__all__ = ["Pass", "run"]


class Pass(NamedTuple):
    """One pass over the rows.

    Attributes
    ----------
    log_evidences : ndarray, shape (n_sizes,)
        ln p(first n rows) for every n that was asked for, nats.
    ends : tuple of int
        How many rows there were after each batch.
    n_evaluations : int
        How many parameters had their likelihood computed, on a batch or, for a sweep, on all rows so far.
    """

    log_evidences: np.ndarray
    ends: tuple[int, ...]
    n_evaluations: int


def run(
    network: DiscreteNetwork,
    rows: np.ndarray,
    sizes: Sequence[int],
    rng: np.random.Generator,
    *,
    n_chains: int,
    n_states: int,
    least_share: float = 0.5,
    ends: Sequence[int] | None = None,
) -> Pass:
    """The evidence of the first n rows for every n of ``sizes``, ascending, from one pass.

    Parameters
    ----------
    rows : ndarray of int, shape (n, n_observed)
        -1 where a cell is missing.
    n_chains, n_states : int
        Gibbs chains between two batches of rows, and states of each; all are particles.
    least_share : float
        The effective sample size, as a share of the particles, that the weights of a batch must have. A batch is the
        rows up to the next size, or half, a quarter ... of them, at least one.
    ends : sequence of int, optional
        Those of another pass, in place of batches that are chosen by the weights; all sizes are among them.

    Notes
    -----
    With given ``ends`` the exponential of every log evidence is an unbiased estimate; where the weights choose the
    batches it is a consistent one.
    """
    distinct, codes = np.unique(rows, axis=0, return_inverse=True)
    codes = codes.ravel()
    particles = np.array([sample_log(network, rng) for _ in range(n_chains * n_states)])
    found: dict[int, float] = {}
    total, n_rows, largest, n_evaluations = 0.0, 0, 1, 0
    while n_rows < sizes[-1]:
        if ends is None:
            n_added = min(largest, next(size for size in sizes if size > n_rows) - n_rows)
        else:
            n_added = ends[len(found)] - n_rows
        while True:
            batch = _counted(distinct, codes[n_rows : n_rows + n_added])
            log_weights = log_likelihoods(network, batch, particles)
            n_evaluations += len(particles)
            weights = np.exp(log_weights - log_weights.max())
            share = weights.sum() ** 2 / (weights**2).sum() / len(particles)
            if ends is not None or share >= least_share or n_added == 1:
                break
            n_added = max(1, n_added // 2)
        total += float(np.logaddexp.reduce(log_weights) - np.log(len(particles)))
        n_rows += n_added
        found[n_rows] = total
        largest = 2 * n_added if share >= least_share else n_added
        if n_rows < sizes[-1]:
            data = _counted(distinct, codes[:n_rows])
            ancestors = particles[_systematic(weights, n_chains, rng)]
            chains = [gibbs.run(network, data, start, rng, n_states - 1, keep=True).draws for start in ancestors]
            particles = np.concatenate([ancestors, *chains])
            n_evaluations += n_chains * (n_states - 1)
    return Pass(np.array([found[size] for size in sizes]), tuple(found), n_evaluations)


def _counted(distinct: np.ndarray, codes: np.ndarray) -> UniqueRows:
    """Rows that are given by their places among the ``distinct`` ones, which are in order."""
    present, counts = np.unique(codes, return_counts=True)
    return UniqueRows(distinct[present], counts)


def _systematic(weights: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Indices of n draws in proportion to the weights, one uniform variate for all."""
    edges = np.cumsum(weights) / weights.sum()
    return np.minimum(np.searchsorted(edges, (rng.random() + np.arange(n)) / n), len(weights) - 1)
