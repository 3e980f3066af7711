"""Annealed importance sampling and tempered chains of node orders estimate the evidence, and reach the posterior.

Sources of truth: a plain twin that draws the same random numbers; enumeration of all orders; and for 8 to 12 nodes the
sum over all orders by dynamic programming over sets of nodes in plain Python.
"""

import os

import numpy as np
import pytest
from reference.orders import anneal, log_mean_over_orders, over_orders, random_scores

from ockham.estimation.combining import combine
from ockham.estimation.schedules import linear_schedule, nonlinear_schedule
from ockham.orders.inference import annealing, tempering
from ockham.orders.inference.graph_sums import order_sums
from ockham.streams import Stream

SEEDS = range(int(os.environ.get("OCKHAM_TEST_SEEDS", "1")))


def z_of_weights(log_weights, exact):
    """Standard errors between the mean weight and the exact mean of p(D, L)."""
    weights = np.exp(np.array(log_weights) - exact)
    return (weights.mean() - 1) / (weights.std(ddof=1) / np.sqrt(len(weights)))


@pytest.mark.parametrize("method", ["table", "lists"])
def test_a_run_is_that_of_the_twin(method):
    scores, temperatures = random_scores(2, 7, 3), linear_schedule(300)
    sums = order_sums(scores, method, dropped=0.0)
    for seed in range(10):
        log_weight, order = anneal(scores, temperatures, np.random.default_rng(seed))
        end = annealing.run(sums, temperatures, np.random.default_rng(seed))
        assert end.order.tolist() == order
        assert np.isclose(end.log_weight, log_weight, rtol=1e-12)


def test_a_node_alone_has_one_order():
    sums = order_sums(random_scores(1, 1, 0))
    end = annealing.run(sums, linear_schedule(5), np.random.default_rng(1))
    assert end.order.tolist() == [0]
    assert np.isclose(end.log_weight, sums.log_likelihoods(np.array([[0]]))[0])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("n", "indegree", "n_steps"), [(8, 3, 60), (10, 2, 100), (12, 2, 150)])
def test_the_mean_weight_is_the_evidence(n, indegree, n_steps, seed):
    scores = random_scores(n, n, indegree, 2.0)
    sums, exact, temperatures = order_sums(scores), log_mean_over_orders(scores), linear_schedule(n_steps)
    streams = [Stream(seed, "orders", n, t).generator() for t in range(6000)]
    log_weights = [annealing.run(sums, temperatures, rng).log_weight for rng in streams]
    assert abs(z_of_weights(log_weights, exact)) < 4
    log_mean, error, size = combine(np.array(log_weights), "mean")[:3]
    assert abs(log_mean - exact) < 4 * error
    assert 50 < size < 6000


@pytest.mark.parametrize("mutant", ["stale", "cold"])
def test_a_wrong_transition_is_noticed(mutant):
    """The twin itself passes the same check, so it is the mutation that fails."""
    scores, temperatures = random_scores(4, 6, 3, 1.5), nonlinear_schedule(60, 0.5)
    exact = log_mean_over_orders(scores)
    runs = {m: [anneal(scores, temperatures, np.random.default_rng(s), m)[0] for s in range(1000)]
            for m in (None, mutant)}  # fmt: skip
    assert abs(z_of_weights(runs[None], exact)) < 4
    assert abs(z_of_weights(runs[mutant], exact)) > 8


