"""Exact evidence and arc posteriors over all node orders, and over all directed acyclic graphs, of up to 25 nodes.

The prior of orders is uniform over pairs of an order and a graph that it extends, ``full_table`` having its sums over
graphs; that of graphs is uniform over graphs. Both leave out graphs with a larger indegree than the scores have.
"""

from dataclasses import dataclass

import numpy as np

from ockham.errors import ModelError
from ockham.kernels import exact_structures as kernel
from ockham.kernels import orders
from ockham.orders.inference.family_scores import FamilyScores
from ockham.orders.inference.graph_sums import full_table
from ockham.orders.parent_sets import n_parent_sets, over_all_nodes, parent_sets

__all__ = ["ExactPosterior", "check_cost", "exact_graphs", "exact_orders", "predicted_cost"]

MOST_NODES = 25
SECONDS_PER_TERM = {"orders": 1e-7, "graphs": 6e-9}
SECONDS_PER_ARC_TERM = 3e-9
"""Measured by benchmarks/structures.py: orders have n 2^n terms, graphs 3^n, and all arcs n for every family."""


@dataclass(frozen=True, eq=False)
class ExactPosterior:
    """A sum over structures and what it says about arcs.

    Attributes
    ----------
    log_total : float
        ln of the sum of the structures' scores, nats: over pairs of an order and a graph, or over graphs. The log
        evidence is less by ``log_n_ordered_graphs`` or ``log_n_graphs``.
    arcs : ndarray, shape (n_nodes, n_nodes)
        Posterior probability of the arc from u (row) to v (column).
    discrepancy : float
        How far two ways to the same total, from the first node on and from the last, differ, relative to it: the size
        of the rounding errors.
    by_set : dict of str to ndarray, shape (2 ** n_nodes,)
        What graphs are drawn from: F of ``kernels/exact_structures.pyx``, ``forward``, for orders, and H, ``mantissas``
        and ``exponents``, for graphs.
    """

    log_total: float
    arcs: np.ndarray
    discrepancy: float
    by_set: dict[str, np.ndarray]


def predicted_cost(kind: str, n_nodes: int, max_indegree: int) -> tuple[float, float]:
    """Seconds and bytes that an exact sum over ``orders`` or ``graphs`` takes, with the scores that it is made from."""
    n_sets, n_parents = 2.0**n_nodes, n_parent_sets(n_nodes, max_indegree)
    n_terms, n_numbers = (n_nodes * n_sets, 3) if kind == "orders" else (3.0**n_nodes, 7)
    seconds = SECONDS_PER_TERM[kind] * n_terms + SECONDS_PER_ARC_TERM * n_nodes**2 * n_parents
    return seconds, n_sets * (4 * n_nodes + 8 * n_numbers) + 8.0 * (2 * n_nodes + 5) * n_parents


def exact_orders(scores: FamilyScores, *, max_seconds: float = 600.0, max_bytes: float = 6e9) -> ExactPosterior:
    """The sum over all pairs of an order and a graph that it extends, in O(n 2^n) steps after a table of O(n^2 2^n).

    The dynamic programming of Koivisto and Sood from both ends of the order [KoivistoSood2004], [Koivisto2006].

    Raises
    ------
    ModelError
        When it is predicted to take more time or memory than allowed.
    """
    check_cost("orders", scores.n_nodes, scores.max_indegree, max_seconds, max_bytes)
    n = scores.n_nodes
    table = full_table(scores)
    forward, backward = np.empty(2**n), np.empty(2**n)
    kernel.sum_orders(table, forward, backward)
    for v in range(n):  # orders in which the predecessors of v are a set: all but the choice of its parents
        before, after = forward.reshape(-1, 2, 2**v)[:, 0], backward.reshape(-1, 2, 2**v)[:, 1]
        np.add(before, after, out=table[v].reshape(before.shape))
    table -= forward[-1]
    discrepancy = float(abs(np.expm1(backward[0] - forward[-1])))
    return ExactPosterior(float(forward[-1]), _arcs(scores, table), discrepancy, {"forward": forward})


def exact_graphs(scores: FamilyScores, *, max_seconds: float = 60.0, max_bytes: float = 6e9) -> ExactPosterior:
    """The sum over all directed acyclic graphs, in O(3^n) steps by inclusion and exclusion over the next nodes.

    The recurrence is that of [TianHe2009]; arcs are derivatives of its logarithm.

    Raises
    ------
    ModelError
        When it is predicted to take more time or memory than allowed.
    """
    check_cost("graphs", scores.n_nodes, scores.max_indegree, max_seconds, max_bytes)
    n_sets = 2**scores.n_nodes
    table = full_table(scores)
    closed = np.empty(n_sets)
    by_set = {"mantissas": np.empty(n_sets), "exponents": np.empty(n_sets, dtype=np.int32)}
    log_total = kernel.sum_graphs(
        table,
        **by_set,
        closed=closed,
        work=np.empty((3, n_sets)),
        powers=np.empty(n_sets, dtype=np.int32),
    )
    return ExactPosterior(log_total, _arcs(scores, table), float(abs(closed[-1] - 1)), by_set)


def _arcs(scores: FamilyScores, log_weights: np.ndarray) -> np.ndarray:
    """Arc probabilities from the log derivatives of the total to the sums over the parent sets in every set."""
    n = scores.n_nodes
    masks = parent_sets(n, scores.max_indegree)
    arcs = np.zeros((n, n))
    for v in range(n):
        supersets = log_weights[v : v + 1, ::-1].copy()  # a superset's complement is a subset's
        orders.fill_table(supersets)
        probabilities = np.exp(scores.log_scores[v] + supersets[0, -1 - masks.astype(np.int64)])
        parents = over_all_nodes(v, masks)
        for u in range(n):
            arcs[u, v] = probabilities[(parents >> np.uint64(u)) & np.uint64(1) == 1].sum()
    return arcs


def check_cost(kind: str, n: int, max_indegree: int, max_seconds: float, max_bytes: float) -> None:
    """Raise a ModelError for a sum over ``orders`` or ``graphs`` that is predicted to take more than allowed."""
    seconds, n_bytes = predicted_cost(kind, n, max_indegree)
    if n > MOST_NODES or seconds > max_seconds or n_bytes > max_bytes:
        raise ModelError(
            f"the exact sum over {kind} of {n} nodes is predicted to take {seconds:.3g} s and {n_bytes / 1e9:.3g} GB; "
            f"{max_seconds:g} s, {max_bytes / 1e9:g} GB and {MOST_NODES} nodes are allowed: leave nodes out, or allow "
            "more"
        )
