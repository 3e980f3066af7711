"""Random directed acyclic graphs of bounded indegree, for counts of their linear extensions."""

import numpy as np

__all__ = ["random_graph"]


def random_graph(n_nodes: int, max_indegree: int, rng: np.random.Generator) -> np.ndarray:
    """Masks of the parents of each node, over all nodes; uint64, shape (n_nodes,).

    In a uniformly random order, every node takes a number of parents, uniformly from 0 to ``max_indegree`` or as many
    as there are nodes before it, and these parents uniformly among them.
    """
    order = rng.permutation(n_nodes)
    parents = np.zeros(n_nodes, dtype=np.uint64)
    for position, node in enumerate(order.tolist()):
        size = rng.integers(min(position, max_indegree), endpoint=True)
        chosen = rng.choice(order[:position], size, replace=False)
        parents[node] = sum(1 << int(u) for u in chosen)
    return parents
