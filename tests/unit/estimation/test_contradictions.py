"""What one run has shown, no later one takes back: a value is unknown that a run was above, or a proven bound.

Sources of truth: runs made up, and draws of Student's t distribution.
"""

from math import inf
from time import sleep

import numpy as np
import pytest

from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence
from ockham.estimation.certifying import certify
from ockham.estimation.growing import APART, above, differ
from ockham.estimation.sources import PROVEN, Source, Sources

MEDIAN, MEAN = Estimator("m", over_runs="median"), Estimator("u", over_runs="mean")


def source(name, *runs, about=MEDIAN, **more):
    """One whose runs are these, in turn, and then the last."""
    return Source(name, {name: about}, lambda index: ({}, {name: runs[min(index, len(runs) - 1)]}), **more)


def found_of(*samplers):
    (found,), _ = certify([Sources(None, [], samplers)], 0.1, 600)
    return found


def growing(*runs):
    return source("annealing", *runs, grows=True, two_sided=True, leads=True)


def test_a_run_of_more_work_does_not_overrule_a_higher_one():
    check = source("tempered", Evidence(-20.0, 0.4), about=MEAN, grows=True, two_sided=True)
    found = found_of(growing(Evidence(-10.0, 0.2), Evidence(-20.0, 0.01)), check)
    assert found.doubt == Doubt.RUNS_DIFFER


def test_a_lower_one_missed_what_the_next_found():
    check = source("tempered", Evidence(-10.0, 0.05), about=MEAN, grows=True, two_sided=True)
    found = found_of(growing(Evidence(-20.0, 0.2), Evidence(-10.0, 0.01)), check)
    assert (found.log_evidence, found.checked_by) == (-10.0, "tempered")


def test_one_whose_runs_differ_is_not_silenced():
    agrees = source("tempered", Evidence(-20.0, 0.05), about=MEAN, grows=True, two_sided=True)
    found = found_of(source("bridge", Evidence(-10.0, 0.2), Evidence(-20.0, 0.05)), agrees)
    assert found.doubt == Doubt.RUNS_DIFFER
    doubted = source("bridge", Evidence(-10.0, 0.2, doubt=Doubt.NOT_MIXED), Evidence(-20.0, 0.05))
    assert found_of(doubted, agrees).trusted  # a run that doubts itself speaks against nobody


@pytest.mark.parametrize("doubt", [NO_DOUBT, Doubt.NOT_MIXED])
@pytest.mark.parametrize(("proven", "known"), [(-19.9, True), (-19.8, False), (-5.0, False)])
def test_the_bound_that_a_run_proves_beside_its_estimate_counts(proven, known, doubt):
    says = Evidence(-20.1, 0.1, doubt=doubt, diagnostics={PROVEN: proven})
    found = found_of(source("bridge", Evidence(-20.0, 0.05)), source("other", says))
    assert found.trusted == known
    assert (found.at_least, found.at_least_probability) == (proven, 1.0)
    if not known:
        assert Doubt.BELOW_BOUND in found.doubt


def test_rounding_of_a_large_value_is_below_no_bound():
    exact = Evidence(-1e6, 0.0, diagnostics={PROVEN: -1e6 + 1e-6})
    assert found_of(source("bridge", exact)).trusted


def test_of_two_that_differ_the_one_with_the_shorter_run_goes_on():
    def slow(index):
        sleep(0.05)
        return {}, {"annealing": Evidence(-10.0, 0.05)}

    high = Source("annealing", {"annealing": MEDIAN}, slow, grows=True, two_sided=True, leads=True)
    low = source("tempered", Evidence(-20.0, 0.05), Evidence(-10.0, 0.05), about=MEAN, grows=True, two_sided=True)
    found = found_of(high, low)
    assert found.log_evidence == -10.0
    assert (len(high.runs), len(low.runs)) == (2, 2)  # no run of one that leads is left alone


def test_what_holds_with_95_percent_is_no_end_of_an_interval_that_has_more():
    found = found_of(source("smc", Evidence(-10.0, 3.0), about=MEAN, most=1))
    assert found.at_least_probability == 0.95
    assert found.interval(0.5) == found.interval(0.95) == (found.at_least, inf)
    assert found.interval(0.999) == found.interval(1) == (-inf, inf)
    proven = found_of(source("smc", Evidence(-10.0, 3.0, diagnostics={PROVEN: -11.0}), about=MEAN, most=1))
    assert proven.interval(1) == (-11.0, inf)
    assert str(proven).startswith("at least -11.00 (")
    between = found_of(source("smc", Evidence(-10.0, 3.0, diagnostics={PROVEN: -11.004}), about=MEAN, most=1))
    assert between.words == "at least -11.01"  # rounded to what is proven


@pytest.mark.parametrize("freedoms", [(3, 3), (7, inf), (inf, 3)])
def test_one_is_above_another_by_chance_in_a_thousandth(freedoms):
    """The control takes the errors for those of normal values."""
    rng, n = np.random.default_rng(1), 10_000
    errors = (0.5, 0.2)
    draws = [
        error * (rng.standard_t(freedom, n) if freedom < inf else rng.standard_normal(n))
        for freedom, error in zip(freedoms, errors, strict=True)
    ]
    pairs = [
        [
            Evidence(float(value), error, degrees_of_freedom=freedom)
            for value, error, freedom in zip(both, errors, freedoms, strict=True)
        ]
        for both in zip(*draws, strict=True)
    ]
    n_above = sum(above(*pair) for pair in pairs)
    assert n_above <= 25
    control = [differ(*pair) and pair[0].log_evidence > pair[1].log_evidence for pair in pairs]
    assert sum(control) > 25
    beyond = APART * 0.2 + 0.01
    assert above(Evidence(beyond, 0.2), Evidence(0.0, 0.0))
    assert not above(Evidence(-beyond, 0.2), Evidence(0.0, 0.0))
