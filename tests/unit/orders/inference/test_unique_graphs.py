"""The heuristic of unique graphs, on spaces that are listed.

Sources of truth: sums over graphs by enumeration and by dynamic programming, and the paper's two examples.
"""

from math import factorial

import numpy as np
import pytest
from reference.orders import over_graphs, over_orders, random_scores

from ockham.errors import ModelError
from ockham.orders.estimates import arcs_of
from ockham.orders.inference.exact_structures import exact_graphs, exact_orders
from ockham.orders.inference.unique_graphs import draw_unique, list_space, union_weights


@pytest.mark.parametrize(("n", "max_indegree"), [(1, 0), (3, 2), (4, 1), (4, 3)])
def test_all_graphs_and_orders_are_listed(n, max_indegree):
    scores = random_scores(1, n, max_indegree)
    space, truth = list_space(scores), over_graphs(scores)
    rows = [tuple(int(mask) for mask in row) for row in space.parents]
    assert len(set(rows)) == len(rows) == len(truth)
    np.testing.assert_allclose(space.log_scores, [truth[row][0] for row in rows])
    np.testing.assert_array_equal(space.n_extensions, [truth[row][1] for row in rows])
    assert len(space.of_order) == factorial(n)
    totals = np.logaddexp.reduce(space.log_scores[space.of_order], axis=1)
    np.testing.assert_allclose(totals, list(over_orders(scores).values()))


def test_large_spaces_are_refused():
    with pytest.raises(ModelError, match="6 nodes: all graphs are listed for up to 5"):
        list_space(random_scores(1, 6, 1))


@pytest.fixture(scope="module")
def scores():
    return random_scores(3, 4, 3, 1.0)


@pytest.fixture(scope="module")
def space(scores):
    return list_space(scores)


def estimate(space, orders):
    """Every arc, by the heuristic with epsilon = 0."""
    return np.tensordot(union_weights(space.log_scores, list(space.of_order[orders])), arcs_of(space.parents), 1)


def test_one_order_keeps_all_of_the_bias(scores, space):
    """Its expectation over the posterior of orders is the biased posterior, not the one to be estimated."""
    weights = np.exp(np.logaddexp.reduce(space.log_scores[space.of_order], axis=1))
    weights /= weights.sum()
    expected = sum(weight * estimate(space, [i]) for i, weight in enumerate(weights))
    np.testing.assert_allclose(expected, exact_orders(scores).arcs, atol=1e-12)
    assert np.abs(expected - exact_graphs(scores).arcs).max() > 0.01


def test_all_orders_correct_it(scores, space):
    found = estimate(space, range(len(space.of_order)))
    np.testing.assert_allclose(found, exact_graphs(scores).arcs, atol=1e-12)
    assert np.abs(found - exact_orders(scores).arcs).max() > 0.01


def test_weights_are_those_of_different_graphs():
    logs = np.log([1.0, 2.0, 3.0, 4.0])
    once = union_weights(logs, [np.array([0, 1]), np.array([1, 3])])
    np.testing.assert_allclose(once, [1 / 7, 2 / 7, 0, 4 / 7])
    np.testing.assert_array_equal(union_weights(logs, [np.array([0, 1, 1, 3, 3])]), once)


def test_graphs_are_drawn_until_little_is_left_out():
    rng = np.random.default_rng(1)
    logs = rng.normal(0, 2, 50)
    probabilities = np.exp(logs) / np.exp(logs).sum()
    for left_out in (0.0, 0.1, 0.5):
        for _ in range(20):
            drawn = draw_unique(logs, left_out, rng)
            assert len(set(drawn.tolist())) == len(drawn)
            covered = probabilities[drawn].sum()
            assert covered >= 1 - left_out - 1e-12
            assert probabilities[drawn[:-1]].sum() < 1 - left_out + 1e-12
    assert len(draw_unique(logs, 0.0, rng)) == 50


def test_the_first_graph_is_a_draw_of_the_posterior():
    rng, probabilities, n = np.random.default_rng(2), np.array([0.6, 0.3, 0.1]), 20_000
    first = np.array([draw_unique(np.log(probabilities), 0.99, rng)[0] for _ in range(n)])
    counts = np.bincount(first, minlength=3)
    z = (counts - n * probabilities) / np.sqrt(n * probabilities * (1 - probabilities))
    assert np.abs(z).max() < 4
    uniform = (counts - n / 3) / np.sqrt(n * 2 / 9)
    assert np.abs(uniform).max() > 4
