"""The most probable graph: of all by dynamic programming over sets of nodes, or the best that samples lead to."""

import numpy as np

from ockham.errors import ModelError
from ockham.orders.inference.family_scores import FamilyScores
from ockham.orders.inference.linear_extensions import log_counts
from ockham.orders.parent_sets import n_parent_sets, over_all_nodes, over_other_nodes, parent_sets

__all__ = ["best_of_all", "best_of_order", "log_extensions", "log_scores", "predicted_cost"]

MOST_NODES = 27
SECONDS_PER_TERM = 30e-9
"""Of a set and a node, by benchmarks/graphs.py."""
EXTENSION_BYTES = 2**26
"""Memory that counting the linear extensions of a graph may take."""


def predicted_cost(n_nodes: int, max_indegree: int) -> tuple[float, float]:
    """Seconds and bytes that ``best_of_all`` takes."""
    n_sets = 2.0**n_nodes
    n_bytes = n_sets * (4 * n_nodes + 8 + 8 + 1 + 8) + 8.0 * n_nodes * n_parent_sets(n_nodes, max_indegree)
    return (n_nodes * n_sets * SECONDS_PER_TERM, n_bytes) if n_nodes <= MOST_NODES else (np.inf, np.inf)


def best_of_all(scores: FamilyScores) -> np.ndarray:
    """The graph with the highest score, masks of parents, uint64, (n_nodes,); one of them where several have it.

    Every graph has a node without children, so the best graph of a set of nodes is the best of the others beside one of
    them, with the best of its parent sets among these [SilanderMyllymaki2006].
    """
    n, masks = scores.n_nodes, parent_sets(scores.n_nodes, scores.max_indegree)
    table = np.full((n, 2 ** (n - 1)), -np.inf)  # the best score among the parent sets in every set
    table[:, masks.astype(np.int64)] = scores.log_scores
    for u in range(n - 1):
        halves = table.reshape(n, -1, 2, 2**u)
        np.maximum(halves[:, :, 1], halves[:, :, 0], out=halves[:, :, 1])
    best, last = np.full(2**n, -np.inf), np.zeros(2**n, dtype=np.int8)
    best[0] = 0.0
    sizes = np.bitwise_count(np.arange(2**n))
    for size in range(1, n + 1):
        sets = np.flatnonzero(sizes == size)
        for v in range(n):
            those = sets[sets >> v & 1 == 1]
            others = those ^ 1 << v
            found = best[others] + table[v, over_other_nodes(v, others).astype(np.int64)]
            better = found > best[those]
            best[those[better]], last[those[better]] = found[better], v
    order, left = [], 2**n - 1
    while left:
        order.append(int(last[left]))
        left ^= 1 << order[-1]
    return best_of_order(scores, order[::-1])


def best_of_order(scores: FamilyScores, order: list[int]) -> np.ndarray:
    """The graph with the highest score of those that an order extends."""
    masks, parents, before = parent_sets(scores.n_nodes, scores.max_indegree), np.zeros(len(order), dtype=np.uint64), 0
    for v in order:
        sets = over_all_nodes(v, masks)
        inside = sets & ~np.uint64(before) == 0
        parents[v] = sets[np.argmax(np.where(inside, scores.log_scores[v], -np.inf))]
        before |= 1 << v
    return parents


def log_scores(scores: FamilyScores, graphs: np.ndarray) -> np.ndarray:
    """The sums of the scores of the families of graphs (n_graphs, n_nodes); nats, shape (n_graphs,)."""
    masks, total = parent_sets(scores.n_nodes, scores.max_indegree), np.zeros(len(graphs))
    ascending = np.argsort(masks)
    for v in range(scores.n_nodes):
        places = np.searchsorted(masks, over_other_nodes(v, graphs[:, v]), sorter=ascending)
        total += scores.log_scores[v, ascending[places]]
    return total


def log_extensions(parents: np.ndarray) -> float:
    """ln of the number of linear extensions of a graph, nats; NaN where counting them would take too much memory."""
    try:
        return float(log_counts(parents[None], EXTENSION_BYTES)[0])
    except ModelError:
        return np.nan
