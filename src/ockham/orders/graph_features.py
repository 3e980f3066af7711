"""What graphs say of pairs of nodes, and their classes of equivalence. Graphs are masks of the parents of each node."""

import numpy as np

__all__ = ["ancestors", "blankets", "cpdag", "neighbours", "topological_order"]


def ancestors(parents: np.ndarray) -> np.ndarray:
    """Masks of the nodes from which a directed path leads to each node; uint64, (..., n_nodes) as ``parents``."""
    found = np.array(parents, dtype=np.uint64)
    for v in range(found.shape[-1]):  # paths through the first nodes so far
        through = (found >> np.uint64(v)) & np.uint64(1)
        found |= through * found[..., v : v + 1]
    return found


def neighbours(parents: np.ndarray) -> np.ndarray:
    """Masks of each node's parents and children; uint64, (..., n_nodes)."""
    bits = np.uint64(1) << np.arange(parents.shape[-1], dtype=np.uint64)
    found = np.array(parents, dtype=np.uint64)
    for v, bit in enumerate(bits):
        found |= np.where(parents[..., v : v + 1] & bits != 0, bit, np.uint64(0))
    return found


def blankets(parents: np.ndarray) -> np.ndarray:
    """Masks of each node's Markov blanket: its parents, its children and their parents; uint64, (..., n_nodes)."""
    bits = np.uint64(1) << np.arange(parents.shape[-1], dtype=np.uint64)
    found = np.array(parents, dtype=np.uint64)
    for v, bit in enumerate(bits):
        family = parents[..., v : v + 1]
        found |= np.where(family & bits != 0, family | bit, np.uint64(0))
    return found & ~bits


def topological_order(parents: np.ndarray) -> list[int]:
    """Nodes of one graph, every one after its parents."""
    masks, placed = [int(mask) for mask in parents], 0
    order: list[int] = []
    while len(order) < len(masks):
        order += [v for v, mask in enumerate(masks) if not placed >> v & 1 and not mask & ~placed]
        placed = sum(1 << v for v in order)
    return order


def cpdag(parents: np.ndarray) -> np.ndarray:
    """The arcs that the graphs of a graph's Markov equivalence class have, bool, (n_nodes, n_nodes).

    In [u, v] where one of them has the arc from u to v, so in [v, u] too where they have it either way round.

    Notes
    -----
    Parents of one node that are not adjacent fix their arcs, and the first three rules of [Meek1995] say which others
    follow. The class has fixed arcs as this graph has them, so only its own arcs need to be looked at.
    """
    n = len(parents)
    arcs = (parents >> np.arange(n, dtype=np.uint64)[:, None]) & np.uint64(1) == 1
    apart = ~(arcs | arcs.T | np.eye(n, dtype=bool))
    fixed = np.zeros_like(arcs)

    def follows(u: int, v: int) -> bool:
        if (arcs[:, v] & apart[u]).any() or (fixed[:, u] & apart[v]).any() or (fixed[u] & fixed[:, v]).any():
            return True
        between = fixed[:, v] & ~(fixed[u] | fixed[:, u] | apart[u])
        return bool(apart[np.ix_(between, between)].any())

    left = [(int(u), int(v)) for u, v in np.argwhere(arcs)]
    while new := [arc for arc in left if follows(*arc)]:
        for u, v in new:
            fixed[u, v] = True
        left = [arc for arc in left if arc not in new]
    return arcs | (arcs & ~fixed).T
