"""Annealing of orders with their graphs gives each graph the same weight, whatever its number of linear extensions.

Sources of truth: a slow twin that draws the same numbers, whose steps leave the target as it is; sums over all graphs.
"""

from dataclasses import replace
from itertools import combinations, permutations, product
from math import factorial

import numpy as np
import pytest
from reference.orders import (
    LocalSums,
    anneal_graphs,
    extensions,
    families,
    log_draw,
    mask_of,
    over_graphs,
    random_scores,
)
from scipy.stats import chisquare

from ockham.estimation.combining import combine
from ockham.estimation.schedules import linear_schedule
from ockham.kernels import graphs as kernel
from ockham.orders.estimates import arc_errors, arc_posteriors, arcs_of
from ockham.orders.inference import annealing, graph_annealing
from ockham.orders.inference.graph_sums import order_sums
from ockham.orders.parent_sets import over_all_nodes, parent_sets
from ockham.streams import Stream

FLAT = 0.2
"""Where graphs come to count once in these tests."""


@pytest.mark.parametrize("method", ["table", "lists"])
@pytest.mark.parametrize(("n", "max_indegree", "spread"), [(2, 1, 2.0), (5, 2, 2.0), (7, 3, 4.0), (6, 5, 40.0)])
def test_a_run_is_that_of_the_slow_twin(method, n, max_indegree, spread):
    scores = random_scores(n, n, max_indegree, spread)
    sums, powers = order_sums(scores, method, dropped=0.0), graph_annealing.powers(64, FLAT)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(n)
        parents = sums.sample_graphs(order.astype(np.int32), 1, np.random.default_rng(seed))[0]
        twin = anneal_graphs(scores, *powers, order.tolist(), parents.tolist(), np.random.default_rng(seed + 9))
        log_weight, graphs = graph_annealing.run(sums, order, parents, *powers, np.random.default_rng(seed + 9))
        assert log_weight == pytest.approx(twin[0], rel=1e-12, abs=1e-12)
        assert graphs[0].tolist() == twin[2]


def with_arc(scores, without):
    """Scores of five nodes, at most two parents, that sets of node 1 have only with node 0: ``without``, nats."""
    log_scores = scores.log_scores.copy()
    log_scores[1, over_all_nodes(1, parent_sets(5, 2)) & np.uint64(1) == 0] = without
    return replace(scores, log_scores=log_scores)


@pytest.mark.parametrize("method", ["table", "lists"])
def test_so_it_is_where_an_arc_is_required(method):
    scores = random_scores(5, 5, 2, 2.0)
    sums = order_sums(with_arc(scores, -np.inf), method, dropped=0.0)
    powers = graph_annealing.powers(200, FLAT)
    for seed in range(5):
        order = sums.required.draw(np.random.default_rng(seed))
        parents = sums.sample_graphs(order, 1, np.random.default_rng(seed))[0]
        given = order.tolist(), parents.tolist(), np.random.default_rng(seed + 9)
        twin = anneal_graphs(with_arc(scores, -1e300), *powers, *given)
        log_weight, graphs = graph_annealing.run(sums, order, parents, *powers, np.random.default_rng(seed + 9))
        assert log_weight == pytest.approx(twin[0], rel=1e-12, abs=1e-12)
        assert graphs[0].tolist() == twin[2]
        assert graphs[0, 1] & np.uint64(1)


@pytest.mark.parametrize(
    ("n_steps", "flat", "expected"),
    [
        (1, 0.2, (1, 1)),
        (2, 0.2, (1, 1)),
        (7, 0.2, (3, 2)),
        (100, 0.1, (50, 45)),
        (100, 0.9, (50, 5)),
        (100, 1, (50, 0)),
    ],
)
def test_the_powers_go_from_a_flat_likelihood_to_the_posterior_of_graphs(n_steps, flat, expected):
    for powers, first, number in zip(graph_annealing.powers(n_steps, flat), (0, flat), expected, strict=True):
        assert (len(powers) - 1, powers[0], powers[-1]) == (number, pytest.approx(first), 1)
        assert (np.diff(powers) > 0).all()


