"""Claim: intervals of 95 % have the truth in 95 % of the cases.

Truth: parameters drawn from the prior, under which the coverage is exact, with the labels that the fit has. Each data
set counts once, by the share of its intervals. Intervals of half the width must be noticed.
"""

import runpy
from pathlib import Path

import pytest
from reference.classes import coverage_z

FILE = Path(__file__).parents[4] / "benchmarks/class_intervals.py"
N_DATA_SETS = 40


@pytest.fixture(scope="module")
def distances():
    return [away for away in map(runpy.run_path(str(FILE))["of_network"], range(N_DATA_SETS)) if away.size]


def test_intervals_have_the_truth_as_often_as_they_say(distances):
    assert len(distances) > N_DATA_SETS / 2
    assert abs(coverage_z(distances)) < 4


def test_intervals_of_half_the_width_are_noticed(distances):
    assert coverage_z(distances, 0.5) < -4
