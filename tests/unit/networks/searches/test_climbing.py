"""A climb goes up only, comes to the known structure of an easy table, and finds no cause where there is none.

Sources of truth: the scores on the way, the structures that tables were drawn from, and a search over all graphs.
"""

from itertools import pairwise

import pytest
from reference.searches import every_graph

import ockham
from ockham.networks.classes.priors import Prior
from ockham.networks.searches import climbing
from ockham.networks.searches.climbing import LEAST_GAIN, Limits, best_arcs, climb, hidden_moves, settle
from ockham.networks.searches.fits import SCORES, Fitter
from ockham.networks.searches.graphs import Graph
from ockham.streams import Stream


def fitter_of(table, score="cheeseman_stutz"):
    return Fitter(table, Prior(1.0), score, Stream(1))


def ignored(fitted):
    pass


@pytest.mark.parametrize("score", SCORES)
def test_every_step_raises_the_score(score, of_class, limits):
    visited = []
    start = fitter_of(of_class, score).anew(Graph.without_arcs(of_class.cardinalities))
    end = settle(start, limits, visited.append)
    assert len(visited) > 1
    assert all(after.score > before.score + LEAST_GAIN for before, after in pairwise(visited))
    assert end is visited[-1]


def test_a_hidden_move_is_taken_only_if_it_raises_the_score(of_class, limits, monkeypatch):
    """Also with settled moves that are worse, which a climb must leave."""
    start = fitter_of(of_class).anew(Graph.without_arcs(of_class.cardinalities))
    settled = settle(start, limits, ignored)
    with monkeypatch.context() as patch:
        patch.setattr(climbing, "_settled_moves", lambda *_: iter([start]))
        assert climb(start, limits, ignored).score == settled.score
    assert climb(start, limits, ignored).score > settled.score


def test_arcs_end_at_the_best_of_all_graphs_where_that_is_near(of_chain):
    """Complete data of three items, whose 25 graphs are all scored."""
    states = of_chain.states[:, :3].copy()
    table = ockham.CategoricalTable(of_chain.names[:3], of_chain.categories[:3], states)
    fitter = fitter_of(table)
    start = fitter.anew(Graph.without_arcs(table.cardinalities))
    scores = {parents: fitter.anew(start.graph.with_parents(dict(enumerate(parents)))).score
              for parents in every_graph(3)}  # fmt: skip
    found = best_arcs(start.graph, start.completed(), fitter.prior, 2)
    assert fitter.anew(found).score >= max(scores.values()) - LEAST_GAIN


def test_limits_are_kept(of_class):
    limits = Limits(max_indegree=1, max_hidden=1, max_values=2)
    visited = []
    climb(fitter_of(of_class).anew(Graph.without_arcs(of_class.cardinalities)), limits, visited.append)
    assert {len(fitted.graph.hidden) for fitted in visited} == {0, 1}
    assert max(len(of) for fitted in visited for of in fitted.graph.parents) == 1
    assert {fitted.graph.cardinalities[v] for fitted in visited for v in fitted.graph.hidden} == {2}


def test_hidden_moves_are_one_variable_one_value_or_one_child_away():
    graph = Graph((2, 2, 2, 2, 2, 3), tuple(map(frozenset, [(5,), (5, 0), (5,), (), (3,), ()])), 5)
    found = list(hidden_moves(graph, Limits(3, 2, 4)))
    assert graph.without_hidden(5) in found
    assert {g.cardinalities[5] for g in found if len(g.hidden) == 1} == {2, 3, 4}
    assert graph.with_cardinality(5, 4).with_parents({1: frozenset([5])}) in found
    more = {frozenset(v for v, of in enumerate(g.parents) if 5 in of) for g in found if g.cardinalities[5:] == (3,)}
    assert more == {frozenset({0, 1, 2, v}) for v in (3, 4)}
    assert {g.cardinalities[6] for g in found if len(g.hidden) == 2} == {2, 3}
    assert not any(len(g.hidden) == 2 for g in hidden_moves(graph, Limits(3, 1, 4)))


def test_the_structure_of_an_easy_table_is_found(of_class, limits):
    start = fitter_of(of_class).anew(Graph.without_arcs(of_class.cardinalities))
    truth = start.graph.with_hidden(3, frozenset(range(6)), 3).with_parents({6: frozenset([0])})
    assert climb(start, limits, ignored).graph.equivalence_class == truth.equivalence_class


def test_a_graph_that_is_too_large_is_left_out(of_class, limits, monkeypatch):
    fitter = fitter_of(of_class)
    start, anew = fitter.anew(Graph.without_arcs(of_class.cardinalities)), fitter.anew

    def refusing(graph):
        if graph.hidden:
            raise ockham.ModelError("too large")
        return anew(graph)

    monkeypatch.setattr(fitter, "anew", refusing)
    assert not climb(start, limits, ignored).graph.hidden