@pytest.mark.parametrize("required", [False, True])
def test_the_likelihood_is_flat_where_exchanges_of_two_nodes_cost_as_much_as_they_may(required):
    """Those that no graph allows are left out, and gains cost nothing."""
    scores = random_scores(2, 5, 2, 40.0)
    sums = order_sums(with_arc(scores, -np.inf) if required else scores)
    orders = [np.array(order, dtype=np.int32) for order in ((4, 0, 3, 2, 1), (0, 1, 2, 3, 4))]
    costs = []
    for order in orders:
        for a, b in combinations(range(5), 2):
            new = order.copy()
            new[[a, b]] = order[[b, a]]
            lost = sums.log_likelihoods(order[None])[0] - sums.log_likelihoods(new[None])[0]
            costs += [max(lost, 0.0)] if lost < 1e290 else []
    assert len(costs) < 20 if required else len(costs) == 20
    assert 0.0 in costs
    flat = graph_annealing.flat_power(sums, orders)
    assert 0 < flat < 1
    assert flat * np.sqrt(np.mean(np.square(costs))) == pytest.approx(graph_annealing.FLAT)


@pytest.mark.parametrize(("n", "spread"), [(1, 40.0), (5, 0.0), (5, 0.1)])
def test_it_is_flat_to_the_end_where_exchanges_cost_little(n, spread):
    sums = order_sums(random_scores(1, n, min(n - 1, 2), spread))
    assert graph_annealing.flat_power(sums, [np.arange(n, dtype=np.int32)]) == 1


@pytest.mark.parametrize("n", [1, 2])
def test_the_fewest_nodes(n):
    """One node has one graph; of two nodes without arcs, every order is drawn with a probability of a half."""
    sums = order_sums(random_scores(1, n, 0))
    order, powers = np.arange(n, dtype=np.int32), graph_annealing.powers(9, FLAT)
    graph = np.zeros(n, dtype=np.uint64)
    log_weight, graphs = graph_annealing.run(sums, order, graph, *powers, np.random.default_rng(1), 3)
    assert log_weight == pytest.approx((1 - FLAT) * sums.log_likelihoods(order[None])[0] - np.log(n))
    assert (graphs == np.zeros((3, n))).all()


SCORES = random_scores(5, 4, 2, 3.0)
N_SAMPLES, POWERS = 1500, graph_annealing.powers(24, FLAT)


def largest_z(run):
    """Standard errors between evidence and arcs of samples and those of all graphs, of what is farthest off."""
    sums, temperatures = order_sums(SCORES), FLAT * linear_schedule(6)
    log_weights, graphs = np.empty(N_SAMPLES), np.empty((N_SAMPLES, 2, 4), dtype=np.uint64)
    for t in range(N_SAMPLES):
        rng = Stream(6, "graphs", t).generator()
        end = annealing.run(sums, temperatures, rng)
        more, graphs[t] = run(sums, end.order, sums.sample_graphs(end.order, 1, rng)[0], *POWERS, rng)
        log_weights[t] = end.log_weight + more
    by_graph = np.broadcast_to(log_weights[:, None], (N_SAMPLES, 2))
    posteriors = arc_posteriors(by_graph, arcs_of(graphs))
    errors = arc_errors(by_graph, arcs_of(graphs), posteriors)
    known = over_graphs(SCORES)
    log_scores = np.array([score for score, _ in known.values()])
    exact = arc_posteriors(log_scores, arcs_of(np.array([*known], dtype=np.uint64)))
    mean = combine(log_weights, "mean")
    z = (mean.value + np.log(factorial(4)) - np.logaddexp.reduce(log_scores)) / mean.standard_error
    return max(abs(z), np.abs((posteriors - exact) / np.where(exact > 0, errors, np.inf)).max())


def test_the_samples_are_of_the_uniform_prior_over_graphs():
    assert largest_z(lambda *given: graph_annealing.run(*given, n_graphs=2)) < 4


def test_samples_that_are_left_at_the_orders_are_not():
    def run(sums, order, parents, draw_powers, likelihood_powers, rng):
        rest = (1 - likelihood_powers[0]) * sums.log_likelihoods(order[None])[0]
        return rest - np.log(extensions(tuple(parents.tolist()))) * 0.5, [parents, parents]

    assert largest_z(run) > 6


