"""Random graphs are draws of the order-modular prior. Truth: all pairs of an order and a graph that it extends."""

from collections import Counter
from math import exp, sqrt

import numpy as np
import pytest
from reference.orders import extensions

from ockham.datasets.random_graphs import random_graph
from ockham.models.node_order import log_n_ordered_graphs


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


def test_a_graph_is_as_frequent_as_it_has_linear_extensions():
    n, k, rng = 3, 1, np.random.default_rng(5)
    graphs = [(a, b, c) for a in (0, 2, 4) for b in (0, 1, 4) for c in (0, 1, 2)]
    pairs = exp(log_n_ordered_graphs(n, k))
    expected = {g: extensions(g) / pairs for g in graphs if extensions(g)}
    assert sum(expected.values()) == pytest.approx(1.0)
    assert frequencies_deviate(4000, lambda: tuple(random_graph(n, k, rng).tolist()), expected) < 4
    uniform = dict.fromkeys(expected, 1 / len(expected))
    assert frequencies_deviate(4000, lambda: tuple(random_graph(n, k, rng).tolist()), uniform) > 4
