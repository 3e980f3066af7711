"""Tables and lists give eq. (1) of every order, and graphs are drawn from their posterior given an order.

Source of truth: enumeration of all orders and all graphs in plain Python.
"""

import os
import subprocess
import sys
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from reference.orders import families, log_likelihood, over_graphs, over_orders, random_scores

from ockham.errors import ModelError
from ockham.kernels import VECTORS
from ockham.orders.data.structure_data import table_of_array
from ockham.orders.inference.family_scores import FamilyScores, bdeu_scores
from ockham.orders.inference.graph_sums import order_sums
from ockham.orders.space import OrderSpace

METHODS = ("table", "lists")


def permutations_of(n, count, seed=1):
    rng = np.random.default_rng(seed)
    return np.array([rng.permutation(n) for _ in range(count)], dtype=np.int32)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("n", "indegree", "spread"), [(1, 0, 1), (2, 1, 3), (5, 4, 3), (5, 2, 300), (9, 3, 40)])
def test_the_sum_of_an_order_is_eq_1(method, n, indegree, spread):
    """Scores hundreds of nats apart underflow beside the largest, and are then summed in logs."""
    scores = random_scores(n, n, indegree, spread)
    orders = permutations_of(n, 40)
    found = order_sums(scores, method).log_likelihoods(orders)
    expected = [log_likelihood(scores, order) for order in orders.tolist()]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-7 if method == "lists" else 1e-10)


def test_lists_drop_no_more_than_they_say():
    """The sum over a pruned list is below the whole, by the stated part at the most, and shorter."""
    scores, orders = random_scores(3, 10, 3, 12.0), permutations_of(10, 200)
    whole = order_sums(scores, "lists", dropped=0.0)
    exact = whole.log_likelihoods(orders)
    np.testing.assert_allclose(exact, order_sums(scores, "table").log_likelihoods(orders), atol=1e-10)
    for dropped in (1e-2, 1e-6):
        pruned = order_sums(scores, "lists", dropped=dropped)
        lost = exact - pruned.log_likelihoods(orders)
        assert len(pruned.sets) < 0.7 * len(whole.sets)
        assert lost.min() > -1e-10
        assert 0 < lost.max() <= -10 * np.log1p(-dropped)


def test_the_method_is_the_one_predicted_to_cost_less():
    small = random_scores(1, 8, 3)
    assert order_sums(small, n_steps=1e9).method == "table"
    assert order_sums(small, n_steps=1e9, memory_limit=1000).method == "lists"
    chosen = order_sums(random_scores(1, 16, 1), n_steps=1)
    assert chosen.method == "lists"  # no time to fill a table
    assert chosen.predicted_seconds["lists"] < chosen.predicted_seconds["table"]
    with pytest.raises(
        ModelError, match=r"a table for 8 nodes takes .* GB, more than the limit .*; raise memory_limit"
    ):
        order_sums(small, "table", memory_limit=1000)


def test_a_node_needs_a_score_without_parents():
    scores = random_scores(1, 3, 1).log_scores.copy()
    scores[1, 0] = -np.inf
    with pytest.raises(ModelError, match="without parents must be finite"):
        order_sums(FamilyScores(("a", "b", "c"), (2, 2, 2), 1, scores))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dropped", [0.0, 1e-9])
def test_orders_without_a_required_parent_have_no_graph(method, dropped):
    space = OrderSpace(4, 2, forbidden=[(0, 3)], required=[(2, 1), (3, 1)])
    scores = bdeu_scores(table_of_array(np.random.default_rng(1).integers(0, 2, (30, 4))), space)
    sums, orders = order_sums(scores, method, dropped=dropped), list(permutations(range(4)))
    found = sums.log_likelihoods(np.array(orders, dtype=np.int32))
    expected = np.array([log_likelihood(scores, order) for order in orders])
    possible = expected > -np.inf
    assert possible.sum() == 8
    np.testing.assert_allclose(found[possible], expected[possible], rtol=1e-9)
    assert (found[~possible] <= -1e299).all()
    rng = np.random.default_rng(2)
    drawn = {tuple(sums.required.draw(rng).tolist()) for _ in range(200)}
    assert drawn == {order for order, has_graph in zip(orders, possible, strict=True) if has_graph}
    assert np.isfinite(sums.scales).all()


