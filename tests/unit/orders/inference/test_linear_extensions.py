"""Linear extensions are counted exactly. Truth: all permutations up to 8 nodes, and closed forms beyond."""

from itertools import product
from math import comb, factorial, log, prod

import numpy as np
import pytest
from reference.structures import linear_extensions as by_trial
from reference.structures import masks_of, subsets

from ockham.errors import ModelError
from ockham.orders.inference import linear_extensions
from ockham.orders.inference.linear_extensions import count, log_counts, n_ideals


def graphs(n, n_graphs, seed):
    """Random DAGs whose nodes are not in topological order, sparse and dense."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n_graphs):
        order, density = rng.permutation(n), rng.random()
        parents = [frozenset()] * n
        for position, node in enumerate(order):
            parents[node] = frozenset(int(u) for u in order[:position] if rng.random() < density)
        found.append(tuple(parents))
    return found


def chain(n):
    return [frozenset()] + [frozenset({v - 1}) for v in range(1, n)]


def fence(n):
    """0 < 1 > 2 < 3 > ..."""
    return [frozenset(u for u in (v - 1, v + 1) if u < n) if v % 2 else frozenset() for v in range(n)]


def euler(n):
    """Alternating permutations of n elements, by the triangle of Seidel, Entringer and Arnold."""
    row = [1]
    for _ in range(n):
        grown = [0]
        for value in reversed(row):
            grown.append(grown[-1] + value)
        row = grown
    return row[-1]


@pytest.mark.parametrize("n", range(1, 8))
def test_equals_the_permutations_that_are_extensions(n):
    for graph in graphs(n, 12, seed=n):
        assert count(masks_of(graph)) == by_trial(graph)


def test_equals_the_permutations_on_eight_nodes():
    for graph in graphs(8, 3, seed=8):
        assert count(masks_of(graph)) == by_trial(graph)


@pytest.mark.parametrize("n", [1, 2, 20, 21, 34, 35, 57, 58, 64])
def test_antichain_and_chain(n):
    assert count(masks_of([frozenset()] * n)) == factorial(n)
    assert count(masks_of(chain(n))) == 1


def test_disjoint_chains():
    lengths, parents = (20, 17, 12, 9, 1), []
    for length in lengths:
        parents += [frozenset(u + len(parents) for u in family) for family in chain(length)]
    expected = factorial(sum(lengths))
    for length in lengths:
        expected //= factorial(length)
    assert count(masks_of(parents)) == expected > 2**63


@pytest.mark.parametrize("n", [2, 3, 7, 16, 30, 64])
def test_fence(n):
    assert count(masks_of(fence(n))) == euler(n)


@pytest.mark.parametrize("depth", [3, 5])
def test_tree_by_the_hook_formula(depth):
    n = 2**depth - 1
    sizes = [2 ** (depth - int(v + 1).bit_length() + 1) - 1 for v in range(n)]
    expected = factorial(n)
    for size in sizes:
        expected //= size
    tree = [frozenset({(v - 1) // 2}) if v else frozenset() for v in range(n)]
    assert count(masks_of(tree)) == expected
    upside_down = [frozenset(u for u in (2 * v + 1, 2 * v + 2) if u < n) for v in range(n)]
    assert count(masks_of(upside_down)) == expected


def test_grid_by_the_hook_formula_of_young_tableaux():
    rows, columns = 5, 12
    cells = list(product(range(rows), range(columns)))
    hooks = [rows - r + columns - c - 1 for r, c in cells]
    grid = [frozenset(cells.index(x) for x in ((r - 1, c), (r, c - 1)) if min(x) >= 0) for r, c in cells]
    assert count(masks_of(grid)) == factorial(rows * columns) // prod(hooks)


def test_redundant_arcs_change_nothing():
    closed = [frozenset(range(v)) for v in range(9)]
    assert count(masks_of(closed)) == count(masks_of(chain(9))) == 1
    diamond = [frozenset(), frozenset({0}), frozenset({0}), frozenset({1, 2})]
    assert count(masks_of(diamond)) == count(masks_of([*diamond[:3], frozenset({0, 1, 2})])) == 2


def test_logs_of_many_graphs_are_those_of_the_counts():
    found = graphs(40, 30, seed=3)
    masks = np.array([masks_of(graph) for graph in found])
    np.testing.assert_allclose(log_counts(masks), [log(count(mask)) for mask in masks], rtol=1e-14, atol=1e-14)


def test_a_graph_counts_the_same_alone_and_after_others():
    masks = np.array([masks_of(graph) for graph in graphs(30, 20, seed=4)])
    assert log_counts(masks).tobytes() == np.concatenate([log_counts(mask[None]) for mask in masks]).tobytes()


@pytest.mark.parametrize("n", [1, 4, 7])
def test_ideals_are_the_sets_closed_under_parents(n):
    for graph in graphs(n, 10, seed=20 + n):
        closed = [s for s in subsets(range(n)) if all(graph[v] <= s for v in s)]
        assert n_ideals(masks_of(graph)) == len(closed)


def test_ideals_of_closed_forms():
    assert n_ideals(masks_of([frozenset()] * 60)) == 2**60
    assert n_ideals(masks_of(chain(64))) == 65
    grid = [frozenset(u for u in (v - 1 if v % 6 else -1, v - 6) if u >= 0) for v in range(36)]
    assert n_ideals(masks_of(grid)) == comb(12, 6)


def test_a_cycle_is_refused():
    acyclic, cyclic = masks_of(chain(3)), masks_of([{2}, {0}, {1}])
    with pytest.raises(ModelError, match="graph 1 has a cycle"):
        log_counts(np.array([acyclic, cyclic]))
    with pytest.raises(ModelError, match="graph 0 has a cycle"):
        count(masks_of([{0}, set()]))


def test_too_many_nodes_are_refused():
    with pytest.raises(ModelError, match="65 nodes: linear extensions are counted for 1 to 64"):
        count(np.zeros(65, dtype=np.uint64))


def test_a_count_that_would_take_too_much_memory_is_refused_with_a_prediction():
    masks = masks_of(
        [frozenset(u for u in range(max(0, v - 9), v) if (u + v) % 3 == 0 or v == u + 7) for v in range(64)]
    )
    needed = n_ideals(masks)
    assert count(masks) > 0
    with pytest.raises(ModelError, match=rf"graph 0: .* more than 0 MB for 3 sets; its order has {needed:.3g} ideals"):
        count(masks, max_bytes=1000)


def test_a_graph_is_counted_in_its_cheaper_direction():
    """A tree whose leaves come first has as many extensions as its reverse, but far more connected up-sets."""
    n = 63
    leaves_first = masks_of([frozenset(u for u in (2 * v + 1, 2 * v + 2) if u < n) for v in range(n)])
    tree = masks_of([frozenset({(v - 1) // 2}) if v else frozenset() for v in range(n)])
    few = 1_000_000  # bytes; counted from the bottom it would take more than 100 times as much
    assert (
        count(leaves_first, max_bytes=few)
        == count(tree, max_bytes=few)
        == factorial(n) // prod(2 ** (n.bit_length() - (v + 1).bit_length() + 1) - 1 for v in range(n))
    )


def test_the_memory_that_a_count_is_allowed_does_not_change_it(monkeypatch):
    """From the first few sets on, and in both directions, to as many as it takes."""
    masks = np.array([masks_of(graph) for graph in graphs(30, 20, seed=5)])
    found = log_counts(masks)
    monkeypatch.setattr(linear_extensions, "FEWEST_SETS", 1)
    monkeypatch.setattr(linear_extensions, "MORE", 2)
    assert log_counts(masks).tobytes() == found.tobytes()
