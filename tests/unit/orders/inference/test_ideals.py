"""Linear extensions counted in a table of all ideals.

Sources of truth: all permutations up to 7 nodes, closed forms, and the other algorithm beyond.
"""

from math import factorial

import numpy as np
import pytest
from reference.structures import linear_extensions as by_trial
from reference.structures import masks_of

from ockham.errors import ModelError
from ockham.kernels import ideals as kernel
from ockham.orders.data.random_graphs import random_graph
from ockham.orders.inference.ideals import count_in_table, table_bytes
from ockham.orders.inference.linear_extensions import count, n_ideals


def in_table(masks):
    return count_in_table(masks, n_ideals(masks), 1e9)


def drawn(n, max_indegree, seed):
    """A graph whose nodes are not in topological order."""
    return random_graph(n, max_indegree, np.random.default_rng([n, max_indegree, seed]))


@pytest.mark.parametrize("n", range(1, 8))
def test_equals_the_permutations_that_are_extensions(n):
    for seed in range(8):
        masks = drawn(n, 3, seed)
        assert in_table(masks) == by_trial([{u for u in range(n) if int(mask) >> u & 1} for mask in masks])


@pytest.mark.parametrize(("n", "max_indegree"), [(12, 0), (16, 3), (25, 3), (26, 6), (40, 6), (64, 30)])
def test_equals_the_other_algorithm(n, max_indegree):
    for seed in range(3):
        masks = drawn(n, max_indegree, seed)
        if n_ideals(masks) < 1e6:
            assert in_table(masks) == count(masks)


def test_a_wrong_graph_has_another_count():
    """The control: one arc less, and the counts differ."""
    masks = drawn(20, 3, 1)
    fewer = masks.copy()
    fewer[int(np.argmax(masks))] = 0
    assert in_table(fewer) != in_table(masks)


def test_counts_of_several_words():
    assert in_table(masks_of([frozenset()] * 14)) == factorial(14)
    chains = masks_of([frozenset({v - 1}) if v % 16 else frozenset() for v in range(64)])
    assert in_table(chains) == factorial(64) // factorial(16) ** 4 > 2**64
    assert in_table(masks_of([frozenset({v - 1} if v else ()) for v in range(64)])) == 1


def test_redundant_arcs_change_nothing():
    assert in_table(masks_of([frozenset(range(v)) for v in range(9)])) == 1


def test_what_cannot_be_counted_is_refused():
    with pytest.raises(ModelError, match="has a cycle"):
        count_in_table(masks_of([{1}, {0}]), 4, 1e9)
    with pytest.raises(ModelError, match="65 nodes"):
        count_in_table(np.zeros(65, dtype=np.uint64), 4, 1e9)
    empty = np.zeros(10, dtype=np.uint64)
    assert count_in_table(empty, 2**10, table_bytes(10, 2**10)) == factorial(10)
    with pytest.raises(ModelError, match=r"a table of 1.02e\+03 ideals takes 2.46e-05 GB, 2e-05 GB are allowed"):
        count_in_table(empty, 2**10, 2e4)
    for wrong in (2**10 - 1, 2**10 + 1, 100):
        with pytest.raises(ModelError, match="the order has another number of ideals"):
            count_in_table(empty, wrong, 1e9)


ARRAYS = {
    "ancestors": np.array([0, 1, 1], dtype=np.uint64),
    "table": np.zeros((8, 2), dtype=np.uint64),
    "counts": np.zeros(1, dtype=np.uint64),
}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("ancestors", np.zeros(65, dtype=np.uint64), "do not fit"),
        ("ancestors", np.array([0, 2, 1], dtype=np.uint64), "lower numbers"),
        ("ancestors", np.array([0, 1, 2], dtype=np.uint64), "lower numbers"),  # without the parent's parent
        ("table", np.zeros((8, 3), dtype=np.uint64), "do not fit"),
        ("table", np.zeros((0, 2), dtype=np.uint64), "do not fit"),
        ("counts", np.zeros(6, dtype=np.uint64), "do not fit"),
    ],
)
def test_the_kernel_refuses_arrays_that_do_not_fit(name, value, message):
    given = {key: array.copy() for key, array in ARRAYS.items()}
    assert kernel.count(*given.values()) == 5 - 1
    assert given["counts"] == 2
    with pytest.raises(ValueError, match=message):
        kernel.count(*(ARRAYS | {name: value}).values())


def test_a_table_that_is_full_is_said():
    given = ARRAYS | {"table": np.zeros((3, 2), dtype=np.uint64)}
    assert kernel.count(*given.values()) == -1