def target(scores, likelihood_power, draw_power):
    """Every order with a graph that it extends, and their probabilities at these powers."""
    listed, sums, log_weights = families(scores), LocalSums(scores), {}
    for order in permutations(range(scores.n_nodes)):
        before = [mask_of(order[: order.index(v)]) for v in range(scores.n_nodes)]
        inside = [[family for family in listed[v] if family[0] & ~before[v] == 0] for v in range(scores.n_nodes)]
        flatter = (likelihood_power - 1) * sum(sums.of(order))
        for chosen in product(*inside):
            parents = tuple(mask for mask, _ in chosen)
            log_weights[order, parents] = sum(s for _, s in chosen) + flatter + draw_power * log_draw(order, parents)
    weights = np.exp(list(log_weights.values()))
    return list(log_weights), weights / weights.sum()


def p_value(likelihood_power, draw_power, mutant=None, n_chains=3000):
    """That chains of 24 steps from the target at fixed powers are still of it; rare states are taken together."""
    scores, rng = random_scores(3, 3, 2, 3.0), np.random.default_rng(1)
    states, probabilities = target(scores, likelihood_power, draw_power)
    counts = dict.fromkeys(states, 0)
    powers = np.full(25, draw_power), np.full(1, likelihood_power)
    for k in rng.choice(len(states), n_chains, p=probabilities):
        _, order, parents = anneal_graphs(scores, *powers, *states[k], rng, mutant)
        counts[tuple(order), tuple(parents)] += 1
    common, found = n_chains * probabilities > 5, np.array(list(counts.values()))
    observed, expected = ([*of[common], of[~common].sum()] for of in (found, n_chains * probabilities))
    return chisquare(observed, expected).pvalue


@pytest.mark.parametrize("powers", [(0.2, 0.0), (0.2, 0.5), (0.2, 1.0), (0.6, 1.0), (1.0, 0.5)])
def test_steps_leave_the_target_as_it_is(powers):
    assert p_value(*powers) > 1e-3


@pytest.mark.parametrize(
    ("mutant", "powers"), [("swap", (0.2, 1.0)), ("others", (0.2, 1.0)), ("order", (0.2, 1.0)), ("draw", (1.0, 0.5))]
)
def test_steps_that_leave_something_out_do_not(mutant, powers):
    assert p_value(*powers, mutant) < 1e-6


def arguments(**changed):
    sums = order_sums(random_scores(1, 3, 2))
    arrays = {
        "draw_powers": linear_schedule(4),
        "likelihood_powers": np.ones(1),
        "nodes": np.arange(3, dtype=np.int32),
        "parents": np.array([0, 1, 3], dtype=np.uint64),
        "cumulative": np.empty(sums.longest_list),
        "inside": np.empty(sums.longest_list, dtype=np.uint64),
    }
    kernel.run_annealing(np.random.default_rng(1).bit_generator, sums, *(arrays | changed).values())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("draw_powers", np.zeros(0)),
        ("likelihood_powers", np.zeros(0)),
        ("nodes", np.arange(4, dtype=np.int32)),
        ("nodes", np.array([0, 1, 1], dtype=np.int32)),
        ("nodes", np.array([0, 1, 3], dtype=np.int32)),
        ("nodes", np.array([0, 1, -1], dtype=np.int32)),
        ("nodes", np.array([1, 0, 2], dtype=np.int32)),
        ("parents", np.array([0, 1, 7], dtype=np.uint64)),
        ("parents", np.zeros(2, dtype=np.uint64)),
        ("cumulative", np.empty(1)),
        ("inside", np.empty(1, dtype=np.uint64)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(name, value):
    arguments()
    with pytest.raises(ValueError, match=r"do not fit together|after its parents"):
        arguments(**{name: value})


def test_work_that_is_too_short_for_a_list_is_refused():
    with pytest.raises(ValueError, match="do not fit together"):
        arguments(cumulative=np.empty(1), inside=np.empty(1, dtype=np.uint64))