def test_weighted_last_orders_have_the_posterior():
    """The probability of every first node, by weighted runs, against the enumeration."""
    scores = random_scores(6, 5, 2, 1.5)
    posterior = over_orders(scores)
    total = np.logaddexp.reduce(list(posterior.values()))
    exact = np.zeros(5)
    for order, log_likelihood in posterior.items():
        exact[order[0]] += np.exp(log_likelihood - total)
    sums, temperatures = order_sums(scores), linear_schedule(40)
    ends = [annealing.run(sums, temperatures, Stream(3, t).generator()) for t in range(20_000)]
    log_weights = np.array([end.log_weight for end in ends])
    weights = np.exp(log_weights - log_weights.max())
    first = np.array([end.order[0] for end in ends])
    for v in range(5):
        share = weights @ (first == v) / weights.sum()
        error = np.sqrt(((weights * ((first == v) - share)) ** 2).sum()) / weights.sum()
        assert abs(share - exact[v]) < 4 * error


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("n", "n_chains"), [(8, 5), (12, 17)])
def test_the_telescoping_product_is_the_evidence(n, n_chains, seed):
    """Over independent runs of tempered chains, half of each burn-in."""
    scores = random_scores(n, n, 2, 2.0)
    sums, exact, temperatures = order_sums(scores), log_mean_over_orders(scores), linear_schedule(n_chains - 1)
    estimates, ratios = [], np.zeros(n_chains - 1)
    for run in range(16):
        rng = Stream(seed, "tempering", n, run).generator()
        state = tempering.init(sums, n_chains, rng)
        state, _ = tempering.run(sums, temperatures, state, rng, 1, 20_000)
        state, records = tempering.run(sums, temperatures, state, rng, 3000, 10)
        ratios = tempering.log_ratios(records.log_likelihoods, temperatures)
        estimates.append(ratios.sum())
    z = (np.mean(estimates) - exact) / (np.std(estimates, ddof=1) / 4)
    assert abs(z) < 4
    assert np.std(estimates) < 0.2
    wrong = np.array(estimates) - ratios[-1]  # a product that lacks its last factor
    assert abs((wrong.mean() - exact) / (np.std(wrong, ddof=1) / 4)) > 8


def test_chains_have_their_own_targets():
    """Mean ln p(D, L) of every chain against the enumerated mean at its temperature, over independent runs."""
    scores = random_scores(9, 5, 2, 1.5)
    log_likelihoods = np.array(list(over_orders(scores).values()))
    sums, temperatures = order_sums(scores), linear_schedule(3)
    weights = np.exp(np.outer(temperatures, log_likelihoods - log_likelihoods.max()))
    exact = weights @ log_likelihoods / weights.sum(axis=1)
    means = []
    for run in range(20):
        rng = Stream(11, run).generator()
        state = tempering.init(sums, 4, rng)
        state, _ = tempering.run(sums, temperatures, state, rng, 1, 1000)
        state, records = tempering.run(sums, temperatures, state, rng, 2000, 5)
        means.append(records.log_likelihoods.mean(axis=0))
        np.testing.assert_allclose(sums.log_likelihoods(records.orders), records.log_likelihoods[:, -1], rtol=1e-12)
    error = np.std(means, axis=0, ddof=1) / np.sqrt(20)
    assert (abs(np.mean(means, axis=0) - exact) < 4 * error).all()
    assert (abs(np.mean(means, axis=0) - exact[::-1]) > 8 * error).any()
    assert (state.accepted > 0).all()
    assert (state.exchanged > 0).all()


def test_going_on_is_the_same_as_one_run():
    """Records and states do not depend on where a run is cut."""
    sums, temperatures = order_sums(random_scores(1, 6, 2)), linear_schedule(4)
    rng, other = np.random.default_rng(5), np.random.default_rng(5)
    start = tempering.init(sums, 5, rng)
    whole, records = tempering.run(sums, temperatures, start, rng, 30, 7)
    half, first = tempering.run(sums, temperatures, tempering.init(sums, 5, other), other, 12, 7)
    end, second = tempering.run(sums, temperatures, half, other, 18, 7)
    assert (np.concatenate([first.orders, second.orders]) == records.orders).all()
    assert (np.concatenate([first.log_likelihoods, second.log_likelihoods]) == records.log_likelihoods).all()
    assert (end.orders == whole.orders).all()
    assert (end.exchanged == whole.exchanged).all()
