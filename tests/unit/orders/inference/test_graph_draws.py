"""Graphs are drawn from their exact posterior. Truth: enumeration of all graphs, and the exact sums of arcs."""

import tracemalloc

import numpy as np
import pytest
from reference.graphs import Enumerated
from reference.orders import random_scores

from ockham.orders.data.structure_data import table_of_array
from ockham.orders.estimates import arcs_of
from ockham.orders.inference import graph_draws
from ockham.orders.inference.exact_structures import exact_graphs, exact_orders
from ockham.orders.inference.family_scores import bdeu_scores
from ockham.orders.space import OrderSpace

EXACT = {"graphs": exact_graphs, "orders": exact_orders}
N_DRAWS = 8000


def constrained():
    """Scores of data with forbidden and required arcs."""
    states = np.random.default_rng(2).integers(0, 2, (25, 4))
    return bdeu_scores(table_of_array(states), OrderSpace(4, 2, forbidden=[(0, 3)], required=[(2, 1), (1, 3)]))


SCORES = {
    "one node": random_scores(1, 1, 0),
    "alike": random_scores(1, 4, 3, 0.01),
    "apart": random_scores(3, 4, 3, 2.0),
    "few parents": random_scores(3, 5, 1, 3.0),
    "far apart": random_scores(2, 4, 2, 300.0),
    "constrained": constrained(),
}


def deviations(drawn, truth):
    """Standard deviations of the number of draws of each graph from what it should be; the rare ones are together."""
    place = {graph: i for i, graph in enumerate(truth.graphs)}
    found = np.bincount([place[tuple(graph)] for graph in drawn.tolist()], minlength=len(place))
    expected = len(drawn) * truth.probabilities
    rare = expected < 8
    found = np.append(found[~rare], found[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    chi_square = ((found - expected) ** 2 / np.maximum(expected, 1e-9)).sum()
    n = len(expected) - 1
    return (chi_square - n) / np.sqrt(2 * max(n, 1))


def draws(kind, scores, n_draws=N_DRAWS, seed=1):
    return graph_draws.draw(kind, scores, EXACT[kind](scores), n_draws, np.random.default_rng(seed))


@pytest.mark.parametrize("kind", EXACT)
@pytest.mark.parametrize("case", SCORES)
def test_every_graph_is_drawn_as_often_as_it_is_probable(kind, case):
    assert abs(deviations(draws(kind, SCORES[case]), Enumerated(SCORES[case], kind))) < 4


def test_draws_under_one_prior_are_not_those_under_the_other():
    for kind, other in (("graphs", "orders"), ("orders", "graphs")):
        assert deviations(draws(kind, SCORES["alike"]), Enumerated(SCORES["alike"], other)) > 20


def test_layers_whose_nodes_need_no_parent_in_the_last_one_are_wrong(monkeypatch):
    """Then a graph comes in several ways, as it does by orders."""
    right = graph_draws._Layers.__init__

    def forgetful(self, families, exact, before, placed):
        right(self, families, exact, 0, placed)

    monkeypatch.setattr(graph_draws._Layers, "__init__", forgetful)
    assert deviations(draws("graphs", SCORES["alike"]), Enumerated(SCORES["alike"], "graphs")) > 20


def test_layers_without_inclusion_and_exclusion_are_wrong(monkeypatch):
    monkeypatch.setattr(graph_draws, "_without_supersets", lambda weights: weights)
    assert deviations(draws("graphs", SCORES["alike"]), Enumerated(SCORES["alike"], "graphs")) > 20


@pytest.mark.parametrize("kind", EXACT)
@pytest.mark.parametrize("spread", [0.2, 8.0])
def test_arcs_of_more_nodes_are_those_of_the_exact_sums(kind, spread):
    scores = random_scores(4, 11, 3, spread)
    exact = EXACT[kind](scores)
    found = arcs_of(graph_draws.draw(kind, scores, exact, 2000, np.random.default_rng(1))).mean(axis=0)
    errors = np.sqrt(np.maximum(exact.arcs * (1 - exact.arcs), 1e-3) / 2000)
    assert (np.abs(found - exact.arcs) < 4.5 * errors).all()  # of 110 arcs


@pytest.mark.parametrize("kind", EXACT)
def test_the_seed_decides(kind):
    first, again, other = (draws(kind, SCORES["apart"], 50, seed) for seed in (1, 1, 2))
    assert first.tolist() == again.tolist() != other.tolist()


def test_costs_are_predicted_to_grow():
    for kind in EXACT:
        costs = [graph_draws.predicted_cost(kind, n, 3, n_draws) for n, n_draws in ((8, 30), (8, 1000), (20, 1000))]
        assert costs[0][0] < costs[1][0] < costs[2][0]
        assert costs[0][1] < costs[1][1] < costs[2][1]


@pytest.mark.parametrize("kind", EXACT)
def test_the_memory_is_as_predicted(kind):
    """Truth: what NumPy was given."""
    scores = random_scores(1, 16, 2)
    exact = EXACT[kind](scores)
    tracemalloc.start()
    graph_draws.draw(kind, scores, exact, 50, np.random.default_rng(1))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    predicted = graph_draws.predicted_cost(kind, 16, 2, 50)[1]
    assert predicted / 2 < peak < 1.1 * predicted
