"""Annealing on from orders to graphs gives each graph the same weight, whatever its number of linear extensions.

Sources of truth: a slow twin that draws the same numbers; sums over all graphs.
"""

from math import factorial

import numpy as np
import pytest
from reference.orders import anneal_graphs, extensions, over_graphs, random_scores

from ockham.estimation.combining import combine
from ockham.estimation.schedules import linear_schedule
from ockham.kernels import graphs as kernel
from ockham.orders.estimates import arc_errors, arc_posteriors, arcs_of
from ockham.orders.inference import annealing, graph_annealing
from ockham.orders.inference.graph_sums import order_sums
from ockham.streams import Stream


@pytest.mark.parametrize("method", ["table", "lists"])
@pytest.mark.parametrize(("n", "max_indegree", "spread"), [(2, 1, 2.0), (5, 2, 2.0), (7, 3, 4.0), (6, 5, 40.0)])
def test_a_run_is_that_of_the_slow_twin(method, n, max_indegree, spread):
    scores = random_scores(n, n, max_indegree, spread)
    sums, temperatures = order_sums(scores, method, dropped=0.0), linear_schedule(64)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(n)
        parents = sums.sample_graphs(order.astype(np.int32), 1, np.random.default_rng(seed))[0]
        twin = anneal_graphs(scores, temperatures, order.tolist(), parents.tolist(), np.random.default_rng(seed + 9))
        log_weight, graphs = graph_annealing.run(sums, order, parents, temperatures, np.random.default_rng(seed + 9))
        assert log_weight == pytest.approx(twin[0], rel=1e-12, abs=1e-12)
        assert graphs[0].tolist() == twin[2]


@pytest.mark.parametrize("n", [1, 2])
def test_the_fewest_nodes(n):
    """One node has one graph; of two nodes without arcs, every order is drawn with a probability of a half."""
    sums = order_sums(random_scores(1, n, 0))
    given = sums, np.arange(n), np.zeros(n, dtype=np.uint64), linear_schedule(9), np.random.default_rng(1), 3
    log_weight, graphs = graph_annealing.run(*given)
    assert log_weight == pytest.approx(-np.log(n))
    assert (graphs == np.zeros((3, n))).all()


SCORES = random_scores(5, 4, 2, 3.0)
N_SAMPLES = 1500


def largest_z(run):
    """Standard errors between evidence and arcs of samples and those of all graphs, of what is farthest off."""
    sums, temperatures = order_sums(SCORES), linear_schedule(6)
    log_weights, graphs = np.empty(N_SAMPLES), np.empty((N_SAMPLES, 2, 4), dtype=np.uint64)
    for t in range(N_SAMPLES):
        rng = Stream(6, "graphs", t).generator()
        end = annealing.run(sums, temperatures, rng)
        more, graphs[t] = run(sums, end.order, sums.sample_graphs(end.order, 1, rng)[0], linear_schedule(24), rng)
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


def twin(mutant):
    def run(sums, order, parents, temperatures, rng):
        log_weight, _, last = anneal_graphs(SCORES, temperatures, order.tolist(), parents.tolist(), rng, mutant)
        return log_weight, [last, last]

    return run


def test_those_of_the_twin_are_too():
    assert largest_z(twin(None)) < 4


def test_swaps_that_leave_out_the_sums_are_not():
    assert largest_z(twin("swap")) > 6


def test_samples_that_are_left_at_the_orders_are_not():
    def run(sums, order, parents, temperatures, rng):
        return -np.log(extensions(tuple(parents.tolist()))) * 0.5, [parents, parents]

    assert largest_z(run) > 6


def arguments(**changed):
    sums = order_sums(random_scores(1, 3, 2))
    arrays = {
        "temperatures": linear_schedule(4),
        "nodes": np.arange(3, dtype=np.int32),
        "parents": np.array([0, 1, 3], dtype=np.uint64),
        "accepted": np.zeros(4, dtype=np.int64),
        "cumulative": np.empty(sums.longest_list),
        "inside": np.empty(sums.longest_list, dtype=np.uint64),
    }
    kernel.run_annealing(np.random.default_rng(1).bit_generator, sums, *(arrays | changed).values())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("temperatures", np.zeros(1)),
        ("nodes", np.arange(4, dtype=np.int32)),
        ("nodes", np.array([0, 1, 1], dtype=np.int32)),
        ("nodes", np.array([0, 1, 3], dtype=np.int32)),
        ("nodes", np.array([0, 1, -1], dtype=np.int32)),
        ("nodes", np.array([1, 0, 2], dtype=np.int32)),
        ("parents", np.array([0, 1, 7], dtype=np.uint64)),
        ("parents", np.zeros(2, dtype=np.uint64)),
        ("accepted", np.zeros(3, dtype=np.int64)),
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
