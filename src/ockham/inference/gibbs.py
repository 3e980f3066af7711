"""Gibbs sampling of the hidden states and the parameters of a discrete network in turn ([ChickeringHeckerman1997])."""

from dataclasses import dataclass

import numpy as np

from ockham.datasets.unique_rows import UniqueRows
from ockham.inference.expectation import layout
from ockham.kernels import gibbs as kernel
from ockham.models.discrete_network import DiscreteNetwork

__all__ = ["State", "run"]


@dataclass(frozen=True, slots=True)
class State:
    """Where a chain ended, and what it saw.

    Attributes
    ----------
    log_parameters : ndarray, shape (n_entries,)
        Logs of the last draw of theta.
    best_counts : ndarray, shape (n_entries,)
        Counts of the most probable completion of the data that was visited, by ln p(D_c | m).
    log_density : ndarray, shape (n_sweeps,)
        ln p(phi* | D_c, m) in the softmax basis, averaged over the given aliases of phi*, after each sweep; nats. NaN
        without points.
    """

    log_parameters: np.ndarray
    best_counts: np.ndarray
    log_density: np.ndarray


def run(
    network: DiscreteNetwork,
    data: UniqueRows,
    log_parameters: np.ndarray,
    rng: np.random.Generator,
    n_sweeps: int,
    points: np.ndarray | None = None,
) -> State:
    """Sweep from given parameters; a sweep draws every hidden state, then every parameter.

    ``points``, shape (n_points, n_entries), holds logs of parameters; their posterior density is what is averaged.
    """
    plan = layout(network, data)
    points = np.empty((0, network.n_entries)) if points is None else np.ascontiguousarray(points)
    state = np.array(log_parameters, dtype=np.float64)
    log_completed, log_density = np.empty(n_sweeps), np.full(n_sweeps, np.nan)
    best_counts = np.empty(network.n_entries)
    work = np.empty(plan.work_size + 6 * network.n_entries + 4 + len(points))
    arrays = network.row_starts, network.prior, points, state, log_completed, log_density, best_counts, work
    kernel.run(rng.bit_generator, plan, *arrays)
    return State(state, best_counts, log_density)
