"""Numbers of linear extensions of directed acyclic graphs: the orders of the nodes in which parents come first.

Section 3.3 of [NiinimakiKoivisto2013] counts them by dynamic programming over all ideals of the partial order. Here the
sets that are left when nodes are taken away from the bottom are split into their components, so that only connected
ones are stored: never more than ideals, and, where nodes have few parents, fewer by orders of magnitude. The reverse of
a graph has as many linear extensions, and where nodes have few children its sets are the fewer; both are tried.
"""

from math import factorial

import numpy as np

from ockham.errors import ModelError
from ockham.kernels import linear_extensions as kernel
from ockham.orders.parent_sets import MAX_NODES

__all__ = ["MAX_BYTES", "count", "log_counts", "n_ideals"]

MAX_BYTES = 2**30
"""Memory that one count may take."""

WORD = 2**64
FEWEST_SETS, MORE = 1000, 8
"""Sets that are allowed at first, to a graph and then to its reverse, and how many times more every time after that."""


def count(parents: np.ndarray, max_bytes: int = MAX_BYTES) -> int:
    """The number of linear extensions of one graph.

    Parameters
    ----------
    parents : array_like of uint64, shape (n_nodes,)
        Masks of the parents of each node, over all nodes.
    max_bytes : int
        Memory that the count may take.

    Raises
    ------
    ModelError
        When the graph has a cycle, or the count would take more memory.
    """
    limbs = _counts(np.atleast_2d(np.asarray(parents, dtype=np.uint64)), max_bytes)[0]
    return sum(int(limb) * WORD**i for i, limb in enumerate(limbs))


def log_counts(parents: np.ndarray, max_bytes: int = MAX_BYTES) -> np.ndarray:
    """Logs of the exact numbers of linear extensions of many graphs, shape (n_graphs,).

    Parameters and errors are those of ``count``, but that ``parents`` has shape (n_graphs, n_nodes).
    """
    limbs = _counts(np.ascontiguousarray(parents, dtype=np.uint64), max_bytes)
    return np.log(limbs @ float(WORD) ** np.arange(limbs.shape[1]))


def n_ideals(parents: np.ndarray) -> int:
    """The number of ideals of one graph's partial order, the sets that have the parents of all their nodes.

    It predicts what ``count`` may need, for that stores no more sets. It may be found where the memory does not suffice
    for them, as a sum over two smaller orders for a node that is in the ideal or not.
    """
    below, above = _relatives([int(mask) for mask in parents])
    known: dict[int, int] = {}

    def of(nodes: int) -> int:
        if nodes not in known:
            known[nodes] = _product(nodes) if nodes & (nodes - 1) else nodes.bit_count() + 1
        return known[nodes]

    def _product(nodes: int) -> int:
        part = nodes & -nodes
        while (grown := _touched(part) & nodes | part) != part:
            part = grown
        if part != nodes:
            return of(part) * of(nodes ^ part)
        pivot = max(_members(nodes), key=lambda v: ((below[v] | above[v]) & nodes).bit_count())
        return of(nodes & ~(above[pivot] | 1 << pivot)) + of(nodes & ~(below[pivot] | 1 << pivot))

    def _touched(nodes: int) -> int:
        found = 0
        for v in _members(nodes):
            found |= below[v] | above[v]
        return found

    return of((1 << len(below)) - 1)


def _counts(parents: np.ndarray, max_bytes: int) -> np.ndarray:
    """The counts in words of 64 bits, least significant first; uint64, shape (n_graphs, n_limbs)."""
    n_graphs, n = parents.shape
    if not 1 <= n <= MAX_NODES:
        raise ModelError(f"{n} nodes: linear extensions are counted for 1 to {MAX_NODES}")
    n_limbs = -(-factorial(n).bit_length() // 64)
    limbs, n_sets = np.empty((n_graphs, n_limbs), dtype=np.uint64), np.empty(n_graphs, dtype=np.int64)
    bytes_per_set = 8 * (1 + n_limbs) * 6  # a table of which a quarter is full, and the one before it
    max_sets = max(1, max_bytes // bytes_per_set)
    allowed = min(FEWEST_SETS, max_sets)
    cyclic = kernel.count(parents, allowed, limbs, n_sets)
    if cyclic >= 0:
        raise ModelError(f"graph {cyclic} has a cycle, so it has no linear extension; remove an arc")
    _count_others(_reversed(parents), allowed, limbs, n_sets)
    while allowed < max_sets and (n_sets < 0).any():
        allowed = min(MORE * allowed, max_sets)
        for directed in (parents, _reversed(parents)):
            _count_others(directed, allowed, limbs, n_sets)
    if (n_sets < 0).any():
        graph = int(np.argmax(n_sets < 0))
        ideals = n_ideals(parents[graph])
        raise ModelError(
            f"graph {graph}: counting its linear extensions needs more than {max_bytes / 2**20:.0f} MB for {max_sets} "
            f"sets; its order has {ideals:.3g} ideals, so {ideals * bytes_per_set / 2**20:.3g} MB would do: allow more "
            "memory, or take graphs with more arcs"
        )
    return limbs


def _count_others(directed: np.ndarray, allowed: int, limbs: np.ndarray, n_sets: np.ndarray) -> None:
    """Count those that were not counted with fewer sets, or in the other direction."""
    others = n_sets < 0
    found, sets = limbs[others], n_sets[others]
    kernel.count(directed[others], allowed, found, sets)
    limbs[others], n_sets[others] = found, sets


def _reversed(parents: np.ndarray) -> np.ndarray:
    """Masks of the children of each node, from those of the parents, (n_graphs, n_nodes)."""
    bits = np.uint64(1) << np.arange(parents.shape[1], dtype=np.uint64)
    return np.where(parents[:, None, :] & bits[:, None], bits, np.uint64(0)).sum(axis=2, dtype=np.uint64)


def _relatives(parents: list[int]) -> tuple[list[int], list[int]]:
    """Masks of ancestors and of descendants, of a graph without cycles."""
    below = list(parents)
    for _ in parents:
        for v, mask in enumerate(below):
            for u in _members(mask):
                below[v] |= below[u]
    above = [sum(1 << w for w, mask in enumerate(below) if mask >> v & 1) for v in range(len(below))]
    return below, above


def _members(mask: int) -> list[int]:
    return [v for v in range(mask.bit_length()) if mask >> v & 1]
