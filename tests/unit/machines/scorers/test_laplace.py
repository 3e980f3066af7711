"""Claim: Laplace's method has the constant of a Gaussian integral, and finds the evidence of one mode as data grow.

Truth: the evidence by averages over draws of the prior, with its standard error; for more rows than that can reach, by
importance sampling around the mode, itself held to the first; the limit of a narrow prior in closed form. Scores with
the constant or the Hessian of a misreading fail.
"""

from math import lgamma, log, pi

import numpy as np
import pytest

from ockham.errors import ModelError
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference.fit import search
from ockham.machines.restricted_boltzmann import (
    RestrictedBoltzmann,
    covariance_given,
    log_unnormalised,
    states,
    visible_distribution,
)
from ockham.machines.scorers import laplace
from ockham.streams import Stream

EXACT = {"expectations": "exact", "gradient_tolerance": 1e-5}
MODEL = RestrictedBoltzmann(3, 1)
TRUTH = np.array([3.0, -2.5, 2.8, -1.5, 1.2, -1.4, -0.3])
STATES = states(3)
LOG_T = lgamma(6.0) - lgamma(2.5) - 3.5 * log(5 * pi)


def data_of(n):
    """Counts as near to their expectation as whole numbers are."""
    counts = np.round(n * visible_distribution(MODEL, TRUTH)).astype(np.int64)
    return BinaryRows(STATES[counts > 0], counts[counts > 0])


def scores(data, seed=1, model=MODEL, **settings):
    found = laplace.score(model, data, laplace.Settings(**EXACT | settings), Stream(seed, "laplace"))
    return {name: evidence.log_evidence for name, evidence in found.items()}, found["laplace"].diagnostics


def log_likelihoods(data, thetas):
    """ln p(D | theta) of many parameters at once, by the table of all visible states."""
    counts = np.zeros(8, dtype=np.int64)
    counts[(data.rows @ [4, 2, 1]).astype(int)] = data.counts
    weights, visible, hidden = thetas[:, :3], thetas[:, 3:6], thetas[:, 6:]
    table = visible @ STATES.T + np.logaddexp(0, weights @ STATES.T + hidden)
    return table @ counts - data.n * np.logaddexp.reduce(table, axis=1)


def side(thetas):
    """Which of the two modes that exchanging the states of the hidden unit makes: c + sum_i W_i / 2 changes sign."""
    return np.sign(thetas[:, 6] + thetas[:, :3].sum(axis=1) / 2)


def log_mean(log_weights):
    highest = log_weights.max()
    weights = np.exp(log_weights - highest)
    return highest + log(weights.mean()), weights.std(ddof=1) / weights.mean() / np.sqrt(len(weights))


def by_prior(data, mode_side, n=400_000, seed=2):
    """Log evidence of one mode, and its standard error, from draws of the prior."""
    thetas = np.random.default_rng(seed).normal(size=(n, 7))
    return log_mean(np.where(side(thetas) == mode_side, log_likelihoods(data, thetas), -np.inf))


def by_importance(data, fit, n=40_000, seed=3):
    """The same from draws of a Student t distribution of five degrees of freedom around the mode."""
    rng = np.random.default_rng(seed)
    factor = np.linalg.inv(np.linalg.cholesky(fit.posterior.precision(fit.theta))).T
    normal, scale = rng.normal(size=(n, 7)), np.sqrt(rng.chisquare(5, size=n) / 5)
    thetas = fit.theta + (normal @ factor.T) / scale[:, None]
    distance = ((normal / scale[:, None]) ** 2).sum(axis=1)
    log_t = LOG_T - np.linalg.slogdet(factor)[1] - 6.0 * np.log1p(distance / 5)
    log_prior = -0.5 * (thetas**2).sum(axis=1) - 3.5 * log(2 * np.pi)
    inside = side(thetas) == side(fit.theta[None])
    return log_mean(np.where(inside, log_likelihoods(data, thetas) + log_prior - log_t, -np.inf))


def fitted(data):
    return search(MODEL, data, laplace.Settings(**EXACT), Stream(1, "laplace"))


@pytest.mark.parametrize("n", [10, 40])
def test_importance_sampling_agrees_with_the_prior(n):
    data = data_of(n)
    fit = fitted(data)
    first, second = by_prior(data, side(fit.theta[None])[0]), by_importance(data, fit)
    assert abs(first[0] - second[0]) < 4 * np.hypot(first[1], second[1])


def test_the_error_vanishes_as_one_over_n():
    """At ten times the rows a tenth of the error, up to the next order and the standard error of the truth."""
    errors, uncertain = [], []
    for n in (10_000, 100_000):
        data = data_of(n)
        truth, error = by_importance(data, fitted(data), n=400_000)
        errors.append(scores(data)[0]["laplace_0"] - truth)
        uncertain.append(error)
    assert abs(errors[0]) > 4 * uncertain[0]
    assert abs(errors[1]) < 0.15 * abs(errors[0]) + 4 * uncertain[1]
    assert abs(errors[0]) < 0.05


