"""Corrected and uncorrected estimates have their two different exact targets, and the lower bound its coverage.

Sources of truth: enumeration of all orders and all graphs, and the definitions.
"""

import numpy as np
import pytest
from reference.orders import arcs_of as arcs_by_bits
from reference.orders import extensions, over_graphs, random_scores
from scipy import stats

from ockham.contracts import Doubt
from ockham.estimation.combining import combine
from ockham.estimation.intervals import interval
from ockham.estimation.schedules import linear_schedule
from ockham.orders.counts import log_n_graphs, log_n_ordered_graphs
from ockham.orders.estimates import (
    arc_errors,
    arc_intervals,
    arc_posteriors,
    arcs_of,
    corrected,
    lower_bound,
    mean_of_corrected,
)  # fmt: skip
from ockham.orders.inference import annealing
from ockham.orders.inference.graph_sums import order_sums
from ockham.streams import Stream

N, INDEGREE, N_SAMPLES, N_GRAPHS = 5, 2, 4000, 2


@pytest.fixture(scope="module")
def scores():
    return random_scores(8, N, INDEGREE, 1.2)


@pytest.fixture(scope="module")
def exact(scores):
    """Log evidence and arc posteriors under both priors, by enumeration."""
    graphs = over_graphs(scores)
    log_scores = np.array([score for score, _ in graphs.values()])
    counts = np.array([number for _, number in graphs.values()])
    arcs = np.array([arcs_by_bits(parents) for parents in graphs])
    found = {}
    for prior, weights in (("orders", counts), ("graphs", np.ones(len(counts)))):
        total = np.logaddexp.reduce(log_scores + np.log(weights))
        posterior = weights * np.exp(log_scores - total)
        found[prior] = total - np.log(weights.sum()), np.tensordot(posterior, arcs, axes=1)
    return found


@pytest.fixture(scope="module")
def samples(scores):
    sums, temperatures = order_sums(scores), linear_schedule(40)
    log_weights, parents = np.empty(N_SAMPLES), np.empty((N_SAMPLES, N_GRAPHS, N), dtype=np.uint64)
    for t in range(N_SAMPLES):
        rng = Stream(12, t).generator()
        end = annealing.run(sums, temperatures, rng)
        log_weights[t], parents[t] = end.log_weight, sums.sample_graphs(end.order, N_GRAPHS, rng)
    known = {graph: np.log(extensions(graph)) for graph in {tuple(g) for g in parents.reshape(-1, N).tolist()}}
    log_extensions = np.array([[known[tuple(g)] for g in graphs] for graphs in parents.tolist()])
    return log_weights, log_extensions, parents


def z_scores(samples, exact, prior, target):
    """Standard errors of the evidence, and of every arc, from the exact values under the target prior."""
    log_weights, log_extensions, parents = samples
    to_evidence = np.log(float(np.prod(np.arange(1, N + 1))))
    if prior == "orders":
        by_sample, by_graph = log_weights, np.broadcast_to(log_weights[:, None], log_extensions.shape)
        to_evidence -= log_n_ordered_graphs(N, INDEGREE)
    else:
        by_sample, by_graph = corrected(log_weights, log_extensions), log_weights[:, None] - log_extensions
        to_evidence -= log_n_graphs(N, INDEGREE)
    log_mean, error, _ = combine(by_sample, "mean")[:3]
    arcs = arcs_of(parents)
    found = arc_posteriors(by_graph, arcs)
    errors = arc_errors(by_graph, arcs, found)
    off = ~np.eye(N, dtype=bool)
    evidence, posterior = exact[target]
    return (log_mean + to_evidence - evidence) / error, ((found - posterior)[off] / errors[off])


@pytest.mark.parametrize("prior", ["orders", "graphs"])
def test_estimates_converge_to_their_own_target(samples, exact, prior):
    evidence, arcs = z_scores(samples, exact, prior, prior)
    assert abs(evidence) < 4
    assert np.abs(arcs).max() < 4


@pytest.mark.parametrize(("prior", "other"), [("orders", "graphs"), ("graphs", "orders")])
def test_the_other_target_is_missed(samples, exact, prior, other):
    """The two targets are so far apart that estimates with the wrong weights fail the test above."""
    evidence, arcs = z_scores(samples, exact, prior, other)
    assert abs(evidence) > 8
    assert np.abs(arcs).max() > 8


