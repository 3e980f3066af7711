"""Random graphs are acyclic and as frequent as they should be. Truth: all orders and choices of parents."""

from collections import Counter
from itertools import permutations, product
from math import sqrt

import numpy as np
import pytest

from ockham.orders.data.random_graphs import random_graph


@pytest.mark.parametrize(("n", "k"), [(1, 0), (5, 2), (64, 6)])
def test_graphs_are_acyclic_with_few_parents(n, k):
    parents = random_graph(n, k, np.random.default_rng(n))
    placed = 0
    for _ in range(n):
        placed |= sum(1 << v for v in range(n) if int(parents[v]) & ~placed == 0)
    assert placed == (1 << n) - 1
    assert np.bitwise_count(parents).max() <= k


def frequencies_deviate(n_draws, draw, expected):
    """The largest deviation of a graph's frequency in standard errors."""
    counts = Counter(draw() for _ in range(n_draws))
    assert set(counts) <= set(expected)
    return max(abs(counts[g] - n_draws * p) / sqrt(n_draws * p * (1 - p)) for g, p in expected.items())


def test_every_graph_is_as_frequent_as_its_orders_make_it():
    n, k, rng = 3, 1, np.random.default_rng(5)
    expected = Counter()
    for order in permutations(range(n)):
        # the first node has no parent; of the second and third one in two has one, any of those before it
        for second, third in product([None, 0], [None, None, 0, 1]):
            parents = [0] * n
            for node, parent in ((order[1], second), (order[2], third)):
                parents[node] = 0 if parent is None else 1 << order[parent]
            expected[tuple(parents)] += 1 / 48
    assert sum(expected.values()) == pytest.approx(1.0)
    assert frequencies_deviate(4000, lambda: tuple(random_graph(n, k, rng).tolist()), expected) < 4
    uniform = dict.fromkeys(expected, 1 / len(expected))
    assert frequencies_deviate(4000, lambda: tuple(random_graph(n, k, rng).tolist()), uniform) > 4