def test_misreadings_stay_wrong():
    """The half of F ln N taken off again, and the Hessian of eq. (7) as printed."""
    data = data_of(10_000)
    fit, found = fitted(data), scores(data)[0]["laplace_0"]
    truth = by_importance(data, fit)[0]
    assert abs(found - 3.5 * log(data.n) - truth) > 1
    table = np.exp(log_unnormalised(MODEL, fit.theta, STATES))
    within = data.n * covariance_given(MODEL, fit.theta, STATES, table / table.sum())
    printed = within - covariance_given(MODEL, fit.theta, data.rows, data.counts) + np.eye(7)
    right = np.linalg.slogdet(fit.posterior.precision(fit.theta))[1]
    sign, wrong = np.linalg.slogdet(printed)
    assert sign <= 0 or abs(found + 0.5 * right - 0.5 * wrong - truth) > 1


@pytest.mark.parametrize("shape", [(3, 1), (4, 3)])
def test_a_narrow_prior_leaves_the_likelihood_at_zero(shape):
    """The posterior is then the prior, a Gaussian, and the evidence -N V ln 2."""
    model = RestrictedBoltzmann(*shape, 1e-4)
    data = BinaryRows.of(np.random.default_rng(4).integers(0, 2, (50, shape[0])))
    found, diagnostics = scores(data, model=model, weak_below=0.5)
    assert found["laplace_0"] == pytest.approx(-50 * shape[0] * log(2), abs=1e-4)
    assert diagnostics["n_weak"] == 0


def test_corrections_are_what_the_scores_differ_by():
    model = RestrictedBoltzmann(4, 3)
    data = BinaryRows.of((np.random.default_rng(5).random((30, 4)) < [0.1, 0.3, 0.5, 0.8]).astype(int))
    found, diagnostics = scores(data, model=model)
    assert diagnostics["n_weak"] > 0
    assert found["laplace"] - found["laplace_overlapping"] == pytest.approx(diagnostics["log_modes"], abs=1e-9)
    assert found["laplace_equivalent"] - found["laplace_0"] == pytest.approx(diagnostics["log_modes"], abs=1e-9)
    assert found["laplace_overlapping"] < found["laplace_0"]
    without, none_weak = scores(data, model=model, weak_below=1e-9)
    assert none_weak["n_weak"] == 0
    assert without["laplace"] == without["laplace_equivalent"] == found["laplace_equivalent"]
    assert found["map"] > found["laplace_0"] - 0.5 * model.n_parameters * log(2 * np.pi)


def test_bic_is_the_likelihood_with_its_penalty():
    data = data_of(50)
    fit, (found, _) = fitted(data), scores(data)
    assert found["bic_map"] == pytest.approx(fit.log_likelihood - 3.5 * log(data.n), abs=1e-9)
    assert found["map"] == pytest.approx(fit.log_likelihood + MODEL.log_prior(fit.theta), abs=1e-9)


def test_samples_lead_to_what_enumeration_does():
    """The Monte Carlo error of a tenth of a nat is that of a hundred thousand samples at fifty rows."""
    data = data_of(50)
    exact, sampled = scores(data)[0], scores(data, expectations="sampled", n_samples=100_000, n_steps=2000)[0]
    for name in ("laplace", "laplace_0", "map"):
        assert sampled[name] == pytest.approx(exact[name], abs=0.1)
    raw = scores(data, expectations="sampled", n_steps=10, n_samples=100_000, fine_tuning=False)[0]
    assert abs(raw["map"] - exact["map"]) > 0.1


def test_ten_thousand_samples_do_not_do_for_hundreds_of_thousands_of_rows():
    """Their noise moves the maximum, up to about F n / (2 T) nats below it; exact means have none."""
    exact, sampled = (
        [scores(data_of(625_000), seed, expectations=kind)[0]["map"] for seed in (1, 2)]
        for kind in ("exact", "sampled")
    )
    assert abs(exact[0] - exact[1]) < 1
    assert max(sampled) < min(exact) - 10


def test_an_annealed_partition_function_adds_its_error_alone():
    """With few samples for fits, so that enumeration of either layer is nowhere needed: the same fit, another ln Z."""
    settings = {"expectations": "sampled", "n_steps": 300, "n_samples": 2000}
    exact, annealed = (
        laplace.score(
            MODEL, data_of(50), laplace.Settings(**settings, partition=partition, n_temperatures=50), Stream(1, "ais")
        )
        for partition in ("exact", "annealed")
    )
    for name in ("laplace", "map"):
        error = annealed[name].diagnostics["monte_carlo_error"]
        assert 0 < error < 5
        assert 0 < abs(annealed[name].log_evidence - exact[name].log_evidence) < 4 * error
        assert "monte_carlo_error" not in exact[name].diagnostics
        assert np.isnan(annealed[name].standard_error)


def test_a_machine_too_large_to_enumerate_is_scored_by_annealing():
    model = RestrictedBoltzmann(40, 30)
    data = BinaryRows.of((np.random.default_rng(6).random((20, 40)) < 0.2).astype(int))
    small = {"n_steps": 20, "n_samples": 300, "n_temperatures": 20, "fine_tuning": False, "weak_below": 1e-6}
    found = laplace.score(model, data, laplace.Settings(**small, partition="annealed"), Stream(2, "large"))
    assert np.isfinite(found["map"].log_evidence)
    with pytest.raises(ModelError, match="annealed"):
        laplace.score(model, data, laplace.Settings(**small), Stream(2, "large"))
