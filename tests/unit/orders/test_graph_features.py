"""Ancestors, Markov blankets and equivalence classes of graphs.

Sources of truth: plain matrices; the classes of graphs that have one skeleton and one set of v-structures, by
enumeration of all graphs of four nodes; and the BDeu scores of random data, which are the same within classes alone.
"""

import numpy as np
import pytest
from reference.graphs import equivalence, markov_blankets, paths
from reference.orders import arcs_of, over_graphs, random_scores

from ockham.orders.data.structure_data import table_of_array
from ockham.orders.graph_features import ancestors, blankets, cpdag, neighbours, topological_order
from ockham.orders.inference.best_graph import log_scores
from ockham.orders.inference.family_scores import bdeu_scores
from ockham.orders.space import OrderSpace

GRAPHS = np.array([*over_graphs(random_scores(1, 4, 3))], dtype=np.uint64)
ARCS = np.array([arcs_of(graph) for graph in GRAPHS.tolist()])


def test_there_are_543_graphs():
    assert len(GRAPHS) == 543


def test_ancestors_are_where_paths_lead_from():
    found = [arcs_of(graph) for graph in ancestors(GRAPHS).tolist()]
    np.testing.assert_array_equal(found, [paths(arcs) for arcs in ARCS])


def test_neighbours_are_parents_and_children():
    found = [arcs_of(graph) for graph in neighbours(GRAPHS).tolist()]
    np.testing.assert_array_equal(found, [arcs + arcs.T for arcs in ARCS])


def test_blankets_are_parents_children_and_their_parents():
    found = [arcs_of(graph) for graph in blankets(GRAPHS).tolist()]
    np.testing.assert_array_equal(found, [markov_blankets(arcs) for arcs in ARCS])


def test_shapes_are_kept():
    several = GRAPHS[:540].reshape(9, 60, 4)
    for related in (ancestors, blankets, neighbours):
        np.testing.assert_array_equal(related(several).reshape(540, 4), related(GRAPHS[:540]))


def test_the_last_node_of_64_has_a_bit():
    chain = np.array([0, *(1 << v for v in range(63))], dtype=np.uint64)
    assert [mask.bit_count() for mask in ancestors(chain).tolist()] == list(range(64))
    assert blankets(chain)[62] == 1 << 61 | 1 << 63
    assert topological_order(chain[::-1] * 0 + chain) == list(range(64))


def test_orders_have_parents_first():
    for graph in GRAPHS:
        order = topological_order(graph)
        assert sorted(order) == [0, 1, 2, 3]
        for place, v in enumerate(order):
            assert int(graph[v]) & ~sum(1 << u for u in order[:place]) == 0


def test_the_cpdag_has_the_arcs_of_all_graphs_of_the_class():
    classes = {}
    for graph, arcs in zip(GRAPHS, ARCS, strict=True):
        classes.setdefault(equivalence(arcs), []).append((graph, arcs))
    assert len(classes) == 185  # as is known of four nodes
    for members in classes.values():
        together = np.any([arcs for _, arcs in members], axis=0)
        for graph, _ in members:
            np.testing.assert_array_equal(cpdag(graph), together)


@pytest.fixture(scope="module")
def scores():
    states = np.random.default_rng(5).integers(0, [2, 3, 2, 3], (60, 4))
    return log_scores(bdeu_scores(table_of_array(states), OrderSpace(4, 3)), GRAPHS)


def test_graphs_have_one_cpdag_where_they_have_one_score(scores):
    by_cpdag = {}
    for graph, score in zip(GRAPHS, scores, strict=True):
        by_cpdag.setdefault(cpdag(graph).tobytes(), []).append(score)
    assert all(np.ptp(of_class) < 1e-9 for of_class in by_cpdag.values())
    representatives = np.sort([of_class[0] for of_class in by_cpdag.values()])
    assert np.diff(representatives).min() > 1e-7


def test_skeletons_alone_do_not_tell_scores(scores):
    by_skeleton = {}
    for graph, score in zip(GRAPHS, scores, strict=True):
        by_skeleton.setdefault((cpdag(graph) | cpdag(graph).T).tobytes(), []).append(score)
    assert max(np.ptp(of_skeleton) for of_skeleton in by_skeleton.values()) > 0.1
