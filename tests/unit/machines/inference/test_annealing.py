"""Hamiltonian transitions leave the posterior as it is, and the mean weight of annealed chains is the evidence.

Sources of truth: the transition of tests/reference/hamiltonian.py step by step; Geweke's joint test, in which
parameters that start as a draw of the prior, with data drawn from them, are still draws of the prior after transitions
given the data; the mean likelihood over draws of the prior, with its standard error. What is broken on purpose fails.
"""

import os

import numpy as np
import pytest
from reference import hamiltonian

from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference.annealing import run, tuned_step_sizes
from ockham.machines.inference.likelihood import log_likelihood
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, states, visible_distribution
from ockham.machines.scorers import ais
from ockham.streams import Stream

SEEDS = range(int(os.environ.get("OCKHAM_TEST_SEEDS", 1)))
N_LEAPFROG = 3
DRAWS = 12_000
STEP = 0.6


def drawn_data(model, theta, n, rng):
    probabilities = visible_distribution(model, theta)
    return BinaryRows.of(states(model.n_visible)[rng.choice(len(probabilities), n, p=probabilities)])


def sample_data(seed, shape, n):
    rng = np.random.default_rng(seed)
    model = RestrictedBoltzmann(*shape)
    return model, drawn_data(model, model.sample(rng), n, rng), rng


@pytest.mark.parametrize("shape", [(2, 1), (3, 2), (2, 4), (9, 3)])
@pytest.mark.parametrize("deviation", [0.5, 2.0])
def test_chains_are_those_of_the_slow_transition(shape, deviation):
    model = RestrictedBoltzmann(*shape, deviation)
    rng = np.random.default_rng(3)
    theta = model.sample(rng)
    data = drawn_data(model, theta, 30, rng)
    temperatures, steps = np.linspace(0, 1, 9) ** 2, np.linspace(0.3, 0.05, 8)
    found = run(model, data, theta, temperatures, steps, N_LEAPFROG, np.random.default_rng(4))
    rng, accepted, log_weight = np.random.default_rng(4), np.zeros(4), 0.0
    for k in range(8):
        theta, moved = hamiltonian.transition(model, data, theta, temperatures[k], steps[k], N_LEAPFROG, rng)
        accepted[k // 2] += moved
        log_weight += (temperatures[k + 1] - temperatures[k]) * log_likelihood(model, theta, data)
    np.testing.assert_allclose(found.theta, theta, rtol=1e-9, atol=1e-9)
    assert found.log_weight == pytest.approx(log_weight, rel=1e-9)
    assert found.accepted.tolist() == accepted.tolist()


def joint_test(transition, seed):
    """z of the means of theta ** 2 and of |theta|, after transitions from exact draws of parameters and data."""
    model, rng, found = RestrictedBoltzmann(2, 1), np.random.default_rng(seed), []
    for _ in range(DRAWS):
        theta = model.sample(rng)
        data = drawn_data(model, theta, 20, rng)
        for _ in range(3):
            theta = transition(model, data, theta, rng)
        found.append([theta @ theta, np.abs(theta).sum()])
    expected = np.array([1.0, np.sqrt(2 / np.pi)]) * model.n_parameters
    found = np.array(found)
    return (found.mean(axis=0) - expected) / (found.std(axis=0, ddof=1) / np.sqrt(DRAWS))


@pytest.mark.parametrize("seed", SEEDS)
def test_transitions_pass_gewekes_joint_test(seed):
    def transition(model, data, theta, rng):
        return run(model, data, theta, np.ones(2), np.full(1, STEP), N_LEAPFROG, rng).theta

    assert np.abs(joint_test(transition, seed)).max() < 4


@pytest.mark.parametrize("fault", hamiltonian.FAULTS)
def test_a_broken_transition_fails_gewekes_joint_test(fault):
    def transition(model, data, theta, rng):
        return hamiltonian.transition(model, data, theta, 1.0, STEP, N_LEAPFROG, rng, fault)[0]

    assert np.abs(joint_test(transition, 0)).max() > 4


def test_trajectories_as_long_as_a_period_still_move():
    """Ten steps of 2 sin(pi / 10) deviations are one period of every direction of the prior, and end where they began.

    Steps of that one size, which the slow transition takes when told to, stay where they are.
    """
    model, data, rng = sample_data(1, (2, 1), 10)
    theta, step = model.sample(rng), 2 * np.sin(np.pi / 10) * model.deviation
    moved = [run(model, data, theta, np.zeros(2), np.full(1, step), 10, rng).theta - theta for _ in range(200)]
    assert np.linalg.norm(moved, axis=0).min() / np.sqrt(200) > 0.5 * model.deviation
    stays = [hamiltonian.transition(model, data, theta, 0.0, step, 10, rng, "one size")[0] - theta for _ in range(20)]
    assert np.abs(stays).max() < 1e-9


def prior_monte_carlo(model, data, rng, n_draws=20_000):
    """Log of the mean likelihood over draws of the prior, and its standard error."""
    logs = np.array([log_likelihood(model, model.sample(rng), data) for _ in range(n_draws)])
    weights = np.exp(logs - logs.max())
    return np.log(weights.mean()) + logs.max(), weights.std() / weights.mean() / np.sqrt(n_draws)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("shape", "n"), [((2, 1), 10), ((3, 2), 10), ((2, 2), 40), ((4, 1), 20)])
