"""p(model | data) is what the evidences say, intervals have the coverage that they claim, and bounds take their place.

Source of truth: Bayes's rule, and evidences made up, whose errors are known.
"""

from dataclasses import replace
from math import inf, nan

import numpy as np
import pytest
from reference.evidences import certified

from ockham.estimation.model_posterior import bayes_factors, in_words, listed, model_posterior
from ockham.streams import Stream

STREAM = Stream(1, "test")


def bayes(values):
    weights = np.exp(np.array(values) - max(values))
    return weights / weights.sum()


def test_exact_evidences_give_bayes_rule():
    values = {1: -10.0, 2: -9.0, 4: -9.5}
    found = model_posterior({k: certified(value, 0.0) for k, value in values.items()}, STREAM)
    for part in (found.probability, found.low, found.high):
        np.testing.assert_allclose(part, bayes(list(values.values())), rtol=1e-12)
    assert found.chosen == 2
    assert found.leading == (2,)
    assert str(found) == "2"
    assert found.leads.tolist() == [0, 1, 0]


def coverage(claimed, n=300):
    """Share of intervals that hold the true probability; the errors are .3 nats, t with 3 degrees, and .1."""
    rng = np.random.default_rng(2)
    truth = np.array([-3.0, -2.5, -2.8])
    errors, held = np.array([0.3, 0.1, 0.2]), []
    for r in range(n):
        noise = np.array([rng.normal(), rng.normal(), rng.standard_t(3)])
        given = truth + errors * noise
        found = model_posterior(
            {k: certified(given[k], claimed * errors[k], freedom=3.0 if k == 2 else inf) for k in range(3)},
            Stream(r, "coverage"),
        )
        p = bayes(truth)
        held.append((found.low <= p) & (p <= found.high))
    return np.mean(held, axis=0)


def test_intervals_hold_as_often_as_they_say():
    assert (np.abs(coverage(1.0) - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 300)).all()


def test_intervals_of_errors_that_are_too_small_do_not():
    assert (coverage(0.5) < 0.95 - 4 * np.sqrt(0.95 * 0.05 / 300)).all()


def test_errors_leave_open_which_leads():
    found = model_posterior({2: certified(-9.0, 0.3), 3: certified(-9.1, 0.3), 4: certified(-20.0, 0.3)}, STREAM)
    assert found.chosen is None
    assert found.leading == (2, 3)
    assert str(found) == "2 or 3"
    assert found.leads.sum() == pytest.approx(1)
    assert found.leads[0] == pytest.approx(0.593, abs=4 * np.sqrt(0.24 / 20_000))  # Phi(.1 / (.3 sqrt 2))


def test_where_an_evidence_is_unknown_only_bounds_are_known():
    found = model_posterior(
        {1: certified(-9.0, 0.0), 2: certified(nan, at_least=-8.0), 3: certified(-10.0, 0.0)}, STREAM
    )
    assert np.isnan(found.probability).all()
    assert found.chosen is None
    assert found.unknown == (2,)
    assert found.leads[[0, 2]].tolist() == [0, 0]
    assert (found.leading, str(found)) == ((), "unknown")
    at_most = np.exp([-9.0, -10.0]) / np.exp([-9.0, -8.0, -10.0]).sum()
    np.testing.assert_allclose(found.high[[0, 2]], at_most, rtol=1e-9)
    assert found.low[[0, 2]].tolist() == [0, 0]
    assert found.high[1] == 1
    assert found.low[1] == pytest.approx(np.exp(-8.0) / np.exp([-9.0, -8.0, -10.0]).sum())


def test_of_the_known_ones_one_leads_that_an_unknown_one_may_be_below():
    found = model_posterior({1: certified(-9.0, 0.0), 2: certified(nan, at_least=-9.5), 3: certified(nan)}, STREAM)
    assert found.leads[0] == 1
    assert str(found) == "unknown (of those known, 1)"


def test_two_unknown_ones_bound_each_other_by_nothing():
    found = model_posterior({1: certified(-9.0), 2: certified(nan, at_least=-8.0), 3: certified(nan)}, STREAM)
    assert found.low.tolist() == [0, 0, 0]
    assert found.high[1:].tolist() == [1, 1]
    assert found.high[0] < 0.4