@pytest.mark.parametrize("method", METHODS)
def test_impossible_families_are_left_out(method):
    log_scores = random_scores(2, 4, 2).log_scores.copy()
    log_scores[:, 3:] = -np.inf
    scores = FamilyScores(tuple("abcd"), (2,) * 4, 2, log_scores)
    orders = permutations_of(4, 24)
    expected = [log_likelihood(scores, order) for order in orders.tolist()]
    np.testing.assert_allclose(order_sums(scores, method).log_likelihoods(orders), expected, rtol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_graphs_are_drawn_from_their_posterior_given_the_order(method):
    """Frequencies of all graphs of four nodes against their probabilities, in standard errors of a frequency."""
    scores, order, n_draws = random_scores(5, 4, 3, 1.0), np.array([2, 0, 3, 1], dtype=np.int32), 40_000
    drawn = order_sums(scores, method).sample_graphs(order, n_draws, np.random.default_rng(7))
    counts = dict.fromkeys(map(tuple, drawn.tolist()), 0)
    for parents in map(tuple, drawn.tolist()):
        counts[parents] += 1
    total, n_graphs = log_likelihood(scores, order.tolist()), 0
    listed = [dict(family) for family in families(scores)]
    before = {int(v): sum(1 << int(u) for u in order[:p]) for p, v in enumerate(order)}
    for parents in over_graphs(scores):
        if all(mask & ~before[v] == 0 for v, mask in enumerate(parents)):
            p = np.exp(sum(listed[v][mask] for v, mask in enumerate(parents)) - total)
            assert abs(counts.pop(parents, 0) - n_draws * p) < 4.5 * np.sqrt(n_draws * p * (1 - p)) + 1
            n_graphs += 1
    assert n_graphs == 64  # 1 x 2 x 4 x 8 graphs fit the order
    assert counts == {}


def test_the_enumeration_of_orders_and_of_graphs_agree():
    """The sum over orders is that over graphs, each as often as it has linear extensions."""
    scores = random_scores(4, 4, 2)
    orders = np.logaddexp.reduce(list(over_orders(scores).values()))
    graphs = np.logaddexp.reduce([score + np.log(number) for score, number in over_graphs(scores).values()])
    assert np.isclose(orders, graphs, rtol=1e-12)


SUMS_OF_VECTOR = """
import hashlib, sys
import numpy as np
from ockham.estimation.schedules import linear_schedule
from ockham.orders.inference import annealing, tempering
from ockham.orders.inference.graph_sums import order_sums
from reference.orders import log_likelihood, random_scores

scores, digest = random_scores(3, 11, 3, 20.0), hashlib.sha256()
orders = np.array([np.random.default_rng(seed).permutation(11) for seed in range(20)], dtype=np.int32)
for method in ("table", "lists"):
    sums = order_sums(scores, method)
    found = sums.log_likelihoods(orders)
    assert np.allclose(found, [log_likelihood(scores, order) for order in orders.tolist()], rtol=1e-10)
    end = annealing.run(sums, linear_schedule(500), np.random.default_rng(1))
    state = tempering.init(sums, 4, np.random.default_rng(2))
    _, records = tempering.run(sums, linear_schedule(3), state, np.random.default_rng(3), 20, 5)
    graphs = sums.sample_graphs(end.order, 30, np.random.default_rng(4))
    for array in (found, np.float64(end.log_weight), end.order, records.log_likelihoods, graphs):
        digest.update(array.tobytes())
print(digest.hexdigest())
"""


def test_every_build_of_the_kernel_has_the_same_bits():
    """Also those that this processor would not choose: compilers make mistakes in just one of them."""
    tests = Path(__file__).parents[3]
    digests = {}
    for vector in VECTORS:
        environment = os.environ | {"OCKHAM_VECTOR": vector, "PYTHONPATH": os.pathsep.join([str(tests), *sys.path])}
        done = subprocess.run([sys.executable, "-c", SUMS_OF_VECTOR], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{vector}: {done.stderr}"
        digests[vector] = done.stdout
    assert len(set(digests.values())) == 1, digests
