"""Exact sums over orders and over graphs. Truth: enumeration, rational numbers, closed forms where nodes are alike."""

import tracemalloc
from fractions import Fraction
from math import comb, exp, expm1, log

import numpy as np
import pytest
from reference.orders import arcs_of, families, log_sum, over_graphs, random_scores

from ockham.errors import ModelError
from ockham.orders.counts import log_n_graphs, log_n_ordered_graphs
from ockham.orders.inference.exact_structures import exact_graphs, exact_orders, predicted_cost
from ockham.orders.inference.family_scores import FamilyScores, unit_scores
from ockham.orders.parent_sets import n_parent_sets, over_all_nodes, parent_sets
from ockham.orders.space import OrderSpace

EXACT = {"graphs": exact_graphs, "orders": exact_orders}
CASES = [(1, 0, 3.0), (2, 1, 3.0), (3, 2, 3.0), (4, 3, 3.0), (4, 1, 1.0), (4, 3, 400.0), (5, 2, 30.0)]


def enumerated(scores, kind):
    """The log of the sum over structures, and the arcs' posterior probabilities, by enumeration of graphs."""
    logs = {
        parents: score + (log(n_extensions) if kind == "orders" else 0.0)
        for parents, (score, n_extensions) in over_graphs(scores).items()
    }
    total = log_sum(list(logs.values()))
    return total, sum(exp(value - total) * arcs_of(parents) for parents, value in logs.items())


def named(log_scores, max_indegree):
    n = len(log_scores)
    return FamilyScores(tuple(f"x{v}" for v in range(n)), (2,) * n, max_indegree, log_scores)


def with_required(scores, arcs):
    """The same without the families that lack a required parent."""
    log_scores, masks = scores.log_scores.copy(), parent_sets(scores.n_nodes, scores.max_indegree)
    for u, v in arcs:
        log_scores[v, (over_all_nodes(v, masks) >> np.uint64(u)) & np.uint64(1) == 0] = -np.inf
    return named(log_scores, scores.max_indegree)


@pytest.mark.parametrize("kind", EXACT)
@pytest.mark.parametrize(("n", "max_indegree", "spread"), CASES)
def test_equals_enumeration(kind, n, max_indegree, spread):
    scores = random_scores(n, n, max_indegree, spread)
    total, arcs = enumerated(scores, kind)
    found = EXACT[kind](scores)
    assert found.log_total == pytest.approx(total, rel=1e-13, abs=1e-12)
    np.testing.assert_allclose(found.arcs, arcs, rtol=1e-10, atol=1e-12)
    assert found.discrepancy < 1e-11


def test_the_two_priors_are_not_taken_for_each_other():
    scores = random_scores(9, 4, 3, 2.0)
    (_, of_graphs), (_, of_orders) = enumerated(scores, "graphs"), enumerated(scores, "orders")
    assert np.abs(of_graphs - of_orders).max() > 0.01
    assert np.abs(exact_graphs(scores).arcs - of_orders).max() > 0.01
    assert np.abs(exact_orders(scores).arcs - of_graphs).max() > 0.01


@pytest.mark.parametrize("kind", EXACT)
def test_an_arc_that_no_family_has_is_impossible(kind):
    scores = random_scores(5, 4, 2, 2.0)
    log_scores = scores.log_scores.copy()
    log_scores[2, (parent_sets(4, 2) & np.uint64(1)) == 1] = -np.inf  # node 0 as a parent of node 2
    scores = named(log_scores, 2)
    total, arcs = enumerated(scores, kind)
    found = EXACT[kind](scores)
    assert found.log_total == pytest.approx(total, rel=1e-13)
    np.testing.assert_allclose(found.arcs, arcs, rtol=1e-10, atol=1e-12)
    assert found.arcs[0, 2] == 0.0


REQUIRED = [[(0, 2)], [(2, 0), (0, 1)], [(1, 3), (2, 3), (0, 1)], [(3, 0), (3, 1), (3, 2)]]


