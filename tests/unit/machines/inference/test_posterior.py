"""Claim: the posterior density, its gradient and its Hessian belong together, exact and from samples alike.

Truth: finite differences; sums over every state of both layers; the definition of the effective sample size, sample by
sample; exact draws. The Hessian as eq. (7) of the paper prints it fails.
"""

import numpy as np
import pytest
from reference import boltzmann as reference

from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference.posterior import Enumerated, Posterior, Sampled
from ockham.machines.restricted_boltzmann import (
    RestrictedBoltzmann,
    covariance_given,
    log_partition,
    log_unnormalised,
    states,
    visible_distribution,
)

MODEL = RestrictedBoltzmann(4, 2)
DATA = BinaryRows.of(np.random.default_rng(1).integers(0, 2, (30, 4)))


def parameters(seed, deviation=1.0):
    return np.random.default_rng(seed).normal(0, deviation, MODEL.n_parameters)


def exact_draws(theta, n, seed):
    return states(4)[np.random.default_rng(seed).choice(16, n, p=visible_distribution(MODEL, theta))]


def posterior(kind, n_samples=500):
    reference_point = parameters(2)
    partition = Enumerated(MODEL)
    if kind == "sampled":
        partition = Sampled(MODEL, BinaryRows.of(exact_draws(reference_point, n_samples, 3)), reference_point)
    return Posterior(MODEL, DATA, partition, 0.7)


both = pytest.mark.parametrize("kind", ["enumerated", "sampled"])


@both
def test_derivatives_are_those_of_the_density(kind):
    target, theta = posterior(kind), parameters(2) + 0.3 * parameters(4)
    value, gradient = target.with_gradient(theta)
    assert value == pytest.approx(target.along(theta, theta)(0.0)[0], rel=1e-12)
    np.testing.assert_allclose(
        gradient, reference.differences(lambda t: target.with_gradient(t)[0], theta), rtol=1e-6, atol=1e-6
    )
    hessian = reference.differences(lambda t: -target.with_gradient(t)[1], theta)
    np.testing.assert_allclose(target.precision(theta), hessian, rtol=1e-6, atol=1e-6)


def test_the_hessian_as_printed_is_another():
    """Eq. (7) leaves out the covariance between samples, and need not be positive definite anywhere."""
    target, theta = posterior("sampled"), parameters(2)
    samples = target.partition.samples
    within = DATA.n * covariance_given(MODEL, theta, samples.rows, samples.counts / samples.n)
    printed = within - covariance_given(MODEL, theta, DATA.rows, DATA.counts) + 0.7 * np.eye(MODEL.n_parameters)
    hessian = reference.differences(lambda t: -target.with_gradient(t)[1], theta)
    assert abs(printed - hessian).max() > 1.0


@both
def test_a_line_is_the_density_along_it(kind):
    target, theta, direction = posterior(kind), parameters(5), parameters(6, 0.3)
    at = target.along(theta, direction)
    for distance in (-1.5, 0.0, 0.4):
        point = theta + distance * direction
        expected = target.with_gradient(point)[0], target.partition.effective_fraction(point)
        assert at(distance) == pytest.approx(expected, rel=1e-12)


def test_the_exact_hessian_is_that_over_every_state():
    theta = parameters(7)
    expected = DATA.n * reference.moments(4, 2, theta)[1] + 0.7 * np.eye(MODEL.n_parameters)
    for row, count in zip(DATA.rows, DATA.counts, strict=True):
        features = np.array([reference.features(row, z) for z in states(2)])
        weights = np.exp(features @ theta)
        expected -= count * np.cov(features.T, aweights=weights / weights.sum(), ddof=0)
    np.testing.assert_allclose(posterior("enumerated").precision(theta), expected, atol=1e-10)


def z_of_ratio(samples_at, theta, base, n=20_000):
    """Standard errors between the sampled and the exact ln Z(theta) - ln Z(base)."""
    samples = exact_draws(samples_at, n, 8)
    found = Sampled(MODEL, BinaryRows.of(samples), base).expected(theta)[0]
    ratios = np.exp(log_unnormalised(MODEL, theta, samples) - log_unnormalised(MODEL, base, samples))
    error = ratios.std(ddof=1) / ratios.mean() / np.sqrt(n)
    return (found - (log_partition(MODEL, theta) - log_partition(MODEL, base))) / error


def test_importance_sampling_finds_the_ratio_of_partition_functions():
    base, theta = parameters(2), parameters(2) + 0.3 * parameters(4)
    assert abs(z_of_ratio(base, theta, base)) < 4
    assert abs(z_of_ratio(theta, theta, base)) > 4


def test_the_effective_fraction_is_the_definition():
    base, theta = parameters(2), parameters(9)
    samples = exact_draws(base, 200, 1)
    weights = np.exp(log_unnormalised(MODEL, theta, samples) - log_unnormalised(MODEL, base, samples))
    weights /= weights.sum()
    found = Sampled(MODEL, BinaryRows.of(samples), base)
    assert found.effective_fraction(theta) == pytest.approx(1 / (200 * (weights**2).sum()), rel=1e-12)
    assert found.effective_fraction(base) == pytest.approx(1.0, rel=1e-12)
