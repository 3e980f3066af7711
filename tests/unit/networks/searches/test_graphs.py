"""Graphs are alike if and only if no data can tell them apart, and moves lead to all neighbours and nowhere else.

Sources of truth: all graphs on three and four nodes, and BDeu scores, which equivalent graphs share.
"""

from collections import defaultdict
from itertools import permutations

import numpy as np
import pytest
from reference.searches import arcs, every_graph, one_arc_apart
from reference.structures import bdeu

from ockham.networks.searches.graphs import Graph

ROWS = [tuple(row) for row in np.random.default_rng(1).integers(0, [2, 3, 2, 2], size=(30, 4)).tolist()]
SIZES = (2, 3, 2, 2)


def graph_of(parents, n_observed=None):
    return Graph(SIZES[: len(parents)], tuple(map(frozenset, parents)), n_observed or len(parents))


def partition(graphs, key):
    found = defaultdict(set)
    for parents in graphs:
        found[key(parents)].add(parents)
    return {frozenset(alike) for alike in found.values()}


@pytest.mark.parametrize(("n_nodes", "n_classes"), [(3, 11), (4, 185)])
def test_graphs_are_alike_where_their_scores_are(n_nodes, n_classes):
    graphs, known = every_graph(n_nodes), {}

    def score(parents):
        for v, of in enumerate(parents):
            if (v, of) not in known:
                known[v, of] = bdeu(ROWS, SIZES, v, of, 1.0)
        return round(sum(known[v, of] for v, of in enumerate(parents)), 7)

    found = partition(graphs, lambda parents: graph_of(parents).equivalence_class)
    assert len(found) == n_classes
    assert found == partition(graphs, score)


def test_names_of_hidden_variables_do_not_matter_but_their_numbers_of_values_do():
    def two(first, second, of=((3,), (3, 4), (4,), (), (3,))):
        return Graph((2, 2, 2, first, second), tuple(map(frozenset, of)), 3)

    renamed = ((4,), (4, 3), (3,), (4,), ())
    assert two(2, 3).equivalence_class == two(3, 2, renamed).equivalence_class
    assert two(2, 3).equivalence_class != two(3, 2).equivalence_class
    assert two(2, 2).equivalence_class != two(2, 2, ((3,), (4,), (4,), (), (3,))).equivalence_class


def test_changes_of_arcs_lead_to_every_neighbour_and_nowhere_else():
    graphs = every_graph(3)
    for parents in graphs:
        graph = graph_of(parents)
        for most in (1, 2):
            if max(map(len, parents)) > most:
                continue
            found = [graph.with_parents(changed).parents for changed in graph.arc_changes(most)]
            wanted = {other for other in graphs if one_arc_apart(parents, other) and max(map(len, other)) <= most}
            assert len(found) == len(set(found))
            assert set(found) == wanted


def test_reversals_round_a_path_are_left_out():
    graph = graph_of([(), (0,), (0, 1)])
    found = {graph.with_parents(changed).parents for changed in graph.arc_changes(2)}
    assert not any((2, 0) in arcs(parents) for parents in found)


def test_a_clique_and_a_chain_are_clusters_and_a_lone_pair_is_not():
    assert frozenset([0, 1, 2]) in graph_of([(), (0,), (0, 1), ()]).clusters()
    assert graph_of([(), (0,), (1,), ()]).clusters() == [frozenset([0, 1, 2])]
    assert graph_of([(), (0,), (), ()]).clusters() == []
    five = Graph((2,) * 5, tuple(frozenset(range(v)) for v in range(5)), 5)
    assert frozenset(range(5)) in five.clusters()


def test_a_new_hidden_variable_takes_the_place_of_arcs_among_its_children():
    graph = graph_of([(), (0,), (0, 1), (2,)])
    found = graph.with_hidden(3, frozenset([0, 1, 2]), 3)
    assert found.cardinalities == (*SIZES, 3)
    assert [sorted(of) for of in found.parents] == [[4], [4], [4], [2], []]
    assert found.with_children(4, frozenset([3]), 3).parents[3] == {4}
    outside = graph.with_hidden(2, frozenset([2, 3]), 2)
    assert [sorted(of) for of in outside.parents] == [[], [0], [0, 4], [4], []]
    assert found.without_hidden(4).parents == graph_of([(), (), (), (2,)]).parents


def test_hidden_variables_that_explain_nothing_are_taken_away():
    none_below = Graph((2, 2, 2, 2), tuple(map(frozenset, [(), (), (0, 1), (2,)])), 2)
    assert none_below.pruned == graph_of([(), ()]).with_cardinality(1, 2)
    one_child = Graph((2, 2, 2), tuple(map(frozenset, [(2,), (), ()])), 2)
    assert one_child.pruned.parents == (frozenset(), frozenset())
    used = Graph((2, 2, 2), tuple(map(frozenset, [(2,), (2,), ()])), 2)
    assert used.pruned == used


def test_ancestors_are_found_by_paths():
    for parents in every_graph(4)[::7]:
        matrix = np.zeros((4, 4), dtype=int)
        for p, v in arcs(parents):
            matrix[p, v] = 1
        reached = sum(np.linalg.matrix_power(matrix, k) for k in range(1, 4))
        assert graph_of(parents).ancestors == tuple(frozenset(np.flatnonzero(reached[:, v])) for v in range(4))


def test_renaming_hidden_variables_never_changes_the_class():
    graph = Graph((2, 2, 2, 2, 3, 2), tuple(map(frozenset, [(3, 4), (3,), (4, 5), (), (3,), (4,)])), 3)
    for image in permutations([3, 4, 5]):
        place = {0: 0, 1: 1, 2: 2} | dict(zip([3, 4, 5], image, strict=True))
        parents, sizes = [frozenset()] * 6, [0] * 6
        for v, of in enumerate(graph.parents):
            parents[place[v]] = frozenset(place[p] for p in of)
            sizes[place[v]] = graph.cardinalities[v]
        assert Graph(tuple(sizes), tuple(parents), 3).equivalence_class == graph.equivalence_class
