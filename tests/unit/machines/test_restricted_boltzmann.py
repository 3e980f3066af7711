"""Sums over one layer are the sums over both.

Source of truth: tests/reference/boltzmann.py, which visits every state of both layers.
"""

import numpy as np
import pytest
from reference import boltzmann as reference

from ockham.errors import ModelError
from ockham.machines.restricted_boltzmann import (
    RestrictedBoltzmann,
    expected_features,
    feature_covariance,
    log_partition,
    visible_distribution,
)

SHAPES = [(1, 1), (2, 1), (1, 3), (4, 2), (3, 4), (9, 1), (10, 3)]


def drawn(shape, seed=1, deviation=1.0):
    model = RestrictedBoltzmann(*shape)
    return model, np.random.default_rng(seed).normal(0, deviation, model.n_parameters)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("deviation", [0.1, 1.0, 8.0])
def test_log_partition_is_the_sum_over_both_layers(shape, deviation):
    model, theta = drawn(shape, deviation=deviation)
    assert log_partition(model, theta) == pytest.approx(reference.log_partition(*shape, theta), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
def test_moments_of_the_features_are_those_over_both_layers(shape):
    model, theta = drawn(shape)
    mean, covariance = reference.moments(*shape, theta)
    log_total, found = expected_features(model, theta)
    assert log_total == pytest.approx(log_partition(model, theta), abs=1e-12)
    np.testing.assert_allclose(found, mean, atol=1e-13)
    np.testing.assert_allclose(feature_covariance(model, theta), covariance, atol=1e-12)


def test_visible_distribution_is_the_sum_over_the_hidden_layer():
    model, theta = drawn((4, 2))
    vectors = np.array([reference.features(x, z) for x, z in reference.joint_states(4, 2)])
    joint = np.exp(vectors @ theta).reshape(16, 4)
    np.testing.assert_allclose(visible_distribution(model, theta), joint.sum(axis=1) / joint.sum(), rtol=1e-12)


def test_parameters_are_weights_row_by_row_then_visible_then_hidden_biases():
    model = RestrictedBoltzmann(2, 3)
    weights, visible, hidden = model.unpack(np.arange(11.0))
    assert weights.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert visible.tolist() == [6, 7]
    assert hidden.tolist() == [8, 9, 10]
    assert model.n_parameters == 11


def test_exchanging_the_layers_twice_changes_nothing():
    model = RestrictedBoltzmann(3, 2, 0.5)
    assert model.swapped.swapped == model
    assert model.swap[model.swapped.swap].tolist() == list(range(model.n_parameters))


def test_log_prior_is_the_gaussian_density():
    model = RestrictedBoltzmann(1, 1, 2.0)
    theta = np.array([0.3, -1.0, 4.0])
    density = np.exp(-0.5 * (theta / 2) ** 2) / np.sqrt(2 * np.pi * 4)
    assert model.log_prior(theta) == pytest.approx(np.log(density).sum(), rel=1e-14)


@pytest.mark.parametrize(("shape", "named"), [((0, 1), "n_visible"), ((1, 0), "n_hidden"), ((1.5, 1), "n_visible")])
def test_impossible_layers_are_refused(shape, named):
    with pytest.raises(ModelError, match=named):
        RestrictedBoltzmann(*shape)


@pytest.mark.parametrize("deviation", [0.0, -1.0, np.inf, np.nan])
def test_impossible_priors_are_refused(deviation):
    with pytest.raises(ModelError, match="deviation"):
        RestrictedBoltzmann(1, 1, deviation)


def test_a_sum_that_would_take_too_long_is_refused_with_its_cost():
    model = RestrictedBoltzmann(40, 30)
    for function in (log_partition, expected_features, feature_covariance):
        with pytest.raises(ModelError, match=r"2\^30 x 40 terms.*annealed importance sampling"):
            function(model, np.zeros(model.n_parameters))
    with pytest.raises(ModelError, match=r"2\^40 x 30"):
        visible_distribution(model, np.zeros(model.n_parameters))
