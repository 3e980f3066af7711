"""Parent sets are all subsets up to a size, in the stated order. Truth: itertools.combinations, Python's integers."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from ockham.orders.parent_sets import MAX_NODES, n_parent_sets, over_all_nodes, over_other_nodes, parent_sets


def by_definition(n_nodes, max_indegree):
    return [
        mask
        for size in range(max_indegree + 1)
        for mask in sorted(sum(1 << node for node in chosen) for chosen in combinations(range(n_nodes - 1), size))
    ]


@pytest.mark.parametrize(("n_nodes", "max_indegree"), [(1, 0), (2, 1), (5, 0), (6, 3), (6, 5), (9, 4), (64, 2)])
def test_every_set_once_by_size_and_then_ascending(n_nodes, max_indegree):
    masks = parent_sets(n_nodes, max_indegree)
    assert masks.tolist() == by_definition(n_nodes, max_indegree)
    assert len(masks) == n_parent_sets(n_nodes, max_indegree)


def test_position_among_the_sets_of_one_size():
    masks = parent_sets(10, 4)
    start = n_parent_sets(10, 2)
    for chosen in combinations(range(9), 3):
        position = start + sum(comb(node, i) for i, node in enumerate(chosen, start=1))
        assert masks[position] == sum(1 << node for node in chosen)


@pytest.mark.parametrize("n_nodes", [1, 7, MAX_NODES])
def test_renumbering_skips_the_node_and_is_undone(n_nodes):
    masks = parent_sets(n_nodes, min(2, n_nodes - 1))
    for node in {0, n_nodes // 2, n_nodes - 1}:
        others = [u for u in range(n_nodes) if u != node]
        expected = [sum(1 << others[u] for u in range(n_nodes - 1) if mask >> u & 1) for mask in masks.tolist()]
        assert over_all_nodes(node, masks).tolist() == expected
        assert over_other_nodes(node, np.array(expected, dtype=np.uint64)).tolist() == masks.tolist()
