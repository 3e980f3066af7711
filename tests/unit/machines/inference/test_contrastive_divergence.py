"""Claim: sweeps leave the model's distribution as it is, and persistent contrastive divergence comes near a maximum.

Truth: probabilities of every visible state; the exact posterior density and its maximum. Statistical claims hold within
4 standard errors, and fail for a sweep without the visible biases.
"""

import numpy as np
import pytest

from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference import contrastive_divergence
from ockham.machines.inference.fine_tuning import climb
from ockham.machines.inference.posterior import Enumerated, Posterior
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, feature_covariance, states, visible_distribution

MODEL = RestrictedBoltzmann(4, 2)
THETA = np.random.default_rng(1).normal(0, 1.0, MODEL.n_parameters)
DATA = BinaryRows.of(states(4)[np.random.default_rng(2).choice(16, 200, p=visible_distribution(MODEL, THETA))])
PROBABILITIES = visible_distribution(MODEL, THETA)


def largest_z(visible):
    """Of the frequencies of all visible states, for independent rows."""
    frequencies = np.bincount((visible @ [8, 4, 2, 1]).astype(int), minlength=16) / len(visible)
    return abs((frequencies - PROBABILITIES) / np.sqrt(PROBABILITIES * (1 - PROBABILITIES) / len(visible))).max()


def swept(theta, n=40_000, n_sweeps=3):
    rng = np.random.default_rng(3)
    visible = states(4)[rng.choice(16, n, p=PROBABILITIES)]
    for _ in range(n_sweeps):
        visible = contrastive_divergence.sweep(MODEL, theta, visible, rng)
    return visible


def test_sweeps_leave_the_distribution_as_it_is():
    assert largest_z(swept(THETA)) < 4
    wrong = THETA.copy()
    MODEL.unpack(wrong)[1][:] = 0
    assert largest_z(swept(wrong, n_sweeps=1)) > 4


def test_states_are_drawn_after_the_given_sweeps():
    """Chains far from the distribution, kept only after they have forgotten where they began."""
    rng = np.random.default_rng(4)
    drawn, chains = contrastive_divergence.draw_states(
        MODEL, THETA, np.ones((20_000, 4)), rng, n_samples=20_001, n_sweeps=30
    )
    assert drawn.n == 40_000
    assert chains.shape == (20_000, 4)
    assert largest_z(chains) < 4
    expanded = np.repeat(drawn.rows, drawn.counts, axis=0)
    assert largest_z(expanded) < 4
    early, _ = contrastive_divergence.draw_states(MODEL, THETA, np.ones((20_000, 4)), rng, n_samples=1, n_sweeps=1)
    assert largest_z(np.repeat(early.rows, early.counts, axis=0)) > 4


def shortfall(precision, target, n_steps=8000):
    """How far below the exact maximum of the target the fit ends, in nats."""
    start = contrastive_divergence.sample_start(MODEL, DATA, 0.1, np.random.default_rng(5))
    theta, _ = contrastive_divergence.fit(
        MODEL, DATA, start, np.random.default_rng(6),
        n_steps=n_steps, n_particles=100, step_size=0.3, decay_after=1000, precision_of_prior=precision,
    )  # fmt: skip
    posterior = Posterior(MODEL, DATA, Enumerated(MODEL), target)
    best = climb(posterior, theta, max_iterations=2000, gradient_tolerance=1e-5, least_effective=0.9)
    assert best.converged
    return posterior.with_gradient(best.theta)[0] - posterior.with_gradient(theta)[0]


@pytest.mark.parametrize("precision", [1.0, 25.0])
def test_the_fit_comes_near_the_maximum(precision):
    """Noise costs about n eta tr(C) / (4 m) nats, eta the last step and m the chains, if sweeps were independent."""
    noise = DATA.n * 0.3 / 9 * np.trace(feature_covariance(MODEL, THETA)) / (4 * 100)
    assert 0 <= shortfall(precision, precision) < 4 * noise
    assert shortfall(precision * 3, precision) > 4 * noise
    assert shortfall(precision, precision, n_steps=20) > 4 * noise


def test_steps_fall_as_one_over_t():
    """From parameters so large that only the prior's part of the gradient counts, a product of known factors."""
    start = np.full(MODEL.n_parameters, 1e9)
    theta, _ = contrastive_divergence.fit(
        MODEL, DATA, start, np.random.default_rng(8),
        n_steps=30, n_particles=5, step_size=0.4, decay_after=7.0, precision_of_prior=float(DATA.n),
    )  # fmt: skip
    np.testing.assert_allclose(theta / start, np.prod(1 - 0.4 / (1 + np.arange(30) / 7)), rtol=1e-4)


def test_the_start_has_the_frequencies_of_the_data():
    start = contrastive_divergence.sample_start(MODEL, DATA, 1e-9, np.random.default_rng(7))
    found = visible_distribution(MODEL, start) @ states(4)
    np.testing.assert_allclose(found, (DATA.counts @ DATA.rows + 0.5) / (DATA.n + 1), rtol=1e-6)
