"""Claim: estimates from draws of the posterior and the prior are those of their equations, and find the evidence.

Truth: a parameter on a grid, whose evidence is a sum; the printed iterations, repeated until they stand still.
Statistical claims hold within 4 standard errors, by the delta method, and fail for draws of the prior alone.
"""

import numpy as np
import pytest

from ockham.estimation import posterior_draws

GRID = np.linspace(0.05, 0.95, 40)
LOG_LIKELIHOOD = 7 * np.log(GRID) + 3 * np.log(1 - GRID) - 500.0
EVIDENCE = float(np.log(np.exp(LOG_LIKELIHOOD + 500).mean()) - 500)
N_DRAWS = 20000


def draws(n_posterior=N_DRAWS, n_prior=N_DRAWS, seed=1):
    rng = np.random.default_rng(seed)
    weights = np.exp(LOG_LIKELIHOOD - LOG_LIKELIHOOD.max())
    posterior = rng.choice(LOG_LIKELIHOOD, n_posterior, p=weights / weights.sum())
    return posterior, rng.choice(LOG_LIKELIHOOD, n_prior)


def relative_variance(values):
    return values.var(ddof=1) / values.mean() ** 2 / len(values)


def z_harmonic(posterior):
    error = np.sqrt(relative_variance(np.exp(posterior.min() - posterior)))
    return (posterior_draws.harmonic_mean(posterior) - EVIDENCE) / error


def z_geometric(posterior, prior):
    variance = relative_variance(np.exp((prior - prior.max()) / 2))
    variance += relative_variance(np.exp((posterior.min() - posterior) / 2))
    return (posterior_draws.geometric_bridge(posterior, prior) - EVIDENCE) / np.sqrt(variance)


def z_optimal(posterior, prior):
    found = posterior_draws.optimal_bridge(posterior, prior)
    share = len(posterior) / (len(posterior) + len(prior))
    variance = 0.0
    for values, own in ((prior - found, share), (found - posterior, 1 - share)):
        variance += relative_variance(1 / (own + (1 - own) * np.exp(-values)))
    return (found - EVIDENCE) / np.sqrt(variance)


@pytest.mark.parametrize("seed", range(3))
def test_estimates_find_the_evidence(seed):
    posterior, prior = draws(seed=seed)
    assert abs(z_harmonic(posterior)) < 4
    assert abs(z_geometric(posterior, prior)) < 4
    assert abs(z_optimal(posterior, prior)) < 4
    assert abs(z_optimal(posterior[:5000], prior)) < 4


def test_draws_of_the_wrong_distribution_do_not():
    """Exchanged ones would not do: at equal numbers the equation of the optimal bridge holds for them too."""
    _, prior = draws()
    assert abs(z_harmonic(prior)) > 4
    assert abs(z_geometric(prior, prior)) > 4
    assert abs(z_optimal(prior, prior)) > 4


def test_the_optimal_bridge_is_where_its_iteration_ends():
    """The iteration of Meng and Wong, with shares of a quarter and three quarters."""
    posterior, prior = draws(300, 900)
    ratio = 1.0
    first, second = np.exp(posterior - EVIDENCE), np.exp(prior - EVIDENCE)
    for _ in range(500):
        ratio = (second / (0.25 * second + 0.75 * ratio)).mean() / (1 / (0.25 * first + 0.75 * ratio)).mean()
    assert posterior_draws.optimal_bridge(posterior, prior) == pytest.approx(EVIDENCE + np.log(ratio), abs=1e-10)


@pytest.mark.parametrize("fraction", [0.01, 0.3])
def test_the_stabilised_harmonic_mean_is_where_its_iteration_ends(fraction):
    """The printed form, with the imagined draws of the prior among the terms."""
    posterior, _ = draws(500)
    likelihood, found = np.exp(posterior - EVIDENCE), 1.0
    imagined = fraction * len(posterior) / (1 - fraction)
    for _ in range(20000):
        mixture = fraction * found + (1 - fraction) * likelihood
        found = (imagined + (likelihood / mixture).sum()) / (imagined / found + (1 / mixture).sum())
    expected = EVIDENCE + np.log(found)
    assert posterior_draws.stabilised_harmonic_mean(posterior, fraction) == pytest.approx(expected, abs=1e-9)


def test_a_vanishing_fraction_gives_the_harmonic_mean():
    posterior, _ = draws(500)
    found = posterior_draws.stabilised_harmonic_mean(posterior, 1e-13)
    assert found == pytest.approx(posterior_draws.harmonic_mean(posterior), abs=1e-9)
    assert abs(posterior_draws.stabilised_harmonic_mean(posterior, 0.1) - found) > 0.1


@pytest.mark.parametrize("spread", [0.0, 3000.0])
def test_likelihoods_may_be_one_or_far_apart(spread):
    posterior, prior = np.array([-7.0, -7.0 - spread]), np.array([-7.0 - 2 * spread, -7.0])
    values = [
        posterior_draws.harmonic_mean(posterior),
        posterior_draws.stabilised_harmonic_mean(posterior, 0.1),
        posterior_draws.geometric_bridge(posterior, prior),
        posterior_draws.optimal_bridge(posterior, prior),
    ]
    assert np.isfinite(values).all()
    if not spread:
        np.testing.assert_allclose(values, -7.0, rtol=1e-12)


def test_half_deviance_subtracts_the_effective_number_of_parameters():
    """A Gaussian likelihood in d dimensions: mean deviance exceeds that at the mean by d."""
    rng = np.random.default_rng(3)
    posterior = -0.5 * (rng.normal(size=(N_DRAWS, 6)) ** 2).sum(axis=1)
    found = posterior_draws.half_deviance(posterior, 0.0)
    assert abs(found - (-6.0)) < 4 * 2 * posterior.std() / np.sqrt(N_DRAWS)


def test_the_harmonic_mean_is_worth_its_draws_of_low_likelihood():
    equal = np.full(7, -900.0)
    assert posterior_draws.effective_size_of_harmonic(equal) == pytest.approx(7)
    few = np.append(equal, -930.0)
    assert posterior_draws.effective_size_of_harmonic(few) == pytest.approx(1, abs=1e-9)
    terms = np.exp(-np.array([0.3, 1.0, 2.0]))
    found = posterior_draws.effective_size_of_harmonic(np.array([0.3, 1.0, 2.0]))
    assert found == pytest.approx(terms.sum() ** 2 / (terms**2).sum())
