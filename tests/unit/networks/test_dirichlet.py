"""Draws from and densities of products of Dirichlet rows.

Sources of truth: scipy.stats.dirichlet for the density; the Dirichlet's first two moments and the digamma means of its
logs for the draws, |z| < 4 on the Monte Carlo standard error. ``OCKHAM_TEST_SEEDS`` sets how many seeds are tried.
"""

import os

import numpy as np
import pytest
from reference.network import rows_of_cells
from reference.network_cases import CASES, random_parameters
from scipy.special import digamma, polygamma
from scipy.stats import dirichlet

from ockham.networks.dirichlet import log_density, sample_log
from ockham.networks.discrete_network import DiscreteNetwork

SEEDS = range(int(os.environ.get("OCKHAM_TEST_SEEDS", "2")))
N_DRAWS = 3000
networks = pytest.mark.parametrize("network", CASES.values(), ids=CASES.keys())


def largest_z(samples, expected):
    """The largest |z| of column means, each on its own standard error."""
    error = samples.std(axis=0, ddof=1) / np.sqrt(len(samples))
    return np.max(np.abs(samples.mean(axis=0) - expected) / error)


@networks
def test_density_is_the_product_over_rows(network):
    parameters = random_parameters(network, 3)
    expected = sum(dirichlet.logpdf(parameters[row], network.prior[row]) for row in rows_of_cells(network))
    assert log_density(network, parameters) == pytest.approx(expected, rel=1e-12, abs=1e-10)


def test_density_at_the_border_of_the_simplex():
    def at_zero(prior):
        network = DiscreteNetwork.build({"a": 2}, {}, (), {"a": [prior, 1.0]})
        return log_density(network, np.array([0.0, 1.0]))

    assert at_zero(2.0) == -np.inf
    assert at_zero(0.5) == np.inf
    assert at_zero(1.0) == pytest.approx(0.0, abs=1e-14)  # the stated error of ln Gamma


@networks
def test_draws_are_normalised_logs(network):
    draw = sample_log(network, np.random.default_rng(1))
    assert draw.shape == (network.n_entries,)
    assert np.isfinite(draw).all()
    assert (draw <= 1e-12).all()
    for row in rows_of_cells(network):
        assert np.exp(draw[row]).sum() == pytest.approx(1.0, abs=1e-12)


MOMENTS = DiscreteNetwork.build(
    {"h": 3, "y": 2}, {"y": ["h"]}, ["h"], {"h": [0.3, 1.0, 5.0], "y": [[2.0, 0.7], [0.1, 0.1], [1.0, 40.0]]}
)


def moment_z(network, draws):
    """The largest |z| over mean, second moment and mean log of every entry."""
    prior, total = network.prior, np.empty(network.n_entries)
    for row in rows_of_cells(network):
        total[row] = prior[row].sum()
    theta = np.exp(draws)
    return max(
        largest_z(theta, prior / total),
        largest_z(theta**2, prior * (prior + 1) / (total * (total + 1))),
        largest_z(draws, digamma(prior) - digamma(total)),
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_moments(seed):
    rng = np.random.default_rng(seed)
    assert moment_z(MOMENTS, np.array([sample_log(MOMENTS, rng) for _ in range(N_DRAWS)])) < 4


@pytest.mark.parametrize("seed", SEEDS)
def test_the_moment_check_notices_a_wrong_prior(seed):
    rng = np.random.default_rng(seed)
    other = DiscreteNetwork.build(
        {"h": 3, "y": 2}, {"y": ["h"]}, ["h"], {"h": [0.3, 1.0, 5.0], "y": [[2.0, 0.7], [0.1, 0.13], [1.0, 40.0]]}
    )
    assert moment_z(MOMENTS, np.array([sample_log(other, rng) for _ in range(N_DRAWS)])) > 4


@pytest.mark.parametrize("seed", SEEDS)
def test_independent_rows(seed):
    """Entries of different rows do not correlate."""
    rng = np.random.default_rng(seed)
    network = DiscreteNetwork.build({"h": 2, "y": 2}, {"y": ["h"]}, ["h"])
    first = np.exp(np.array([sample_log(network, rng) for _ in range(N_DRAWS)]))[:, ::2]
    correlation = np.corrcoef(first, rowvar=False)[np.triu_indices(3, 1)]
    assert np.abs(correlation).max() < 4 / np.sqrt(N_DRAWS)


@pytest.mark.parametrize("seed", SEEDS)
def test_tiny_hyperparameters_keep_finite_logs(seed):
    """At 1e-3 the gammas themselves underflow; the logs have mean digamma(a) - digamma(2a) and stay finite."""
    network, rng = DiscreteNetwork.build({"a": 2, "b": 2}, {"b": ["a"]}, (), 1e-3), np.random.default_rng(seed)
    draws = np.array([sample_log(network, rng) for _ in range(N_DRAWS)])
    assert np.isfinite(draws).all()
    assert draws.min() < -745
    assert largest_z(draws, digamma(1e-3) - digamma(2e-3)) < 4
    second_moment = polygamma(1, 1e-3) - polygamma(1, 2e-3) + (digamma(1e-3) - digamma(2e-3)) ** 2
    assert largest_z(draws**2, second_moment) < 4


def test_the_same_generator_gives_the_same_draw():
    network = CASES["asymmetric prior"]
    first, second = (sample_log(network, np.random.default_rng(9)) for _ in range(2))
    np.testing.assert_array_equal(first, second)
