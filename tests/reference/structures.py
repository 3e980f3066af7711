"""Slow twins of what is computed over structures: sets are Python's sets, numbers are Python's."""

from itertools import combinations, permutations, product
from math import lgamma, prod

import numpy as np


def subsets(items, at_most=None):
    """Every subset, by size, of at most so many items."""
    items = list(items)
    sizes = range((len(items) if at_most is None else min(at_most, len(items))) + 1)
    return [frozenset(chosen) for size in sizes for chosen in combinations(items, size)]


def bdeu(states, cardinalities, node, parents, sample_size):
    """The BDeu score of one family by its definition, configuration by configuration."""
    parents = sorted(parents)
    q, r = prod(cardinalities[p] for p in parents), cardinalities[node]
    score = 0.0
    for configuration in product(*(range(cardinalities[p]) for p in parents)):
        rows = [row for row in states if tuple(row[p] for p in parents) == configuration]
        score += lgamma(sample_size / q) - lgamma(sample_size / q + len(rows))
        for value in range(r):
            count = sum(row[node] == value for row in rows)
            score += lgamma(sample_size / (q * r) + count) - lgamma(sample_size / (q * r))
    return score


def linear_extensions(parents):
    """The number of orders in which every node comes after its parents, by trying all."""
    return sum(
        all(parents[node] <= set(order[:position]) for position, node in enumerate(order))
        for order in permutations(range(len(parents)))
    )


def masks_of(parents):
    """A DAG's parent sets as masks over all nodes; uint64, shape (n_nodes,)."""
    return np.array([sum(1 << p for p in family) for family in parents], dtype=np.uint64)
