"""Claim: what a proven bound refutes is no check of another, and no value; of one that goes both ways a single run is
none, either.

Sources are made up, so that the truth, 0, is known.
"""

import pytest

from ockham.contracts import Doubt, Estimator, Evidence
from ockham.estimation import certifying
from ockham.estimation.sources import Source, Sources

MEDIAN, LOWER = Estimator("m", over_runs="median"), Estimator("b", bound="lower")


def source(name, *values, error=0.05, two_sided=False, most=float("inf")):
    """Runs with these values, the last of them again and again; of twice the work each where they go both ways."""

    def run(index):
        return {}, {name: Evidence(values[min(index, len(values) - 1)], error)}

    return Source(name, {name: MEDIAN}, run, grows=two_sided, two_sided=two_sided, most=most)


def certify(bound, *samplers):
    vb = Source("vb", {"vb": LOWER}, lambda index: ({}, {"vb": Evidence(bound)}))
    (found,), _ = certifying.certify([Sources(None, [vb], list(samplers))], 0.1, 0.5)
    return found


@pytest.mark.parametrize("bound", [-1.0, -20.0])
def test_one_that_a_bound_refutes_leaves_the_value_of_another(bound):
    """Both have small errors; the lower one would be a contradiction where no bound refutes it."""
    found = certify(bound, source("smc", -10.0, error=0.001), source("bridge", 0.0))
    assert found.trusted == (bound == -1.0)
    assert found.trusted == (found.scorer == "bridge")
    if not found.trusted:
        assert Doubt.RUNS_DIFFER in found.doubt


def test_one_alone_that_a_bound_refutes_is_unknown_for_that():
    found = certify(-1.0, source("smc", -10.0, error=0.001))
    assert not found.trusted
    assert Doubt.BELOW_BOUND in found.doubt
    assert found.at_least == -1.0


def test_a_single_run_both_ways_is_unknown_without_another():
    alone = certify(-20.0, source("annealing", -10.0, two_sided=True, most=1))
    assert alone.doubt == Doubt.UNCHECKED
    assert certify(-20.0, source("annealing", 0.0, 0.01, two_sided=True, most=2)).trusted
    assert certify(-20.0, source("annealing", 0.0, two_sided=True, most=1), source("bridge", 0.0)).trusted


def test_two_runs_both_ways_that_differ_go_on():
    found = certify(-20.0, source("annealing", -10.0, 0.0, 0.01, two_sided=True))
    assert found.trusted
    assert found.log_evidence == 0.01
