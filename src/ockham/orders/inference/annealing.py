"""Annealed importance sampling of node orders, from all alike to their posterior ([NiinimakiKoivisto2013], 3.1)."""

from dataclasses import dataclass
from time import process_time

import numpy as np

from ockham.estimation.combining import combine
from ockham.estimation.schedules import steps_by_quarter
from ockham.kernels import orders as kernel
from ockham.orders.inference.graph_sums import OrderSums
from ockham.orders.inference.linear_extensions import log_counts
from ockham.streams import Stream

__all__ = ["HOTTEST", "State", "run", "sample"]

HOTTEST = 1e-290
"""Inverse temperature in place of 0: all orders with a graph are alike, and those without one have no chance."""


@dataclass(frozen=True, slots=True)
class State:
    """Where a run of annealed importance sampling ended.

    Attributes
    ----------
    log_weight : float
        ln w, nats; the mean of w is the mean of p(D, L) over all orders that have a graph.
    order : ndarray of int32, shape (n_nodes,)
        The last state of the chain.
    accepted : ndarray of int64, shape (4,)
        How many proposals were accepted in each quarter of the schedule.
    """

    log_weight: float
    order: np.ndarray
    accepted: np.ndarray


def run(sums: OrderSums, temperatures: np.ndarray, rng: np.random.Generator) -> State:
    """One run from an order drawn uniformly among those with a graph; a step proposes to swap two positions' nodes.

    Notes
    -----
    The loop moves at tau(k - 1) before it weighs with tau(k) - tau(k - 1), so that it also moves at tau(0) = 0, which
    leaves the uniform draw as it is; the rest is section 3.1 of [NiinimakiKoivisto2013].
    """
    order, temperatures = sums.required.draw(rng), np.maximum(temperatures, HOTTEST)
    accepted = np.zeros(4, dtype=np.int64)
    log_weight = kernel.run_annealing(rng.bit_generator, sums, temperatures, nodes=order, accepted=accepted)
    return State(log_weight, order, accepted)


def sample(
    sums: OrderSums,
    temperatures: np.ndarray,
    stream: Stream,
    *,
    n_samples: int,
    n_graphs: int = 1,
    merge: int = 1,
    count_every: int = 1,
) -> dict[str, np.ndarray]:
    """Independent weighted orders with their graphs, each from a stream of its own.

    Of ``merge`` orders one is kept, drawn by weight, with the mean of their weights. The weighted mean of any function
    of orders is as without that in expectation, and the mean weight is the same number. Linear extensions are counted
    for the graphs of every ``count_every``-th sample; 0: never.

    Returns
    -------
    dict of str to ndarray
        ``log_weight`` (n_samples,), nats; ``parents`` (n_samples, n_graphs, n_nodes), masks; ``log_extensions``
        (n_samples, n_graphs), nats, NaN where not counted; ``seconds`` and ``graph_seconds`` (n_samples,), CPU time;
        ``accepted`` (4,), fraction of the proposals in each quarter of the schedule, NaN without any.
    """
    found = {
        "log_weight": np.empty(n_samples),
        "parents": np.empty((n_samples, n_graphs, sums.n_nodes), dtype=np.uint64),
        "log_extensions": np.full((n_samples, n_graphs), np.nan),
        "seconds": np.empty(n_samples),
        "graph_seconds": np.empty(n_samples),
    }
    accepted = np.zeros(4)
    for t in range(n_samples):
        began = process_time()
        ends = [
            run(sums, temperatures, stream.child("annealing", s).generator()) for s in range(t * merge, (t + 1) * merge)
        ]
        rng, log_weights = stream.child("graphs", t).generator(), np.array([end.log_weight for end in ends])
        found["log_weight"][t] = combine(log_weights, "mean").value
        accepted += np.mean([end.accepted for end in ends], axis=0)
        kept = _draw_by_weight(log_weights, rng)
        ended = process_time()
        found["parents"][t] = sums.sample_graphs(ends[kept].order, n_graphs, rng)
        if count_every and t % count_every == 0:
            found["log_extensions"][t] = log_counts(found["parents"][t])
        found["seconds"][t], found["graph_seconds"][t] = ended - began, process_time() - ended
    n_quarter = steps_by_quarter(len(temperatures) - 1)
    return found | {"accepted": accepted / n_samples / np.where(n_quarter, n_quarter, np.nan)}


def _draw_by_weight(log_weights: np.ndarray, rng: np.random.Generator) -> int:
    weights = np.exp(log_weights - log_weights.max())
    return int(rng.choice(len(weights), p=weights / weights.sum()))
