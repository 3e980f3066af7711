"""Claim: the copula has the density of what it draws, and is the Dirichlet distribution where draws are of one.

Truth: closed forms of Dirichlet distributions, in the softmax basis. A density that leaves out a slope must be noticed.
"""

import numpy as np
import pytest
from scipy.special import digamma, gammaln, logsumexp
from scipy.stats import kstest

from ockham.estimation import beta_copula
from ockham.estimation.beta_copula import BetaCopula

ROWS = np.array([0, 2, 5, 9])
SHAPES = {
    "ordinary": np.array([1.0, 2, 0.5, 3, 1, 20, 1, 4, 0.3]),
    "concentrated": np.array([1e4, 3e4, 500, 1e5, 10, 2e3, 1e3, 4e4, 300]),
    "sparse": np.array([1e-3, 2e-3, 0.5, 1e-6, 1, 2e-6, 1e-6, 4, 1e-5]),
}


def draws(shape, n, seed):
    """Logs of Dirichlet rows, drawn so that nothing underflows."""
    rng = np.random.default_rng(seed)
    logs = np.log(rng.standard_gamma(shape + 1, (n, len(shape)))) + np.log(rng.random((n, len(shape)))) / shape
    totals = np.logaddexp.reduceat(logs, ROWS[:-1], axis=1)
    return logs - np.repeat(totals, np.diff(ROWS), axis=1)


def log_dirichlet(shape, logs):
    totals = np.add.reduceat(shape, ROWS[:-1])
    return logs @ shape - gammaln(shape).sum() + gammaln(totals).sum()


def test_normal_variates_are_carried_to_parameters_of_their_density_and_back():
    fitted = BetaCopula.fit(ROWS, draws(SHAPES["ordinary"], 500, 1)).widened(1.3)
    normals = np.random.default_rng(2).standard_normal((50, 6))
    log_parameters, log_densities = fitted.at(normals)
    np.testing.assert_allclose(fitted.normals(log_parameters), normals, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(fitted.log_density(log_parameters), log_densities, rtol=1e-9)


@pytest.mark.parametrize("name", SHAPES)
def test_fitted_to_dirichlet_draws_it_is_nearly_that_distribution(name):
    shape = SHAPES[name]
    fitted = BetaCopula.fit(ROWS, draws(shape, 20_000, 1))
    fresh = draws(shape, 4000, 2)
    distance = log_dirichlet(shape, fresh) - fitted.log_density(fresh)
    assert -0.01 <= distance.mean() < 0.05


def mean_ratio(name, n_components=1):
    """Log of the mean ratio of Dirichlet density to copula at draws of the copula, and its error: 0 if all agree."""
    shape = SHAPES[name]
    fitted = BetaCopula.fit(ROWS, draws(shape, 2000, 3), n_components)
    proposed = fitted.draw(np.random.default_rng(4), 20_000)
    ratios = log_dirichlet(shape, proposed) - fitted.log_density(proposed)
    weights = np.exp(ratios - logsumexp(ratios)) * len(ratios)
    return logsumexp(ratios) - np.log(len(ratios)), weights.std() / np.sqrt(len(ratios))


@pytest.mark.parametrize("n_components", [1, 3])
@pytest.mark.parametrize("name", SHAPES)
def test_the_density_is_that_of_the_draws(name, n_components):
    value, error = mean_ratio(name, n_components)
    assert error < 0.02
    assert abs(value) < 4 * error + 0.003


def test_the_check_notices_a_density_without_its_slopes(monkeypatch):
    right = beta_copula._scores
    monkeypatch.setattr(beta_copula, "_scores", lambda knots, logits: (right(knots, logits)[0], np.zeros(len(logits))))
    value, error = mean_ratio("ordinary")
    assert abs(value) > 4 * error + 0.003


@pytest.mark.parametrize("name", SHAPES)
def test_draws_are_normalised_rows(name):
    proposed = BetaCopula.fit(ROWS, draws(SHAPES[name], 500, 5)).draw(np.random.default_rng(6), 200)
    np.testing.assert_allclose(np.logaddexp.reduceat(proposed, ROWS[:-1], axis=1), 0, atol=1e-12)


def test_dependence_between_rows_is_kept():
    """Two rows that are one and the same but for noise."""
    rng = np.random.default_rng(7)
    logits = rng.standard_normal((3000, 1)) + 0.1 * rng.standard_normal((3000, 2))
    logs = np.stack([-np.logaddexp(0, s * logits[:, j]) for j in (0, 1) for s in (-1, 1)], axis=1)
    fitted = BetaCopula.fit(np.array([0, 2, 4]), logs)
    proposed = fitted.draw(rng, 3000)
    found = (proposed[:, 0] - proposed[:, 1]) - (proposed[:, 2] - proposed[:, 3])
    assert fitted.shrinkage < 0.01
    assert found.std() == pytest.approx(0.1 * np.sqrt(2), rel=0.3)


def test_a_margin_is_the_beta_distribution():
    shape = SHAPES["ordinary"]
    proposed = BetaCopula.fit(ROWS, draws(shape, 20_000, 8)).draw(np.random.default_rng(9), 5000)
    assert kstest(np.exp(proposed[:, 0]), "beta", args=(1.0, 2.0)).pvalue > 1e-3


def slope_at_the_fit(name):
    """Largest slope of the mean log likelihood of the Beta distributions that are fitted to draws."""
    logits = beta_copula._logits(ROWS, draws(SHAPES[name], 300, 5))
    a, b = beta_copula._fit_beta(logits)
    log_fraction, log_rest = -np.logaddexp(0, -logits).mean(axis=0), -np.logaddexp(0, logits).mean(axis=0)
    return np.abs([digamma(a) - digamma(a + b) - log_fraction, digamma(b) - digamma(a + b) - log_rest]).max()


@pytest.mark.parametrize("name", SHAPES)
def test_beta_distributions_are_fitted_to_the_maximum_of_their_likelihood(name, monkeypatch):
    assert slope_at_the_fit(name) < 1e-8
    monkeypatch.setattr(beta_copula, "CONVERGED", 0.5)
    assert slope_at_the_fit(name) > 1e-6
