"""Upper bounds of sums over structures: cycles are forbidden within blocks of nodes only, so blocks are independent.

A graph without cycles has none within any block. So the sum over graphs is at most the product, over the blocks, of
exact sums in which the parents from outside are summed out, whoever they are. Of orders, a block's own order is kept,
and all nodes outside stand before it; each combination of the blocks' orders is that of n! / (c_1! c_2! ...) orders.
"""

from collections.abc import Sequence
from math import lgamma

import numpy as np

from ockham.orders.inference.exact_structures import exact_graphs, exact_orders
from ockham.orders.inference.family_scores import FamilyScores
from ockham.orders.parent_sets import over_all_nodes, parent_sets

__all__ = ["block_scores", "find_blocks", "log_bound"]


def log_bound(scores: FamilyScores, blocks: Sequence[Sequence[int]], prior: str) -> float:
    """An upper bound of ``log_total`` of the exact sum over ``orders`` or ``graphs``; nats.

    ``blocks`` are disjoint and have all nodes. It is the exact sum for one block, and less or the same for blocks that
    are unions of others.
    """
    total = exact_orders if prior == "orders" else exact_graphs
    bound = sum(total(block_scores(scores, block)).log_total for block in blocks)
    if prior == "orders":
        bound += lgamma(scores.n_nodes + 1) - sum(lgamma(len(block) + 1) for block in blocks)
    return bound


def block_scores(scores: FamilyScores, block: Sequence[int]) -> FamilyScores:
    """Scores of the nodes of a block with parent sets inside it, each summed over all parents outside; nats."""
    n, largest = len(block), min(scores.max_indegree, len(block) - 1)
    masks, inside = parent_sets(scores.n_nodes, scores.max_indegree), parent_sets(n, largest)
    log_scores = np.empty((n, len(inside)))
    for i, v in enumerate(block):
        others = [u for u in block if u != v]
        parents = over_all_nodes(v, masks)
        local = np.zeros(len(masks), dtype=np.int64)
        for j, u in enumerate(others):
            local |= _has(parents, u).astype(np.int64) << j
        summed = np.full(2 ** (n - 1), -np.inf)
        np.logaddexp.at(summed, local, scores.log_scores[v])
        log_scores[i] = summed[inside.astype(np.int64)]
    names = tuple(scores.names[v] for v in block)
    return FamilyScores(names, tuple(scores.cardinalities[v] for v in block), largest, log_scores)


def find_blocks(scores: FamilyScores, most_nodes: int) -> list[list[int]]:
    """Blocks of at most so many nodes, in which pairs are together that would often be parents of each other.

    From the pair with the most of it on, where nothing forbids cycles, blocks are joined that fit together, and then
    the rest.
    """
    masks = parent_sets(scores.n_nodes, scores.max_indegree)
    arcs = np.zeros((scores.n_nodes, scores.n_nodes))
    for v, own in enumerate(scores.log_scores):
        parents, weights = over_all_nodes(v, masks), np.exp(own - own.max())
        for u in range(scores.n_nodes):
            arcs[u, v] = weights[_has(parents, u)].sum() / weights.sum()
    both = np.triu(arcs * arcs.T, 1)
    blocks = {v: [v] for v in range(scores.n_nodes)}
    pairs = np.argsort(-both, axis=None, kind="stable")
    for u, v in zip(*np.unravel_index(pairs, both.shape), strict=True):
        if u < v and blocks[u] is not blocks[v] and len(blocks[u]) + len(blocks[v]) <= most_nodes:
            joined = sorted(blocks[u] + blocks[v])
            blocks |= dict.fromkeys(joined, joined)
    return sorted({block[0]: block for block in blocks.values()}.values())


def _has(parents: np.ndarray, node: int) -> np.ndarray:
    return (parents >> np.uint64(node)) & np.uint64(1) == 1
