"""Claim: a bridge with a large error or few independent draws, far from its weights or below a bound, is doubted.

Source of truth: the thresholds of the docstrings, on both sides; an error that is not a number speaks against a bridge.
"""

from math import inf, nan

import pytest

from ockham.contracts import Doubt
from ockham.estimation.doubting import doubt_of_bound, doubt_of_bridge, doubt_of_error, doubt_of_weights


@pytest.mark.parametrize(
    ("error", "n_draws", "time", "doubt"),
    [
        (0.5, 400, 2.0, Doubt(0)),
        (0.51, 400, 2.0, Doubt.FEW_EFFECTIVE_SAMPLES),
        (0.5, 399, 2.0, Doubt.NOT_MIXED),
        (0.5, 400, 2.1, Doubt.NOT_MIXED),
        (inf, 0, nan, Doubt.FEW_EFFECTIVE_SAMPLES | Doubt.NOT_MIXED),
        (nan, 400, 2.0, Doubt.FEW_EFFECTIVE_SAMPLES),
    ],
)
def test_bridges(error, n_draws, time, doubt):
    assert doubt_of_bridge(error, n_draws, time) == doubt


@pytest.mark.parametrize(("error", "is_doubted"), [(0.0, False), (0.5, False), (0.51, True), (inf, True), (nan, True)])
def test_errors(error, is_doubted):
    assert doubt_of_error(error) == (Doubt.FEW_EFFECTIVE_SAMPLES if is_doubted else Doubt(0))


def test_an_estimate_may_be_three_errors_below_a_bound():
    assert doubt_of_bound(-10.3, 0.11, -10.0) == Doubt(0)
    assert doubt_of_bound(-10.3, 0.09, -10.0) == Doubt.BELOW_BOUND
    assert doubt_of_bound(-9.0, 0.0, -10.0) == Doubt(0)


def test_weights_may_be_four_errors_of_both_away():
    assert doubt_of_weights(-10.0, 0.03, -9.801, 0.04) == Doubt(0)
    assert doubt_of_weights(-10.0, 0.03, -9.799, 0.04) == Doubt.NOT_MIXED
    assert doubt_of_weights(-10.0, 0.03, -10.201, 0.04) == Doubt.NOT_MIXED
    assert doubt_of_weights(-10.0, 0.0, -10.0 + 5e-7, 0.0) == Doubt(0)
    assert doubt_of_weights(-10.0, 0.0, nan, 0.0) == Doubt.NOT_MIXED
