"""Claim: the annealed estimate of the partition function is unbiased, and its standard error is its spread.

Truth: the sum over the smaller layer. Claims hold within 4 standard errors, and fail for a schedule that leaves out its
first half.
"""

import numpy as np
import pytest

from ockham.estimation.schedules import linear_schedule
from ockham.machines.inference.partition_annealing import annealed_log_partition
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, log_partition

MODEL = RestrictedBoltzmann(8, 4)


def z(temperatures, seed=1, n_chains=4000):
    theta = np.random.default_rng(seed).normal(0, 1.5, MODEL.n_parameters)
    found, error = annealed_log_partition(MODEL, theta, temperatures, n_chains, np.random.default_rng(seed + 1))
    assert error < 0.2
    return (found - log_partition(MODEL, theta)) / error


@pytest.mark.parametrize("seed", range(4))
def test_it_finds_the_partition_function(seed):
    """With few temperatures too, for the estimate is unbiased with any number."""
    assert abs(z(linear_schedule(20), seed)) < 4
    assert abs(z(linear_schedule(100), seed, 500)) < 4


def test_half_of_the_schedule_does_not():
    assert abs(z(linear_schedule(100)[50:])) > 4


def test_more_temperatures_make_it_sharper():
    theta = np.random.default_rng(3).normal(0, 2.0, MODEL.n_parameters)
    errors = [
        annealed_log_partition(MODEL, theta, linear_schedule(n), 1000, np.random.default_rng(4))[1] for n in (10, 300)
    ]
    assert errors[1] < errors[0] / 2