def test_arcs_are_the_bits_of_the_masks():
    parents = np.array([[0b110, 0b000, 0b010], [0, 1, 3]], dtype=np.uint64)
    expected = [arcs_by_bits(tuple(int(mask) for mask in graph)) for graph in parents]
    assert (arcs_of(parents) == expected).all()


def test_graphs_that_do_not_count_are_left_out():
    arcs = np.stack([np.zeros((2, 2)), np.ones((2, 2)), np.ones((2, 2))])
    assert (arc_posteriors(np.array([0.0, np.nan, np.log(3.0)]), arcs) == 0.75).all()
    assert np.isnan(corrected(np.zeros(2), np.array([[0.0, 0.0], [np.nan, np.nan]]))).tolist() == [False, True]


def skewed(rng, n):
    """ln w / l of graphs of which a few have hardly any linear extensions, over its mean; w hardly differs."""
    extensions, shares = np.array([1, 6, 8]), np.array([0.05, 0.45, 0.5])
    log_weights = rng.normal(-0.005, 0.1, n) - np.log(rng.choice(extensions, p=shares, size=n))
    return log_weights - np.log((shares / extensions).sum())


def test_the_error_of_corrected_weights_allows_for_their_skewness():
    log_weights = skewed(np.random.default_rng(1), 300)
    found, weights = mean_of_corrected(log_weights), np.exp(log_weights)
    first = stats.variation(weights, ddof=1) / np.sqrt(300)
    assert found.value == combine(log_weights, "mean").value
    assert np.isclose(found.standard_error, first * (1 + 0.7387 * stats.skew(weights) / np.sqrt(300)), rtol=1e-4)
    left = mean_of_corrected(np.log(2 - weights / weights.max()))
    assert np.isclose(left.standard_error, stats.variation(2 - weights / weights.max(), ddof=1) / np.sqrt(300))
    with_gaps = mean_of_corrected(np.append(log_weights, np.nan))
    assert np.isclose(with_gaps.standard_error, found.standard_error)
    assert not with_gaps.doubt


def test_intervals_of_corrected_weights_hold():
    """The control is what holds for log-normal weights, and is too short for these."""
    rng = np.random.default_rng(2)
    held = {mean_of_corrected: [], lambda weights: combine(weights, "mean"): []}
    for _ in range(2000):
        log_weights = skewed(rng, 150)
        for estimate, of in held.items():
            found = estimate(log_weights)
            low, high = interval(found.value, found.standard_error, found.degrees_of_freedom)
            if not found.doubt:
                of.append(low <= 0 <= high)
    ours, log_normal = held.values()
    assert len(ours) > 1500
    assert 0.93 < np.mean(ours) < 0.99
    assert np.mean(log_normal) < 0.8


def test_few_corrected_weights_are_doubted():
    heavy = np.append(np.zeros(100), 8.0)
    assert mean_of_corrected(heavy).doubt == Doubt.FEW_EFFECTIVE_SAMPLES
    wide = np.random.default_rng(3).normal(0, 2, 1500)  # fewer effective samples than a tenth of all
    assert combine(wide, "mean").doubt == Doubt.FEW_EFFECTIVE_SAMPLES
    assert not mean_of_corrected(wide).doubt
    assert mean_of_corrected(np.zeros(19)).doubt == Doubt.FEW_EFFECTIVE_SAMPLES
    assert not mean_of_corrected(np.zeros(20)).doubt
    assert mean_of_corrected(np.zeros(20)).standard_error == 1 / 22  # the next may be the first that differs
    nearly = np.random.default_rng(0).normal(0, 1e-4, 20)  # what other graphs have leaks into weights of one
    assert mean_of_corrected(nearly).standard_error == 1 / 22
    for none in (np.zeros(1), np.full(1, np.nan)):
        assert np.isnan(mean_of_corrected(none).standard_error)
        assert mean_of_corrected(none).doubt


