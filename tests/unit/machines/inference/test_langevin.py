"""Claim: the brief gradient is that of one-step contrastive divergence, and a step is one of Langevin dynamics.

Truth: the mean over every state that one sweep can reach; the stationary variance of a discretised Ornstein-Uhlenbeck
process, which is what is left of the posterior where the data hardly matter; simulated scale reduction factors.
Statistical claims hold within 4 standard errors, and fail for a gradient that forgets how often a row occurs and for
noise of another size.
"""

import numpy as np
import pytest

from ockham.estimation.scale_reduction import multivariate_scale_reduction
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference import langevin
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, features_given, sigmoid, states

MODEL = RestrictedBoltzmann(3, 2, 0.8)
DATA = BinaryRows.of((np.random.default_rng(1).random((40, 3)) < [0.1, 0.5, 0.6]).astype(int))
THETA = np.random.default_rng(2).normal(0, 1.0, MODEL.n_parameters)


def expected_gradient():
    """Every hidden state given every row, every reconstruction given that."""
    weights, visible, hidden = MODEL.unpack(THETA)
    total = -THETA / 0.8**2
    for row, count in zip(DATA.rows, DATA.counts, strict=True):
        total += count * features_given(MODEL, THETA, row[None], np.ones(1))
        active = sigmoid(row @ weights + hidden)
        for z in states(2):
            back = sigmoid(weights @ z + visible)
            for x in states(3):
                probability = np.prod(np.where(z, active, 1 - active)) * np.prod(np.where(x, back, 1 - back))
                total -= count * probability * features_given(MODEL, THETA, x[None], np.ones(1))
    return total


def largest_z(data, n_reconstructions):
    """Of all entries of the mean gradient, over many estimates."""
    gradient = langevin.BriefGradient(MODEL, data, n_reconstructions)
    rng = np.random.default_rng(3)
    found = np.array([gradient(THETA, rng) for _ in range(10_000)])
    return abs((found.mean(axis=0) - expected_gradient()) / (found.std(axis=0) / np.sqrt(len(found)))).max()


@pytest.mark.parametrize("n_reconstructions", [1, 3, 100])
def test_the_gradient_is_that_of_one_sweep_from_the_data(n_reconstructions):
    """However often a row is reconstructed; a data set of every row once has another."""
    assert largest_z(DATA, n_reconstructions) < 4
    assert largest_z(BinaryRows(DATA.rows, np.ones_like(DATA.counts)), n_reconstructions) > 4


def test_more_rows_of_one_kind_cost_no_more():
    many = BinaryRows(DATA.rows, DATA.counts * 10_000)
    assert len(langevin.BriefGradient(MODEL, many, 7).rows) == 7 * len(DATA.rows)
    assert langevin.BriefGradient(MODEL, many, 7).row_weights.sum() == pytest.approx(many.n)


def z_of_variance(noise_factor):
    """Against sigma^2 / (1 - step^2 / (4 sigma^2)), for a narrow prior and one row."""
    model, step = RestrictedBoltzmann(2, 1, 0.01), 0.01
    gradient = langevin.BriefGradient(model, BinaryRows.of([[0, 1]]), 10)
    rng = np.random.default_rng(4)
    draws = langevin.run(
        gradient, np.zeros((400, 5)), rng, step_size=step * noise_factor, n_burn_in=50, n_draws=40, interval=10
    )
    expected = 0.01**2 / (1 - step**2 / (4 * 0.01**2))
    squares = (draws**2).mean(axis=(1, 2))
    return (squares.mean() - expected) / (squares.std(ddof=1) / np.sqrt(len(squares)))


def test_a_step_is_one_of_langevin_dynamics():
    assert abs(z_of_variance(1.0)) < 4
    assert abs(z_of_variance(1.2)) > 4


def test_draws_are_the_given_number_of_steps_apart():
    """The same stream, every step kept."""
    gradient = langevin.BriefGradient(MODEL, DATA, 10)
    start = np.tile(THETA, (2, 1))

    def run(**lengths):
        return langevin.run(gradient, start, np.random.default_rng(5), step_size=0.05, **lengths)

    every = run(n_burn_in=0, n_draws=14, interval=1)
    np.testing.assert_array_equal(run(n_burn_in=5, n_draws=3, interval=3), every[:, [7, 10, 13]])


@pytest.mark.parametrize(
    "shape", [(10, 500, 201), (10, 200, 59), (2, 200, 59), (4, 25, 11), (10, 25, 1), (20, 30, 300)]
)
def test_the_factor_of_independent_draws_is_that_of_simulated_ones(shape):
    rng = np.random.default_rng(4)
    simulated = [multivariate_scale_reduction(rng.standard_normal(shape)) for _ in range(40)]
    allowed = 4 * np.std(simulated) / np.sqrt(40) + (0.05 if shape[0] == 2 else 0.01)
    assert abs(langevin.independent_scale_reduction(*shape) - np.mean(simulated)) < allowed


def test_draws_that_do_not_span_the_parameters_have_no_factor():
    assert langevin.independent_scale_reduction(2, 4, 7) == np.inf
    assert np.isfinite(langevin.independent_scale_reduction(2, 5, 7))
