"""Claim: weak directions are integrated as trapezoids, and equivalent modes are counted.

Truth: densities along a line whose integrals are known; machines whose hidden units are made alike or not; every
permutation of the units. The rule as the paper prints it, without the division by two, fails.
"""

from itertools import permutations
from math import exp, log, pi, sqrt
from types import SimpleNamespace

import numpy as np
import pytest

from ockham.machines.inference.posterior_modes import equivalent_groups, log_modes, log_width
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann


def width(log_density, fraction=lambda _: 1.0, deviation=1.0):
    """exp(log_width) of a density along a line."""
    line = SimpleNamespace(
        along=lambda theta, direction: lambda t: (log_density(t), fraction(t)), precision_of_prior=deviation**-2
    )
    return exp(log_width(line, np.zeros(1), np.ones(1), 0.9))


@pytest.mark.parametrize("precision", [1e-4, 0.3, 1.0, 1e3])
def test_a_gaussian_misses_what_the_paper_says(precision):
    found = width(lambda t: -1700 - 0.5 * precision * t * t)
    assert found == pytest.approx(2 * sqrt(2 * log(2) / precision), rel=1e-5)
    assert log(found / sqrt(2 * pi / precision)) == pytest.approx(-0.0625, abs=1e-4)


@pytest.mark.parametrize(("left", "right", "flank"), [(1.0, 3.0, 0.5), (0.01, 40.0, 0.01), (0.2, 0.2, 5.0)])
def test_a_trapezoid_is_integrated_exactly(left, right, flank):
    def log_density(t):
        beyond = max(t - right, -left - t, 0.0)
        return log(max(1 - beyond / flank, 1e-300))

    assert width(log_density) == pytest.approx(left + right + flank, rel=1e-4)


def test_it_stops_where_the_samples_do_not_reach():
    assert width(lambda t: 0.0, lambda t: 1 - 0.05 * t * t) == pytest.approx(2 * sqrt(2), rel=1e-5)
    assert width(lambda t: 0.0, lambda t: 1.0 if -3 < t < 7 else 0.0) == pytest.approx(10, rel=1e-5)


MODEL = RestrictedBoltzmann(2, 5)


def machine(columns):
    """Parameters whose hidden units have these weights to the first visible unit."""
    theta = np.zeros(MODEL.n_parameters)
    MODEL.unpack(theta)[0][0] = columns
    return theta


def count(columns, precision=1.0):
    matrix = precision * np.eye(MODEL.n_parameters)
    return round(exp(log_modes(equivalent_groups(MODEL, machine(columns), matrix))))


def test_modes_are_the_distinct_arrangements_of_groups():
    """K! / prod K_r! against every permutation, for units that are equal or far apart."""
    for columns in ([0, 0, 9, 9, 30], [0, 9, 0, 9, 0], [0, 9, 18, 27, 36], [1, 1, 1, 1, 1]):
        assert count(columns) == len(set(permutations(columns)))
    assert count([0, 0, 9, 9, 30]) == 30


@pytest.mark.parametrize("precision", [0.25, 1.0, 16.0])
def test_the_half_way_point_decides(precision):
    """At distance d exp(-precision (d / 2)^2) is above a half; without the division by two d would be half of that."""
    limit = 2 * sqrt(log(2) / precision)
    assert count([0, 0.99 * limit, 500, 1000, 1500], precision) == 60
    assert count([0, 1.01 * limit, 500, 1000, 1500], precision) == 120
    assert count([0, 0.51 * limit, 500, 1000, 1500], precision) == 60


def test_chains_of_overlapping_units_are_one_group():
    """Neighbours overlap, the ends do not."""
    assert count([0.0, 1.5, 3.0, 4.5, 50.0]) == 5
    assert count([3.0, 50.0, 0.0, 4.5, 1.5]) == 5


def test_the_biases_of_hidden_units_are_exchanged_too():
    theta = machine([0, 0, 100, 200, 300])
    MODEL.unpack(theta)[2][:2] = 0, 9
    groups = equivalent_groups(MODEL, theta, np.eye(MODEL.n_parameters))
    assert groups.tolist() == [0, 1, 2, 3, 4]
    MODEL.unpack(theta)[2][:2] = 9, 9
    assert equivalent_groups(MODEL, theta, np.eye(MODEL.n_parameters)).tolist() == [0, 0, 2, 3, 4]


def test_a_direction_of_negative_curvature_joins_units():
    assert count([0, 9, 100, 200, 300], precision=-1.0) == 1
