"""Random directed acyclic graphs of bounded indegree, for counts of their linear extensions."""

from math import comb

import numpy as np

__all__ = ["random_graph"]


def random_graph(n_nodes: int, max_indegree: int, rng: np.random.Generator) -> np.ndarray:
    """Masks of the parents of each node, over all nodes; uint64, shape (n_nodes,).

    In a uniformly random order, every node's parents are drawn uniformly from the sets of at most ``max_indegree`` of
    the nodes before it: the order-modular prior of [NiinimakiKoivisto2013], section 2.1, without data.
    """
    order = rng.permutation(n_nodes)
    parents = np.zeros(n_nodes, dtype=np.uint64)
    for position, node in enumerate(order.tolist()):
        n_sets = [comb(position, size) for size in range(min(position, max_indegree) + 1)]
        size = rng.choice(len(n_sets), p=np.array(n_sets) / sum(n_sets))
        chosen = rng.choice(order[:position], size, replace=False)
        parents[node] = sum(1 << int(u) for u in chosen)
    return parents