def test_the_bound_is_the_lowest_mean_with_its_factor():
    """Written out; the last two weights fill no bin."""
    log_weights = np.log(np.arange(1.0, 21.0))
    assert np.isclose(lower_bound(log_weights), np.log(1.5) + np.log(0.05) / 9)
    assert np.isclose(lower_bound(log_weights, n_bins=20, confidence=0.5), np.log(0.5) / 20)
    with pytest.raises(ValueError, match="8 weights do not fill 9 bins"):
        lower_bound(log_weights[:8])


@pytest.mark.parametrize("n", [9, 45])
def test_the_bound_holds_in_95_of_100_cases(n):
    """Heavy-tailed weights with mean 1: coverage over 20,000 repetitions."""
    rng = np.random.default_rng(3)
    bounds = [lower_bound(rng.normal(-0.5 * 1.5**2, 1.5, n)) for _ in range(20_000)]
    assert np.mean(np.array(bounds) <= 0.0) >= 0.95


def test_the_bound_is_sharp():
    """Weights for which Markov's inequality is attained: a bound that is higher by 0.01 nats fails in 5 % of the cases.

    A weight is 1 / p with probability p and otherwise nearly 0, so that its mean is 1, and p ** 9 = 0.05.
    """
    rng, p = np.random.default_rng(4), 0.05 ** (1 / 9)
    bounds = np.array([lower_bound(np.where(rng.random(9) < p, -np.log(p), -700.0)) for _ in range(20_000)])
    assert (bounds <= 1e-9).all()
    assert np.mean(bounds + 0.01 > 1e-9) > 0.045


def test_the_bound_covers_the_evidence_of_orders(scores, exact):
    """Over repetitions of annealed importance sampling itself, with schedules too short for good estimates."""
    sums, temperatures = order_sums(scores), linear_schedule(6)
    target = exact["orders"][0] - np.log(120.0) + log_n_ordered_graphs(N, INDEGREE)
    below = 0
    for repetition in range(1000):
        runs = [annealing.run(sums, temperatures, Stream(repetition, t).generator()) for t in range(18)]
        below += lower_bound(np.array([run.log_weight for run in runs])) <= target
    assert below >= 950


@pytest.mark.parametrize("probability", [0.5, 0.05, 0.004, 0.0])
@pytest.mark.parametrize("n_graphs", [1, 5])
def test_intervals_of_arcs_hold_in_95_of_100_cases(probability, n_graphs):
    """Of 1000 repetitions with log-normal weights; errors to first order alone do not where all samples may agree."""
    rng, held, plain = np.random.default_rng(7), 0, 0
    for _ in range(1000):
        log_weights = rng.normal(0, 1, (200, 1)) + np.zeros((1, n_graphs))
        arcs = (rng.random((200, n_graphs)) < probability).astype(float)[..., None, None]
        posterior = arc_posteriors(log_weights, arcs)
        low, high = arc_intervals(log_weights, arcs, posterior)
        assert 0 <= low <= posterior <= high <= 1
        error = arc_errors(log_weights, arcs, posterior, floor=False)
        held += bool(low <= probability <= high)
        plain += bool(abs(posterior - probability) <= 1.96 * error)
    assert held >= 940
    if probability == 0.004 and n_graphs == 1:
        assert plain < 700


def test_an_arc_on_which_all_samples_agree_has_an_interval():
    """Wilson's with 100 trials and no miss: 1.96^2 / (100 + 1.96^2)."""
    arcs = np.ones((100, 1, 1, 1))
    low, high = arc_intervals(np.zeros((100, 1)), arcs, np.ones((1, 1)))
    assert low == pytest.approx(1 - 1.96**2 / (100 + 1.96**2))
    assert high == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("n_samples", [49, 100, 1000])
def test_rounding_is_no_disagreement(n_samples):
    """Weights that do not sum to 1 exactly make an arc that all have a little more or less than certain."""
    weights, arcs = np.full((n_samples, 1), 0.1), np.ones((n_samples, 1, 1, 1))
    posterior = arc_posteriors(weights, arcs)
    for rounded in (posterior, posterior + 2e-16, posterior - 2e-16):
        low, _ = arc_intervals(weights, arcs, rounded)
        assert low.item() > 1 - 4 / n_samples
