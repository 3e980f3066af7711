"""Sequential Monte Carlo over growing data, with Gibbs sweeps between ([Chopin2002], waste-free [DauChopin2022])."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from ockham.estimation.memory import check_memory
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import gibbs
from ockham.networks.inference.expectation import check_layout
from ockham.networks.inference.likelihoods import log_likelihoods

__all__ = ["Pass", "Passes", "check", "run", "run_passes"]

N_COPIES = 2
"""Of the particles, old and new, and of the rows, in their order and in another."""


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


class Passes(NamedTuple):
    """Independent passes.

    Attributes
    ----------
    log_evidences : ndarray, shape (n_passes,)
        ln p(rows), nats.
    n_evaluations : int
        Of them and of the one before them, as in ``Pass``.
    """

    log_evidences: np.ndarray
    n_evaluations: int


def check(network: DiscreteNetwork, n: int, n_chains: int, n_states: int) -> None:
    """Raise a ModelError when the particles, or n rows, would take more memory than allowed."""
    n_particles, n_observed = n_chains * n_states, len(network.observed)
    check_memory(
        N_COPIES * n_particles * network.n_entries,
        f"{n_particles:,} particles of {network.n_entries:,} parameters",
        "take fewer n_chains or n_states, or fewer values",
    )
    check_memory(N_COPIES * n * n_observed, f"{n:,} rows in an order of their own", "take fewer rows")


def run_passes(
    network: DiscreteNetwork,
    data: UniqueRows,
    rng: np.random.Generator,
    posterior_draw: np.ndarray | None = None,
    *,
    n_passes: int,
    n_chains: int,
    n_states: int,
    least_share: float,
) -> Passes:
    """Passes over the rows, each in an order of its own, after one, left out, whose weights choose the batches.

    With a ``posterior_draw`` they are conditional, as in ``run``.

    Raises
    ------
    ModelError
        When the particles, or the E step, would take more memory than allowed.
    """
    data.check_fits(network)
    check_layout(network, data)
    check(network, data.n, n_chains, n_states)
    rows = np.repeat(data.rows, data.counts, axis=0)
    one = partial(run, network, sizes=[data.n], rng=rng, n_chains=n_chains, n_states=n_states)
    pilot = one(rows=rng.permutation(rows), least_share=least_share)
    passes = [one(rows=rng.permutation(rows), ends=pilot.ends, posterior_draw=posterior_draw) for _ in range(n_passes)]
    values = np.array([each.log_evidences[0] for each in passes])
    return Passes(values, sum(each.n_evaluations for each in (pilot, *passes)))


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
    posterior_draw: np.ndarray | None = None,
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
    posterior_draw : ndarray, shape (n_entries,), optional
        Logs of an exact draw from the posterior given all rows, such as the parameters that they were drawn with, where
        those are a draw of the prior. The pass is then conditional on a path of particles that ends there; needs
        ``ends``.

    Notes
    -----
    With given ``ends`` the exponential of every log evidence is an unbiased estimate; where the weights choose the
    batches it is a consistent one. Of a conditional pass ([AndrieuEtAl2010], section 2.4.3) the inverse of the last
    evidence is an unbiased estimate of the inverse, for the pass and its path are then a draw of what makes the weights
    of the particles exact: the argument of [GrosseEtAl2015].
    """
    distinct, codes = np.unique(rows, axis=0, return_inverse=True)
    codes = codes.ravel()
    particles = np.array([sample_log(network, rng) for _ in range(n_chains * n_states)])
    path: list[np.ndarray] = []
    if posterior_draw is not None and ends is not None:
        before = [_counted(distinct, codes[:end]) for end in ends[:-1]]
        path = _path(network, before, posterior_draw, n_states, rng)
        particles[0] = path[0][0] if path else posterior_draw
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
            kept = path[len(found) - 1 : len(found)]
            n_free = n_chains - len(kept)
            draw = _multinomial if kept else _systematic
            ancestors = particles[draw(weights, n_free, rng)]
            chains = [gibbs.run(network, data, start, rng, n_states - 1, keep=True).draws for start in ancestors]
            particles = np.concatenate([*kept, ancestors, *chains])
            n_evaluations += n_chains * (n_states - 1)
    return Pass(np.array([found[size] for size in sizes]), tuple(found), n_evaluations)


def _path(
    network: DiscreteNetwork, before: list[UniqueRows], end: np.ndarray, n_states: int, rng: np.random.Generator
) -> list[np.ndarray]:
    """A chain for each of the data sets, every one through the first state of the next, the last through ``end``.

    The place of that state in the chain is uniform; Gibbs sampling is reversible, so it goes both ways from there.
    """
    path: list[np.ndarray] = []
    for data in reversed(before):
        place = int(rng.integers(n_states))
        back, on = (gibbs.run(network, data, end, rng, n, keep=True).draws for n in (place, n_states - 1 - place))
        path.append(np.concatenate([back[::-1], end[None], on]))
        end = path[-1][0]
    return path[::-1]


def _counted(distinct: np.ndarray, codes: np.ndarray) -> UniqueRows:
    """Rows that are given by their places among the ``distinct`` ones, which are in order."""
    present, counts = np.unique(codes, return_counts=True)
    return UniqueRows(distinct[present], counts)


def _multinomial(weights: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Indices of n independent draws in proportion to the weights."""
    return rng.choice(len(weights), n, p=weights / weights.sum())


def _systematic(weights: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Indices of n draws in proportion to the weights, one uniform variate for all."""
    edges = np.cumsum(weights) / weights.sum()
    return np.minimum(np.searchsorted(edges, (rng.random() + np.arange(n)) / n), len(weights) - 1)
