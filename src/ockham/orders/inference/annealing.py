"""Annealed importance sampling of node orders, from all alike to their posterior ([NiinimakiKoivisto2013], 3.1)."""

from dataclasses import dataclass

import numpy as np

from ockham.kernels import orders as kernel
from ockham.orders.inference.sums import OrderSums

__all__ = ["State", "run"]


@dataclass(frozen=True, slots=True)
class State:
    """Where a run of annealed importance sampling ended.

    Attributes
    ----------
    log_weight : float
        ln w, nats; the mean of w is the mean of p(D, L) over all orders.
    order : ndarray of int32, shape (n_nodes,)
        The last state of the chain.
    accepted : ndarray of int64, shape (4,)
        How many proposals were accepted in each quarter of the schedule.
    """

    log_weight: float
    order: np.ndarray
    accepted: np.ndarray


def run(sums: OrderSums, temperatures: np.ndarray, rng: np.random.Generator) -> State:
    """One run from an order drawn uniformly; a step proposes to swap the nodes of two positions.

    Notes
    -----
    The loop moves at tau(k - 1) before it weighs with tau(k) - tau(k - 1), so that it also moves at tau(0) = 0, which
    leaves the uniform draw as it is; the rest is section 3.1 of [NiinimakiKoivisto2013].
    """
    order = rng.permutation(sums.n_nodes).astype(np.int32)
    accepted = np.zeros(4, dtype=np.int64)
    log_weight = kernel.run_annealing(rng.bit_generator, sums, temperatures, order, accepted)
    return State(log_weight, order, accepted)
