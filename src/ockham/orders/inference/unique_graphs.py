"""The heuristic of Ellis and Wong against the bias of node orders, as section 2.2 of [NiinimakiKoivisto2013] tells it.

From every sampled order so many different graphs are drawn that they have nearly all of its posterior. Their union is
taken for the posterior, each graph in proportion to its own probability, without counting linear extensions. Here on
spaces so small that all orders and graphs are listed, where its expectation can be compared with the exact posterior.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from ockham.errors import ModelError
from ockham.orders.inference.family_scores import FamilyScores
from ockham.orders.parent_sets import over_all_nodes, parent_sets

__all__ = ["MOST_NODES", "ListedSpace", "draw_unique", "list_space", "union_weights"]

MOST_NODES = 5
"""Of a space that is listed: 120 orders with up to 1024 graphs each."""


@dataclass(frozen=True)
class ListedSpace:
    """All graphs and all orders on a few nodes.

    Attributes
    ----------
    parents : ndarray of uint64, shape (n_graphs, n_nodes)
        Masks of the parents of each node, over all nodes.
    log_scores : ndarray, shape (n_graphs,)
        ln q(A) p(D | A), nats.
    of_order : ndarray of int, shape (n_orders, n_graphs_of_an_order)
        The graphs that every order extends.
    """

    parents: np.ndarray
    log_scores: np.ndarray
    of_order: np.ndarray

    @property
    def n_extensions(self) -> np.ndarray:
        """Linear extensions of every graph, (n_graphs,): the orders that extend it."""
        return np.bincount(self.of_order.ravel(), minlength=len(self.log_scores))


def list_space(scores: FamilyScores) -> ListedSpace:
    """Every graph up to the largest indegree of the scores, and the graphs of every order.

    Raises
    ------
    ModelError
        For more than ``MOST_NODES`` nodes.
    """
    n = scores.n_nodes
    if n > MOST_NODES:
        raise ModelError(f"{n} nodes: all graphs are listed for up to {MOST_NODES}; leave variables out")
    masks = parent_sets(n, scores.max_indegree)
    families = [over_all_nodes(v, masks) for v in range(n)]
    codes, logs = [], []
    for order in permutations(range(n)):
        code, log_score = np.zeros(1, dtype=np.uint64), np.zeros(1)
        for position, v in enumerate(order):
            before = np.uint64(sum(1 << u for u in order[:position]))
            inside = np.flatnonzero(families[v] & ~before == 0)
            code = np.add.outer(code, families[v][inside] << np.uint64(n * v)).ravel()
            log_score = np.add.outer(log_score, scores.log_scores[v, inside]).ravel()
        codes.append(code)
        logs.append(log_score)
    unique, first, of_order = np.unique(np.array(codes), return_index=True, return_inverse=True)
    nodes = np.arange(n, dtype=np.uint64)
    parents = (unique[:, None] >> (np.uint64(n) * nodes)) & np.uint64(2**n - 1)
    return ListedSpace(parents, np.array(logs).ravel()[first], of_order.reshape(len(codes), -1))


def draw_unique(log_scores: np.ndarray, left_out: float, rng: np.random.Generator) -> np.ndarray:
    """Positions of different graphs of one order, drawn until they have all but ``left_out`` of its posterior.

    Draws that repeat a graph are passed over, which is drawing without replacement: in the order of the log scores with
    standard Gumbel noise. ``left_out`` is epsilon of section 2.2.
    """
    drawn = np.argsort(-(log_scores + rng.gumbel(size=len(log_scores))))
    covered = np.cumsum(_normalised(log_scores)[drawn])
    return drawn[: 1 + np.searchsorted(covered[:-1], 1 - left_out)]


def union_weights(log_scores: np.ndarray, kept: Sequence[np.ndarray]) -> np.ndarray:
    """What the heuristic takes for the posterior of every graph, (n_graphs,), from those kept of each order."""
    inside = np.zeros(len(log_scores), dtype=bool)
    for positions in kept:
        inside[positions] = True
    return _normalised(np.where(inside, log_scores, -np.inf))


def _normalised(log_scores: np.ndarray) -> np.ndarray:
    weights = np.exp(log_scores - log_scores.max())
    return weights / weights.sum()