@pytest.mark.parametrize("kind", EXACT)
@pytest.mark.parametrize("required", REQUIRED)
@pytest.mark.parametrize("spread", [0.5, 30.0, 3000.0])
def test_arcs_that_every_possible_family_has_are_certain(kind, required, spread):
    """Sets of predecessors without a required parent have no graph, whose sum is 0."""
    scores = with_required(random_scores(5, 4, 3, spread), required)
    total, arcs = enumerated(scores, kind)
    found = EXACT[kind](scores)
    assert found.log_total == pytest.approx(total, rel=1e-13)
    np.testing.assert_allclose(found.arcs, arcs, rtol=1e-9, atol=1e-12)
    assert all(found.arcs[u, v] == pytest.approx(1) and found.arcs[v, u] == 0 for u, v in required)
    assert found.discrepancy < 1e-11
    if spread < 1:
        assert EXACT[kind](random_scores(5, 4, 3, spread)).log_total > total + 0.1


@pytest.mark.parametrize("kind", EXACT)
def test_scores_of_zero_count_the_structures_with_required_arcs(kind):
    space = OrderSpace(12, 3, forbidden=[(5, 6), (9, 0)], required=[(0, 1), (1, 2), (3, 4), (11, 4)])
    assert EXACT[kind](unit_scores(space)).log_total == pytest.approx(space.log_count(kind), rel=1e-13)


@pytest.mark.parametrize("kind", EXACT)
def test_required_parents_must_be_a_possible_set_alone(kind):
    first = random_scores(5, 3, 2).log_scores
    both, either = first.copy(), first.copy()
    both[1, :3], either[1, [0, 3]] = -np.inf, -np.inf
    assert np.isfinite(EXACT[kind](named(both, 2)).log_total)
    with pytest.raises(ModelError, match="x1: the score without parents must be finite, or with those alone"):
        EXACT[kind](named(either, 2))


@pytest.mark.parametrize(("n", "max_indegree"), [(6, 5), (9, 3), (13, 2)])
def test_scores_of_zero_count_the_structures(n, max_indegree):
    scores = named(np.zeros((n, n_parent_sets(n, max_indegree))), max_indegree)
    assert exact_graphs(scores).log_total == pytest.approx(log_n_graphs(n, max_indegree), rel=1e-13)
    assert exact_orders(scores).log_total == pytest.approx(log_n_ordered_graphs(n, max_indegree), rel=1e-13)


def log_of(x):
    """The log of a rational number that may be too large for a float."""
    return log(x.numerator) - log(x.denominator)


def graphs_by_arcs(n, x):
    """The sum over graphs of x to the power of their arcs, and an arc's probability, exactly; Robinson's recurrence."""
    totals, derivatives = [Fraction(1)], [Fraction(0)]
    for m in range(1, n + 1):
        total = derivative = Fraction(0)
        for k in range(1, m + 1):
            pairs, sign = k * (m - k), (-1) ** (k + 1) * comb(m, k)
            total += sign * (1 + x) ** pairs * totals[m - k]
            derivative += sign * (1 + x) ** pairs * (derivatives[m - k] + pairs / (1 + x) * totals[m - k])
        totals.append(total)
        derivatives.append(derivative)
    return totals[n], x * derivatives[n] / totals[n] / (n * (n - 1))


@pytest.mark.parametrize("x", [Fraction(1, 10**9), Fraction(1, 1000), Fraction(1, 20), Fraction(1), Fraction(10**6)])
def test_cancellation_is_controlled_where_it_is_worst(x):
    """With few arcs nearly every node of a graph is without parents, and terms alternate most."""
    n = 13
    sizes = np.bitwise_count(parent_sets(n, n - 1)).astype(float)
    found = exact_graphs(named(np.tile(sizes * log_of(x), (n, 1)), n - 1))
    total, arc = graphs_by_arcs(n, x)
    assert abs(expm1(found.log_total - log_of(total))) < 1e-10
    np.testing.assert_allclose(found.arcs[~np.eye(n, dtype=bool)], float(arc), rtol=1e-10)
    assert found.discrepancy < 1e-10


