"""The normalisers of the two structure priors are counts of all orders and all graphs.

Sources of truth: enumeration, and the published numbers of labelled acyclic graphs (OEIS A003024).
"""

from math import exp, factorial

import pytest
from reference.orders import over_graphs, random_scores

from ockham.errors import ModelError
from ockham.orders.counts import log_n_graphs, log_n_ordered_graphs


@pytest.mark.parametrize(("n", "count"), [(1, 1), (2, 3), (3, 25), (4, 543), (5, 29281), (6, 3781503)])
def test_graphs_without_a_limit(n, count):
    assert round(exp(log_n_graphs(n, n - 1))) == count


@pytest.mark.parametrize(("n", "indegree"), [(3, 0), (3, 1), (4, 1), (4, 2), (4, 3)])
def test_graphs_and_their_orders_within_a_limit(n, indegree):
    graphs = over_graphs(random_scores(0, n, indegree))
    assert round(exp(log_n_graphs(n, indegree))) == len(graphs)
    assert round(exp(log_n_ordered_graphs(n, indegree))) == sum(n_extensions for _, n_extensions in graphs.values())


def test_without_arcs_there_is_one_graph_and_every_order():
    assert log_n_graphs(7, 0) == 0.0
    assert round(exp(log_n_ordered_graphs(7, 0))) == factorial(7)


CONSTRAINED = [
    (4, 3, ((0, 1),), ()),
    (4, 2, (), ((0, 1),)),
    (4, 3, ((0, 1), (2, 3)), ((1, 2),)),
    (4, 2, ((3, 0), (3, 1), (3, 2)), ((0, 3), (1, 3))),
    (4, 1, ((1, 0), (2, 0), (3, 0)), ((0, 1),)),
    (5, 2, ((3, 0), (3, 1), (4, 0), (4, 1)), ()),  # two tiers, of nodes that are alike, and one between
]


def constrained(n, indegree, forbidden, required):
    """Numbers of graphs, and of their orders, by enumeration."""
    return [
        (parents, n_extensions)
        for parents, (_, n_extensions) in over_graphs(random_scores(0, n, indegree)).items()
        if not any(parents[v] >> u & 1 for u, v in forbidden) and all(parents[v] >> u & 1 for u, v in required)
    ]


@pytest.mark.parametrize("case", CONSTRAINED)
def test_graphs_and_their_orders_without_and_with_arcs(case):
    graphs = constrained(*case)
    assert round(exp(log_n_graphs(*case))) == len(graphs)
    assert round(exp(log_n_ordered_graphs(*case))) == sum(n_extensions for _, n_extensions in graphs)
    assert log_n_graphs(*case) != log_n_graphs(*case[:2])


def test_many_nodes_of_few_kinds_are_counted():
    """36 nodes in three tiers. Without arcs between tiers, the graphs are those of each tier."""
    tiers = [range(0, 12), range(12, 24), range(24, 36)]
    later = tuple((u, v) for i in range(3) for j in range(i) for u in tiers[i] for v in tiers[j])
    between = later + tuple((v, u) for u, v in later)
    assert log_n_graphs(36, 3, between) == pytest.approx(3 * log_n_graphs(12, 3), rel=1e-14)
    assert log_n_graphs(36, 3, between) < log_n_graphs(36, 3, later) < log_n_graphs(36, 3)


def test_too_many_kinds_of_nodes_are_refused():
    chain = tuple((v, v + 1) for v in range(20))
    for count in (log_n_graphs, log_n_ordered_graphs):
        with pytest.raises(ModelError, match=r"tell 21 classes of nodes apart: .* forbid and require fewer arcs"):
            count(21, 3, chain)
