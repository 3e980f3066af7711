"""Node orders and directed acyclic graphs of bounded indegree: how many there are, the normalisers of two priors."""

from functools import lru_cache
from math import comb, log

__all__ = ["log_n_graphs", "log_n_ordered_graphs"]


def log_n_ordered_graphs(n_nodes: int, max_indegree: int) -> float:
    """ln of the number of pairs of a node order and a graph that it extends; nats.

    That of the order-modular prior p(A, L), uniform over such pairs: n! times, for every position, the number of parent
    sets among the nodes before it.
    """
    return sum(log((p + 1) * _n_sets(p, max_indegree)) for p in range(n_nodes))


def log_n_graphs(n_nodes: int, max_indegree: int) -> float:
    """ln of the number of directed acyclic graphs on n labelled nodes; nats.

    Exact, by inclusion and exclusion over the nodes without children. Without a limit on the indegree these are the
    recurrences of Robinson that section 3.4 of [NiinimakiKoivisto2013] names.
    """
    return log(_n_graphs(n_nodes, max_indegree))


@lru_cache
def _n_graphs(n: int, max_indegree: int) -> int:
    if n == 0:
        return 1
    return sum(
        (-1) ** (j + 1) * comb(n, j) * _n_sets(n - j, max_indegree) ** j * _n_graphs(n - j, max_indegree)
        for j in range(1, n + 1)
    )


def _n_sets(n: int, largest: int) -> int:
    return sum(comb(n, size) for size in range(largest + 1))
