"""The graph with the highest score, of all and of an order. Truth: enumeration of all graphs in plain Python."""

import tracemalloc
from itertools import permutations

import numpy as np
import pytest
from reference.graphs import Enumerated
from reference.orders import over_graphs, random_scores

from ockham.orders.data.structure_data import table_of_array
from ockham.orders.inference import best_graph
from ockham.orders.inference.family_scores import bdeu_scores
from ockham.orders.space import OrderSpace


@pytest.mark.parametrize(("n", "max_indegree", "spread"), [(1, 0, 1), (2, 1, 1), (4, 3, 2), (4, 1, 50), (5, 2, 3)])
@pytest.mark.parametrize("seed", range(4))
def test_no_graph_has_a_higher_score(n, max_indegree, spread, seed):
    scores = random_scores(seed, n, max_indegree, spread)
    known = over_graphs(scores)
    best = max(known, key=lambda graph: known[graph][0])
    assert tuple(best_graph.best_of_all(scores).tolist()) == best


@pytest.mark.parametrize("seed", range(4))
def test_forbidden_and_required_arcs_are_kept(seed):
    states = np.random.default_rng(seed).integers(0, 2, (40, 4))
    states[:, 3] = states[:, 0] ^ states[:, 1]  # the arcs between them are wanted, were they not forbidden
    space = OrderSpace(4, 2, forbidden=[(0, 3), (3, 0), (1, 3)], required=[(3, 2)])
    scores = bdeu_scores(table_of_array(states), space)
    found = best_graph.best_of_all(scores)
    graph, _ = Enumerated(scores, "graphs").best()
    assert best_graph.log_scores(scores, found[None])[0] == pytest.approx(
        best_graph.log_scores(scores, np.array([graph], dtype=np.uint64))[0], abs=1e-9
    )
    free = bdeu_scores(table_of_array(states), OrderSpace(4, 2))
    assert best_graph.log_scores(free, best_graph.best_of_all(free)[None]) > best_graph.log_scores(free, found[None])


def test_no_graph_of_an_order_has_a_higher_score():
    scores = random_scores(3, 4, 2, 3.0)
    known = over_graphs(scores)
    for order in permutations(range(4)):
        before = {v: sum(1 << u for u in order[: order.index(v)]) for v in order}
        extended = [graph for graph in known if all(graph[v] & ~before[v] == 0 for v in order)]
        best = max(extended, key=lambda graph: known[graph][0])
        assert tuple(best_graph.best_of_order(scores, list(order)).tolist()) == best


def test_scores_of_graphs_are_sums_over_families():
    scores = random_scores(3, 4, 2, 3.0)
    known = over_graphs(scores)
    found = best_graph.log_scores(scores, np.array([*known], dtype=np.uint64))
    np.testing.assert_allclose(found, [score for score, _ in known.values()], rtol=1e-13)


def test_linear_extensions_that_take_too_much_memory_are_unknown(monkeypatch):
    fence = [1 << v | 1 << (v + 1) % 6 for v in range(6)]
    graph = np.array([*6 * [0], *fence], dtype=np.uint64)
    assert np.isfinite(best_graph.log_extensions(graph))
    monkeypatch.setattr(best_graph, "EXTENSION_BYTES", 1)
    assert np.isnan(best_graph.log_extensions(graph))


def test_what_is_out_of_reach_is_predicted_to_cost_too_much():
    assert np.isinf(best_graph.predicted_cost(28, 3)).all()
    assert best_graph.predicted_cost(20, 3) < best_graph.predicted_cost(21, 3)


def test_the_memory_is_as_predicted():
    """Truth: what NumPy was given."""
    scores = random_scores(1, 16, 2)
    tracemalloc.start()
    best_graph.best_of_all(scores)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    predicted = best_graph.predicted_cost(16, 2)[1]
    assert predicted / 2 < peak < 1.1 * predicted