def test_mean_weight_is_the_mean_likelihood_over_the_prior(shape, n, seed):
    model, data, rng = sample_data(seed + 7, shape, n)
    truth, truth_error = prior_monte_carlo(model, data, rng)
    evidence = ais.score(model, data, ais.Settings(n_steps=100), Stream(seed, "test"))["annealed_importance_sampling"]
    assert abs(evidence.log_evidence - truth) < 4 * np.hypot(evidence.standard_error, truth_error)
    weaker = RestrictedBoltzmann(*shape, deviation=0.5)
    wrong = ais.score(weaker, data, ais.Settings(n_steps=100, n_chains=400), Stream(seed, "test"))[
        "annealed_importance_sampling"
    ]
    assert abs(wrong.log_evidence - truth) > 4 * np.hypot(wrong.standard_error, truth_error)


def test_chains_from_posterior_draws_end_above_and_chains_from_the_prior_below():
    """Over draws of parameters and data the means of both are on their sides of each other, and close together."""
    model, rng, gaps = RestrictedBoltzmann(3, 2), np.random.default_rng(11), []
    settings = ais.Settings(n_steps=30, n_chains=4, n_tuning=4)
    for draw in range(60):
        theta = model.sample(rng)
        data = drawn_data(model, theta, 30, rng)
        up = ais.score(model, data, settings, Stream(draw, "up"), start=theta)["annealed_importance_sampling"]
        down = ais.score(model, data, settings, Stream(draw, "down"))["annealed_importance_sampling"]
        gaps.append(up.log_evidence - down.log_evidence)
    assert np.mean(gaps) / (np.std(gaps) / np.sqrt(60)) > 2
    assert np.mean(gaps) < 1.0


def test_the_step_size_gives_the_acceptance_that_it_is_tuned_to():
    """By the mean of four tunings, of which each errs by some hundredths."""
    model, data, rng = sample_data(5, (6, 3), 100)
    temperatures = np.linspace(0, 1, 401)
    for target in (0.6, 0.9):
        accepted = np.zeros(4)
        for seed in range(4):
            steps = tuned_step_sizes(model, data, temperatures, 10, target, 40, Stream(seed, "tuning"))
            accepted += sum(
                run(model, data, model.sample(rng), temperatures, steps[:-1], 10, rng).accepted for _ in range(10)
            )
            assert steps[-1] < 0.5 * steps[0]
        assert np.abs(accepted / 4000 - target).max() < 0.05
