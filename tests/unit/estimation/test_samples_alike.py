"""Claim: samples that are all alike do not make an evidence exact: it needs a check, and is not called so.

Sources are made up, so that the truth, 0, is known. An error of 0 that is not by samples is exact, the control.
"""

from math import inf, nan

import pytest

from ockham.contracts import Doubt, Estimator, Evidence
from ockham.estimation import certifying
from ockham.estimation.sources import Source, Sources


def source(name, error, size):
    evidence = Evidence(0.0, error, effective_sample_size=size)
    return Source(name, {name: Estimator("m", over_runs="median")}, lambda index: ({}, {name: evidence}))


def certify(*samplers):
    (found,), _ = certifying.certify([Sources(None, [], list(samplers))], 0.1, 60)
    return found


@pytest.mark.parametrize("size", [inf, nan])
def test_no_error_without_samples_is_exact(size):
    found = certify(source("bridge", 0.0, size))
    assert str(found) == "0.00 (exact)"


def test_samples_that_are_all_alike_are_unknown_without_a_check():
    found = certify(source("smc", 0.0, 8.0))
    assert found.doubt == Doubt.UNCHECKED
    assert not found.trusted


@pytest.mark.parametrize("error", [0.05, 0.3])
def test_they_are_known_by_one_that_has_an_error_and_are_not_exact(error):
    found = certify(source("smc", 0.0, 8.0), source("bridge", error, inf))
    assert (found.scorer, found.checked_by) == ("bridge", "smc")
    assert 0 < found.standard_error <= error
    assert "exact" not in str(found)
