"""Sums over the graphs that a node order extends: by look-up in full tables, or over lists of parent sets.

Eq. (1) of [NiinimakiKoivisto2013] needs, for every node, the sum of the scores of its parent sets among its
predecessors. With few nodes a table has it for every set of predecessors. With more, a list of the parent sets that
matter is summed: a set is left out when its score is so far below that of one of its subsets, which is among the
predecessors whenever the set is, that all such sets together are less than a stated part of any sum.
"""

from dataclasses import dataclass
from math import log
from typing import Literal

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.errors import ModelError
from ockham.kernels import orders as kernel
from ockham.orders.inference.family_scores import FamilyScores
from ockham.orders.parent_sets import over_all_nodes, parent_sets
from ockham.orders.required_orders import RequiredOrders

__all__ = ["Method", "OrderSums", "SumSettings", "full_table", "order_sums"]

Method = Literal["auto", "table", "lists"]

SECONDS_PER_LOOK_UP = 20e-9
SECONDS_PER_LISTED_SET = 0.2e-9
SECONDS_PER_TABLE_CELL = 45e-9
"""What costs are predicted from, measured by benchmarks/orders.py; a cell of a table includes its making."""

LEAST_SCORE = -1e300
"""The log of 0 where infinities would make differences undefined."""
LANES = 8


class SumSettings(contracts.Settings):
    """How the sum over the graphs of an order is found."""

    method: Method = Field(default="auto", description="full tables, lists of parent sets, or what should cost less")
    memory_limit: float = Field(default=2.0, gt=0, le=1e4, description="GB that full tables may take")
    dropped: float = Field(
        default=1.0e-9, ge=0, le=1e-3, description="part of a node's sum that its list of parent sets may lack"
    )


@dataclass(frozen=True, eq=False)
class OrderSums:
    """What the kernel of node orders needs of family scores; ``kernels/predecessor_sums.pxd`` has the notation.

    Attributes
    ----------
    n_nodes : int
    method : {"table", "lists"}
    dropped : float
        Largest part of a node's sum that its list may lack; 0 for a table.
    predicted_seconds : dict of str to float
        What each method was predicted to take; infinite where it does not fit in memory.
    memory : int
        Bytes of the arrays.
    required : RequiredOrders
        The orders that have a graph: all, unless arcs are required.
    starts, sets, log_scores, weights, scales, relevant, table : ndarray
        As in the kernel.
    """

    n_nodes: int
    method: str
    dropped: float
    predicted_seconds: dict[Method, float]
    memory: int
    required: RequiredOrders
    starts: np.ndarray
    sets: np.ndarray
    log_scores: np.ndarray
    weights: np.ndarray
    scales: np.ndarray
    relevant: np.ndarray
    table: np.ndarray

    @property
    def diagnostics(self) -> dict[str, float]:
        """Which method it is, and why: 1 for a table; what a list may lack; bytes; what was predicted, in seconds."""
        predicted = {f"predicted_seconds_{method}": seconds for method, seconds in self.predicted_seconds.items()}
        table = float(self.method == "table")
        return {"full_table": table, "dropped": self.dropped, "memory_bytes": float(self.memory), **predicted}

    @property
    def seconds_per_step(self) -> float:
        """What a step of a chain of orders is predicted to take."""
        return _seconds(1, self.n_nodes, 0 if self.method == "table" else len(self.sets))

    @property
    def longest_list(self) -> int:
        return int(np.diff(self.starts).max())

    def log_likelihoods(self, orders: np.ndarray) -> np.ndarray:
        """ln p(D, L) of node orders, int32 of shape (n_orders, n_nodes); nats, shape (n_orders,).

        Eq. (1) of [NiinimakiKoivisto2013] with all q_v = 1 up to the indegree limit, so not normalised over graphs.
        """
        result = np.empty(len(orders))
        kernel.log_likelihoods(self, np.ascontiguousarray(orders, dtype=np.int32), result)
        return result

    def sample_graphs(self, order: np.ndarray, n_graphs: int, rng: np.random.Generator) -> np.ndarray:
        """Graphs from p(A | L, D), independent given the order; masks of parents, uint64, (n_graphs, n_nodes)."""
        parents = np.empty((n_graphs, self.n_nodes), dtype=np.uint64)
        kernel.sample_graphs(
            rng.bit_generator,
            self,
            order,
            parents,
            cumulative=np.empty(self.longest_list),
            inside=np.empty(self.longest_list, dtype=np.uint64),
        )
        return parents