def test_bounds_that_hold_with_95_percent_each_hold_together():
    """By Markov's inequality a bound that fails half as often is lower by ln 2; one that is proven never fails."""
    some = [replace(certified(nan, at_least=least), at_least_probability=0.95) for least in (-8.0, -7.5)]
    found = model_posterior({1: certified(-9.0, 0.0), 2: some[0], 3: some[1], 4: certified(nan, at_least=-7.0)}, STREAM)
    others = (np.exp(-8.0) + np.exp(-7.5)) / 2 + np.exp(-7.0)
    assert found.high[0] == pytest.approx(np.exp(-9.0) / (np.exp(-9.0) + others))
    alone = model_posterior({1: certified(-9.0, 0.0), 2: some[0]}, STREAM)
    assert alone.high[0] == pytest.approx(np.exp(-9.0) / (np.exp(-9.0) + np.exp(-8.0)))


def test_a_bound_far_above_all_others_is_no_overflow():
    found = model_posterior({1: certified(-5000.0), 2: certified(nan, at_least=-3000.0)}, STREAM)
    assert found.high[0] < 1e-300
    assert found.low[1] == pytest.approx(1)


def test_nothing_known_is_nothing_said():
    found = model_posterior({1: certified(nan), 2: certified(nan)}, STREAM)
    assert (found.low.tolist(), found.high.tolist()) == ([0, 0], [1, 1])
    assert np.isnan(found.leads).all()
    assert (found.leading, str(found)) == ((), "unknown")


def test_words():
    assert [in_words(p) for p in (0.0, 0.25, 1.0, nan)] == ["<0.001", "0.250", ">0.999", "unknown"]
    assert (listed([1], "or"), listed([1, 2, 3], "and")) == ("1", "1, 2 and 3")


def test_equal_evidences_share_the_lead():
    found = model_posterior({"a": certified(-9.0, 0.0), "b": certified(-9.0 + 1e-13, 0.0)}, STREAM)
    assert found.leads.tolist() == [0.5, 0.5]
    assert found.chosen is None
    assert str(found) == "a or b"


def test_the_standard_error_of_a_probability_is_that_of_the_delta_method():
    """Of two models it is p (1 - p) times that of the log Bayes factor, where this is small."""
    found = model_posterior({1: certified(-9.0, 0.03), 2: certified(-9.5, 0.04)}, STREAM)
    p = found.probability[0]
    np.testing.assert_allclose(found.standard_error, p * (1 - p) * 0.05, rtol=0.03)


def factor_coverage(claimed, n=400):
    """Share of intervals that hold the true log Bayes factor."""
    rng, held = np.random.default_rng(3), []
    for r in range(n):
        given = -10 + 0.3 * rng.normal(), -12 + 0.2 * rng.standard_t(5)
        evidences = {"a": certified(given[0], claimed * 0.3), "b": certified(given[1], claimed * 0.2, freedom=5.0)}
        factor = bayes_factors(evidences, "a", Stream(r, "factors"))["b"]
        held.append(factor.low <= -2 <= factor.high)
    return np.mean(held)


def test_intervals_of_bayes_factors_hold_as_often_as_they_say():
    assert abs(factor_coverage(1.0) - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 400)


def test_intervals_of_bayes_factors_of_errors_that_are_too_small_do_not():
    assert factor_coverage(0.5) < 0.95 - 4 * np.sqrt(0.95 * 0.05 / 400)


def test_bayes_factors_are_differences_with_errors_added_in_square():
    evidences = {"a": certified(-9.0, 0.3), "b": certified(-11.0, 0.4), "c": certified(-9.5, 0.0)}
    found = bayes_factors(evidences, "a", STREAM)
    assert found["a"] == (0, 0, 0, 0)
    assert found["b"][:2] == (-2.0, pytest.approx(0.5))
    np.testing.assert_allclose(found["b"][2:], [-2 - 1.96 * 0.5, -2 + 1.96 * 0.5], atol=0.05)
    assert found["c"][:2] == (-0.5, 0.3)


def test_bayes_factors_of_unknown_evidences_are_bounded_by_what_is_known():
    evidences = {"a": certified(-9.0, 0.1), "b": certified(nan, at_least=-11.0), "c": certified(nan)}
    found = bayes_factors(evidences, "a", STREAM)
    assert np.isnan(found["b"][:2]).all()
    assert found["b"].low == pytest.approx(-2 - 3.09 * 0.1, abs=0.05)
    assert found["b"].high == inf
    assert found["c"][2:] == (-inf, inf)
    against = bayes_factors(evidences, "b", STREAM)
    assert against["a"].high == pytest.approx(2 + 3.09 * 0.1, abs=0.05)
    assert against["b"][2:] == against["c"][2:] == (-inf, inf)
