"""Runs become one value by the declared rule, with the error that the rule has.

Sources of truth: numbers set by hand; the spread of many repetitions for the error of a mean.
"""

from math import isnan, log, nan

import numpy as np
import pytest

from ockham.estimation.combining import combine


def numbers(values, rule, errors=None):
    found = combine(np.array(values, float), rule, None if errors is None else np.array(errors, float))
    return [float(number) for number in found]


def test_max_takes_the_highest_and_its_error():
    assert numbers([-3, -1, nan], "max", [0.1, 0.2, 0.3])[:2] == [-1, 0.2]
    assert numbers([-3, -1], "max")[0] == -1


def test_median_takes_the_middle():
    assert numbers([-3, -1, nan, 70], "median", [0.1, 0.2, nan, 0.4])[:2] == [-1, 0.2]


def test_mean_averages_the_evidence():
    value, error, size = numbers(np.log([1, 3, 2]) - 900, "mean")
    assert value == pytest.approx(log(2) - 900)
    assert error == pytest.approx(1 / np.sqrt(3) / 2)
    assert size == pytest.approx(36 / 14)


def test_one_run_has_no_error_and_none_has_no_value():
    value, error, size = numbers([-4], "mean")
    assert (value, size) == (-4, 1)
    assert isnan(error)
    for rule in ("max", "mean", "median"):
        assert all(isnan(number) for number in numbers([nan, nan], rule))


def test_impossible_runs_count_as_no_evidence():
    assert numbers([-np.inf, 0.0], "mean")[0] == pytest.approx(-log(2))
    assert numbers([-np.inf, -np.inf], "mean")[0] == -np.inf


def test_works_along_the_last_axis():
    values = np.random.default_rng(1).normal(size=(2, 3, 7))
    for rule in ("max", "mean", "median"):
        whole = combine(values, rule)
        for index in np.ndindex(2, 3):
            assert [float(part[index]) for part in whole][:2] == pytest.approx(
                numbers(values[index], rule)[:2], nan_ok=True
            )


@pytest.mark.parametrize(("factor", "agrees"), [(1.0, True), (1.5, False)])
def test_the_error_of_the_mean_is_its_spread(factor, agrees):
    """The mean of z-scores squared is 1, within 4 of its standard errors."""
    values = np.log(np.random.default_rng(2).gamma(20.0, size=(4000, 50)) / 20)
    mean, error, _ = combine(values, "mean")
    squares = (mean / (factor * error)) ** 2
    assert (abs(squares.mean() - 1) < 4 * squares.std() / np.sqrt(len(squares))) == agrees
