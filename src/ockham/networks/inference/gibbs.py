"""Gibbs sampling of the hidden states and the parameters of a discrete network in turn ([ChickeringHeckerman1997])."""

from dataclasses import dataclass

import numpy as np

from ockham.kernels import gibbs as kernel
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.expectation import layout
from ockham.networks.inference.relabellings import Relabellings, relabellings

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
        ln p(phi* | D_c, m) in the softmax basis, averaged over the relabellings of phi*, after each sweep; nats. NaN
        without a point.
    draws : ndarray, shape (n_sweeps, n_entries)
        Logs of theta after each sweep, where they were kept; no row otherwise.
    """

    log_parameters: np.ndarray
    best_counts: np.ndarray
    log_density: np.ndarray
    draws: np.ndarray


def run(
    network: DiscreteNetwork,
    data: UniqueRows,
    log_parameters: np.ndarray,
    rng: np.random.Generator,
    n_sweeps: int,
    log_point: np.ndarray | None = None,
    same: Relabellings | None = None,
    *,
    keep: bool = False,
) -> State:
    """Sweep from given parameters; a sweep draws every hidden state, then every parameter.

    ``log_point``, shape (n_entries,), holds the logs of the point whose posterior density is wanted, averaged over the
    relabellings that leave the posterior the ``same``; ``relabellings(network)`` by default. ``keep`` keeps all draws.

    Raises
    ------
    ModelError
        When a point is given, and the network has too many relabellings to average over.
    """
    plan = layout(network, data)
    if log_point is None:
        same = Relabellings.none(network)
    elif same is None:
        same = relabellings(network)
    points = np.empty((0, network.n_entries)) if log_point is None else log_point[same.aliases]
    state = np.array(log_parameters, dtype=np.float64)
    draws = np.empty((n_sweeps if keep else 0, network.n_entries))
    log_density, best_counts = np.full(n_sweeps, np.nan), np.empty(network.n_entries)
    kernel.run(
        rng.bit_generator,
        plan,
        rows=network.rows,
        row_starts=network.row_starts,
        prior=network.prior,
        points=points,
        classes=same.classes,
        shared=same.shared,
        log_theta=state,
        log_completed=np.empty(n_sweeps),
        log_density=log_density,
        best_counts=best_counts,
        draws=draws,
        work=np.empty(kernel.work_size(plan, network.n_entries, network.n_rows, len(points), len(same.classes))),
    )
    return State(state, best_counts, log_density, draws)
