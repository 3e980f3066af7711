"""Claim: the mixture has the density of what it draws, and fits points that no one normal distribution does.

Truth: SciPy's normal distribution, an integral on a grid, and distributions that are mixtures themselves. One component
is the control.
"""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from ockham.estimation.covariances import shrunk_covariance
from ockham.estimation.normal_mixture import NormalMixture

MEANS, SCALES = np.array([[-3.0, 0], [3, 1]]), (1.0, 0.4)


def two_groups(n, seed):
    rng = np.random.default_rng(seed)
    group = rng.random(n) < 0.3
    return np.where(group[:, None], MEANS[1], MEANS[0]) + np.where(group, *SCALES[::-1])[:, None] * rng.standard_normal(
        (n, 2)
    )


def bent(n, seed):
    """Along a parabola, narrow across."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(n)
    return np.stack([x, x**2 + 0.1 * rng.standard_normal(n)], axis=1)


def test_one_component_is_the_normal_distribution():
    points = two_groups(500, 1)
    covariance, _ = shrunk_covariance(points - points.mean(axis=0))
    expected = multivariate_normal(points.mean(axis=0), covariance).logpdf(points)
    np.testing.assert_allclose(NormalMixture.fit(points, 1).log_density(points), expected, rtol=1e-10)


def test_a_component_without_points_is_left_out():
    points = two_groups(50, 1)
    shares = np.stack([np.ones(50), np.zeros(50), np.full(50, 1e-200)], axis=1)
    found = NormalMixture._weighted(points, shares)
    assert len(found.means) == 1
    np.testing.assert_allclose(found.log_density(points), NormalMixture.fit(points, 1).log_density(points), rtol=1e-12)


def test_points_that_are_one_have_a_density():
    assert np.isfinite(NormalMixture.fit(np.ones((40, 3)), 4).log_density(np.ones((2, 3)))).all()


@pytest.mark.parametrize("n_points", [2, 3000])
def test_points_in_two_places_have_a_density(n_points):
    places = np.random.default_rng(6).standard_normal((2, 14))
    mixture = NormalMixture.fit(places[np.arange(n_points) % 2], 1)
    assert np.isfinite(mixture.log_density(places)).all()
    assert np.linalg.eigvalsh(mixture.factors[0] @ mixture.factors[0].T)[0] > 0


def test_equal_weights_are_none():
    around = two_groups(500, 1) - MEANS[0]
    covariance, shrinkage = shrunk_covariance(around)
    weighted, same = shrunk_covariance(around, np.full(len(around), 0.7))
    np.testing.assert_allclose(weighted, covariance, rtol=1e-12)
    assert same == pytest.approx(shrinkage, rel=1e-9)


def test_it_is_the_mixture_that_points_are_drawn_from():
    mixture = NormalMixture.fit(two_groups(4000, 2), 2)
    order = mixture.means[:, 0].argsort()
    np.testing.assert_allclose(np.exp(mixture.log_weights[order]), [0.7, 0.3], atol=0.03)
    np.testing.assert_allclose(mixture.means[order], MEANS, atol=0.1)
    for factor, scale in zip(mixture.factors[order], SCALES, strict=True):
        np.testing.assert_allclose(factor @ factor.T, scale**2 * np.eye(2), atol=0.1)


@pytest.mark.parametrize("n_components", [1, 4])
def test_the_density_integrates_to_one(n_components):
    mixture = NormalMixture.fit(bent(2000, 3), n_components)
    x, y = np.meshgrid(np.linspace(-9, 9, 601), np.linspace(-9, 19, 801), indexing="ij")
    density = np.exp(mixture.log_density(np.stack([x.ravel(), y.ravel()], axis=1)))
    assert density.sum() * (18 / 600) * (28 / 800) == pytest.approx(1, abs=1e-3)


def test_draws_have_the_moments_of_the_mixture():
    points = two_groups(4000, 4)
    drawn = NormalMixture.fit(points, 2).draw(np.random.default_rng(5), 20_000)
    np.testing.assert_allclose(drawn.mean(axis=0), points.mean(axis=0), atol=0.15)
    np.testing.assert_allclose(np.cov(drawn.T), np.cov(points.T), atol=0.3)


def test_more_components_fit_what_is_bent():
    fresh = bent(2000, 6)
    one, four = (NormalMixture.fit(bent(2000, 7), k).log_density(fresh).mean() for k in (1, 4))
    assert four > one + 0.5
