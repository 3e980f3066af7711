"""The normalisers of the two structure priors are counts of all orders and all graphs.

Sources of truth: enumeration, and the published numbers of labelled acyclic graphs (OEIS A003024).
"""

from math import exp, factorial

import pytest
from reference.orders import over_graphs, random_scores

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