def rational_total(listed, n):
    """The sum over graphs by inclusion and exclusion over nodes without children, in rational numbers."""
    full = (1 << n) - 1
    sums = [[sum(w for mask, w in family if mask & ~nodes == 0) for nodes in range(full + 1)] for family in listed]
    totals = [Fraction(1)]
    for nodes in range(1, full + 1):
        total, last = Fraction(0), nodes
        while last:
            term = totals[nodes ^ last]
            for v in range(n):
                if last >> v & 1:
                    term *= -sums[v][nodes ^ last]
            total -= term
            last = (last - 1) & nodes
        totals.append(total)
    return totals[full]


def test_equals_rational_numbers_where_scores_are_spread_out():
    """Weights from 1e-130 to 1e130, and an arc's probability as the part of the total that goes without it."""
    n = 5
    scores = random_scores(11, n, 4, 100.0)
    listed = [[(mask, Fraction(exp(score / 2)) ** 2) for mask, score in family] for family in families(scores)]
    log_scores = np.array([[log_of(w) for _, w in family] for family in listed])
    found = exact_graphs(named(log_scores, 4))
    total = rational_total(listed, n)
    assert abs(expm1(found.log_total - log_of(total))) < 1e-12
    for u, v in [(0, 1), (1, 0), (2, 4), (4, 2), (3, 0)]:
        without = [[pair for pair in family if i != v or not pair[0] >> u & 1] for i, family in enumerate(listed)]
        assert found.arcs[u, v] == pytest.approx(float(1 - rational_total(without, n) / total), rel=1e-10, abs=1e-14)


@pytest.mark.parametrize("kind", EXACT)
def test_the_names_of_the_nodes_do_not_matter(kind):
    n, k = 7, 6
    scores = random_scores(3, n, k, 5.0)
    order = np.random.default_rng(4).permutation(n)
    position = {int(v): i for i, v in enumerate(order)}
    masks = {frozenset(u for u in range(n - 1) if m >> u & 1): c for c, m in enumerate(parent_sets(n, k).tolist())}
    log_scores = np.empty_like(scores.log_scores)
    for v in range(n):
        others, renamed = [u for u in range(n) if u != v], [w for w in range(n) if w != position[v]]
        for members, column in masks.items():
            image = frozenset(renamed.index(position[others[u]]) for u in members)
            log_scores[position[v], masks[image]] = scores.log_scores[v, column]
    found, other = EXACT[kind](scores), EXACT[kind](named(log_scores, k))
    assert other.log_total == pytest.approx(found.log_total, rel=1e-13)
    np.testing.assert_allclose(other.arcs, found.arcs[np.ix_(order, order)], rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("kind", EXACT)
def test_what_would_take_too_long_or_too_much_is_refused_with_the_prediction(kind):
    scores = random_scores(1, 12, 1)
    seconds, n_bytes = predicted_cost(kind, 12, 1)
    message = rf"over {kind} of 12 nodes is predicted to take {seconds:.3g} s and {n_bytes / 1e9:.3g} GB"
    with pytest.raises(ModelError, match=message):
        EXACT[kind](scores, max_seconds=seconds / 2)
    with pytest.raises(ModelError, match="leave nodes out, or allow more"):
        EXACT[kind](scores, max_bytes=n_bytes / 2)
    with pytest.raises(ModelError, match=r"of 26 nodes .* and 25 nodes are allowed"):
        EXACT[kind](random_scores(1, 26, 1), max_seconds=1e9, max_bytes=1e12)


@pytest.mark.parametrize("kind", EXACT)
@pytest.mark.parametrize("max_indegree", [2, 12])
def test_the_memory_is_as_predicted(kind, max_indegree):
    """Truth: what NumPy was given. With every parent set the families take about as much as the tables."""
    n = 13
    scores = random_scores(1, n, max_indegree)
    tracemalloc.start()
    EXACT[kind](scores)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    predicted = predicted_cost(kind, n, max_indegree)[1]
    assert peak + scores.log_scores.nbytes < 1.05 * predicted
    assert peak + scores.log_scores.nbytes > predicted / 2


def test_every_family_has_its_part_in_what_is_predicted():
    for kind in EXACT:
        few, many = predicted_cost(kind, 25, 2), predicted_cost(kind, 25, 24)
        assert many[0] > few[0] + 10
        assert many[1] > few[1] + 8 * 25 * 2**24 * 0.99
