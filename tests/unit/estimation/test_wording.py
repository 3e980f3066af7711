"""A doubted value is never said as a number with an error.

Source of truth: the sentences set by hand.
"""

from math import log, nan

import pytest

from ockham.contracts import Doubt, Estimator, Evidence
from ockham.estimation.wording import describe, error_in_words, in_words, lower_bound

FEW, FAILED = Doubt.FEW_EFFECTIVE_SAMPLES, Doubt.RUN_FAILED
UNBIASED, BOUND, OTHER = Estimator("a", over_runs="mean"), Estimator("b", bound="lower"), Estimator("c")


def test_a_value_is_said_with_its_error_if_nothing_speaks_against_it():
    assert in_words(-12.345, 0.05, Doubt(0)) == "-12.35 +- 0.05"
    assert in_words(-12.345, nan, Doubt(0), digits=1) == "-12.3"
    assert in_words(nan, 0.05, Doubt(0)) == "unknown"


def test_an_error_that_is_not_zero_is_not_said_to_be():
    said = {0.0051: "-12.35 +- 0.01", 0.0034: "-12.346 +- 0.003", 1e-7: "-12.3456 +- 0.0001", 0.0: "-12.35 +- 0.00"}
    assert {error: in_words(-12.3456, error, Doubt(0)) for error in said} == said
    assert {error: f"+- {error_in_words(error)}" for error in said} == {e: s[s.index("+-") :] for e, s in said.items()}
    assert error_in_words(0.03, digits=1) == "0.03"


def test_a_doubted_value_is_said_as_a_bound_or_as_unknown():
    assert in_words(-12.345, 0.05, FEW, -15.3) == "at least -15.30"
    assert in_words(-12.345, 0.05, FEW) == "unknown"
    assert describe(Evidence(-12.0, 0.1, doubt=FEW), OTHER) == "unknown"
    assert describe(Evidence(-12.0, 0.1, doubt=FEW), UNBIASED) == "at least -15.00 at 95 %"  # by Markov's inequality
    assert describe(Evidence(-12.0, doubt=FEW), BOUND) == "at least -12.00"  # for certain


@pytest.mark.parametrize(
    ("estimator", "doubt", "expected"),
    [(UNBIASED, FEW, -12 + log(0.05)), (UNBIASED, FAILED, nan), (BOUND, FEW, -12.0), (OTHER, FEW, nan)],
)
def test_what_bounds_the_evidence(estimator, doubt, expected):
    assert lower_bound(-12.0, doubt, estimator) == pytest.approx(expected, nan_ok=True)
