"""Parent sets as bit masks, in one order that all nodes of a directed graph share.

The parents of node v are among the other n - 1 nodes. Their masks number those 0 to n - 2, the nodes above v shifted
down by one, so that the same list of masks serves every node.
"""

from math import comb

import numpy as np

__all__ = ["MAX_NODES", "n_parent_sets", "over_all_nodes", "over_other_nodes", "parent_sets"]

MAX_NODES = 64
"""Nodes that a mask has bits for."""


def n_parent_sets(n_nodes: int, max_indegree: int) -> int:
    """Number of sets of at most ``max_indegree`` of the n - 1 other nodes."""
    return sum(comb(n_nodes - 1, size) for size in range(max_indegree + 1))


def parent_sets(n_nodes: int, max_indegree: int) -> np.ndarray:
    """Every set of at most ``max_indegree`` of n - 1 nodes, by size and then ascending; uint64, shape (n_sets,).

    Bit u of a mask is the node u of the other nodes (``over_all_nodes`` renumbers them). The empty set is the first.
    Among the sets of one size, the set of the nodes u_1 < u_2 < ... has position C(u_1, 1) + C(u_2, 2) + ...
    """
    size, sizes = np.zeros(1, dtype=np.uint64), []
    for largest in range(max_indegree + 1):
        sizes.append(size)
        grown = [size[: comb(node, largest)] | np.uint64(1 << node) for node in range(largest, n_nodes - 1)]
        size = np.concatenate([size[:0], *grown])
    return np.concatenate(sizes)


def over_all_nodes(node: int, masks: np.ndarray) -> np.ndarray:
    """Masks over all n nodes from masks over the nodes other than ``node``; uint64, the same shape."""
    masks = np.asarray(masks, dtype=np.uint64)
    below = np.uint64((1 << node) - 1)
    return (masks & below) | ((masks & ~below) << np.uint64(1))


def over_other_nodes(node: int | np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Masks over the nodes other than ``node`` from masks over all n nodes that do not have it; uint64."""
    masks = np.asarray(masks, dtype=np.uint64)
    below = (np.uint64(1) << np.asarray(node, dtype=np.uint64)) - np.uint64(1)
    return (masks & below) | ((masks >> np.uint64(1)) & ~below)
