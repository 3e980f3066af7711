"""Claim: the mean of passes is the integral of the weight, at given stages without bias, and that of passes back its
inverse.

Truth: closed forms of normal densities, on a part of the space. Walks that accept whatever is proposed, steps that
leave another density as it is, and a way back from another density, must be noticed.
"""

import sys

import numpy as np
import pytest
from scipy.stats import norm

from ockham.estimation import tempering
from ockham.estimation.tempering import Size, Stage

MEAN, DEVIATION, LOG_NORMALISER = np.array([1.5, 1.0, -0.5]), np.array([0.2, 0.5, 1.0]), -7.0
DRAWN = DEVIATION
SIZE = Size(8, 8)
N_PASSES = 400


def log_weights(points):
    """Of a normal density with this normaliser, where the first coordinate is positive."""
    logs = LOG_NORMALISER + norm.logpdf(points, MEAN, DEVIATION).sum(axis=1) - norm.logpdf(points).sum(axis=1)
    return np.where(points[:, 0] > 0, logs, -np.inf)


PART = norm.sf(0, MEAN[0], DEVIATION[0])
TRUTH = np.exp(LOG_NORMALISER) * PART


def z_score(estimates, truth):
    """Distance of the mean of unbiased estimates from the truth in standard errors."""
    return (np.mean(estimates) - truth) / (np.std(estimates, ddof=1) / np.sqrt(len(estimates)))


def forward(n_passes=N_PASSES, seed=1):
    rng = np.random.default_rng(seed)
    pilot = tempering.run(log_weights, 3, SIZE, rng)
    assert len(pilot.stages) > 2
    passes = [tempering.run(log_weights, 3, SIZE, rng, stages=pilot.stages) for _ in range(n_passes)]
    return z_score(np.exp([each.log_normaliser for each in passes]), TRUTH)


def back(n_passes=N_PASSES, seed=2):
    rng = np.random.default_rng(seed)
    stages = tempering.run(log_weights, 3, Size(32, 32), rng, least_share=0.8).stages
    found = []
    for _ in range(n_passes):
        points = MEAN + DRAWN * rng.standard_normal((100, 3))
        points = points[points[:, 0] > 0]
        found.append(tempering.run_back(log_weights, points, SIZE, stages, rng).log_normaliser)
    return z_score(np.exp(found), 0.5 / TRUTH)


def test_passes_are_unbiased():
    assert abs(forward()) < 4


def test_passes_back_are_unbiased():
    assert abs(back()) < 4


def test_a_constant_weight_needs_one_temperature_and_is_exact():
    found = tempering.run(lambda points: np.full(len(points), 2.5), 3, SIZE, np.random.default_rng(1))
    assert found.log_normaliser == pytest.approx(2.5)
    assert [stage.temperature for stage in found.stages] == [1.0]
    assert found.n_evaluations == 64


def test_temperatures_rise_to_one_and_have_the_share():
    found = tempering.run(log_weights, 3, Size(32, 32), np.random.default_rng(1), least_share=0.7)
    temperatures = [stage.temperature for stage in found.stages]
    assert temperatures == sorted(set(temperatures))
    assert temperatures[-1] == 1.0
    fewer = tempering.run(log_weights, 3, Size(32, 32), np.random.default_rng(1), least_share=0.2)
    assert len(fewer.stages) < len(temperatures)
    assert found.inside == pytest.approx(0.5, abs=4 * 0.5 / 32)


def test_no_weight_at_all_is_minus_infinity():
    found = tempering.run(lambda points: np.full(len(points), -np.inf), 3, SIZE, np.random.default_rng(1))
    assert found.log_normaliser == -np.inf


def test_no_point_with_a_weight_has_no_way_back():
    stages = (Stage(1.0, 0.5),)
    found = tempering.run_back(log_weights, -np.ones((5, 3)), SIZE, stages, np.random.default_rng(1))
    assert np.isnan(found.log_normaliser)


def test_the_check_notices_walks_that_accept_whatever_is_proposed(monkeypatch):
    right = tempering._walk

    def everywhere(log_weights, points, logs, stage, *arguments, **options):
        return right(log_weights, points, logs, Stage(1e-9, stage.step), *arguments, **options)

    monkeypatch.setattr(tempering, "_walk", everywhere)
    assert abs(forward()) > 4


def test_the_check_notices_steps_that_leave_another_density_as_it_is(monkeypatch):
    """Without the square root."""
    monkeypatch.setattr(tempering, "_contraction", lambda step: 1 - step**2)
    assert abs(forward()) > 4


def test_the_check_notices_a_way_back_that_begins_elsewhere(monkeypatch):
    """In the middle of the density."""
    monkeypatch.setattr(sys.modules[__name__], "DRAWN", 0.5 * DEVIATION)
    assert abs(back()) > 4