def order_sums(
    scores: FamilyScores,
    method: Method = "auto",
    *,
    n_steps: float = 1e7,
    memory_limit: float = 2e9,
    dropped: float = 1e-9,
) -> OrderSums:
    """Sums over the graphs that an order extends, by the method that is predicted to cost less.

    Parameters
    ----------
    scores : FamilyScores
    method : {"auto", "table", "lists"}
    n_steps : float
        Steps of a chain, for the prediction: a table takes time to fill.
    memory_limit : float
        Bytes that a table may take.
    dropped : float
        Part of a node's sum that its list may lack, 0 or more; the part of ln p(D, L) is at most n times as large.

    Raises
    ------
    ModelError
        As ``FamilyScores.required`` does, and when the table does not fit in the limit.
    """
    n, required = scores.n_nodes, scores.required()
    masks = parent_sets(n, scores.max_indegree)
    table_bytes = n * 2 ** (n - 1) * 8
    kept = _kept(scores, masks, dropped)
    seconds: dict[Method, float] = {
        "table": _seconds(n_steps, n, 0) + table_bytes / 8 * SECONDS_PER_TABLE_CELL,
        "lists": _seconds(n_steps, n, kept.sum()),
    }
    if table_bytes > memory_limit or n > 32:
        seconds["table"] = np.inf
        if method == "table":
            raise ModelError(
                f"a table for {n} nodes takes {table_bytes / 1e9:.3g} GB, more than the limit of "
                f"{memory_limit / 1e9:g}; raise memory_limit, or take lists"
            )
    if method == "auto":
        method = min(seconds, key=seconds.__getitem__)
    if method == "table":
        kept = _possible(scores)
    arrays = _lists(scores, masks, kept)
    arrays["table"] = full_table(scores) if method == "table" else np.empty((0, 0))
    return OrderSums(
        n_nodes=n,
        method=method,
        dropped=dropped if method == "lists" else 0.0,
        predicted_seconds=seconds,
        memory=sum(array.nbytes for array in arrays.values()),
        required=RequiredOrders(required),
        **arrays,
    )


def _seconds(n_steps: float, n_nodes: int, n_listed: int) -> float:
    """Of steps of a chain, with lists of so many sets together, or none."""
    changed = n_steps * (n_nodes + 4) / 3  # nodes whose sums a step changes, on average
    return changed * (SECONDS_PER_LOOK_UP + n_listed / n_nodes * SECONDS_PER_LISTED_SET)


def full_table(scores: FamilyScores) -> np.ndarray:
    """The sum over every set of predecessors, (n_nodes, 2 ** (n_nodes - 1)); masks are over the other nodes.

    Sets without a possible parent set have ``LEAST_SCORE``.

    Raises
    ------
    ModelError
        As ``FamilyScores.required`` does.
    """
    scores.required()
    n, masks = scores.n_nodes, parent_sets(scores.n_nodes, scores.max_indegree)
    table = np.full((n, 2 ** (n - 1)), LEAST_SCORE)
    table[:, masks.astype(np.int64)] = np.maximum(scores.log_scores, LEAST_SCORE)
    kernel.fill_table(table)
    return table


def _kept(scores: FamilyScores, masks: np.ndarray, dropped: float) -> np.ndarray:
    """Which sets the lists have, (n_nodes, n_sets): those not too far below the best of their subsets.

    There are fewer than n_sets others inside any predecessors, each at most dropped / n_sets of a set that is kept: the
    best subset of all is not itself dropped.
    """
    n_sets = scores.log_scores.shape[1]
    if dropped == 0.0:
        return _possible(scores)
    best = scores.log_scores.copy()
    position = {mask: i for i, mask in enumerate(masks.tolist())}
    for size in range(1, scores.max_indegree + 1):
        columns = np.flatnonzero(np.bitwise_count(masks) == size)
        for left_out in range(size):
            best_subset = _without(masks[columns], left_out)
            below = [position[mask] for mask in best_subset.tolist()]
            best[:, columns] = np.maximum(best[:, columns], best[:, below])
    return _possible(scores) & (scores.log_scores >= best + log(dropped / n_sets))


def _possible(scores: FamilyScores) -> np.ndarray:
    """Sets whose score is not -inf, and always the empty one: no predecessors are without a set to look up or draw."""
    possible = np.isfinite(scores.log_scores)
    possible[:, 0] = True
    return possible


def _without(masks: np.ndarray, place: int) -> np.ndarray:
    """Masks without their lowest bit but ``place``."""
    rest = masks.copy()
    for _ in range(place):
        rest &= rest - np.uint64(1)
    return masks ^ (rest & (~rest + np.uint64(1)))


def _lists(scores: FamilyScores, masks: np.ndarray, kept: np.ndarray) -> dict[str, np.ndarray]:
    """The kept sets node by node, each list filled up to whole lanes with sets that no order has room for."""
    n = scores.n_nodes
    sizes = -(-kept.sum(axis=1) // LANES) * LANES
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    sets, log_scores = np.zeros(starts[-1], dtype=np.uint64), np.full(starts[-1], -np.inf)
    relevant, scales = np.zeros(n, dtype=np.uint64), np.empty(n)
    for v in range(n):
        own = over_all_nodes(v, masks[kept[v]])
        listed = slice(starts[v], starts[v] + len(own))
        sets[starts[v] : starts[v + 1]] = np.uint64(1) << np.uint64(v)
        sets[listed], log_scores[listed] = own, np.maximum(scores.log_scores[v, kept[v]], LEAST_SCORE)
        relevant[v], scales[v] = np.bitwise_or.reduce(own), log_scores[listed].max()
    weights = np.exp(log_scores - np.repeat(scales, sizes))
    return {
        "starts": starts, "sets": sets, "log_scores": log_scores, "weights": weights, "scales": scales,
        "relevant": relevant,
    }  # fmt: skip
