"""Claim: the fit is the highest of its starts, with the prior or without; samples that stop it are drawn again, and
one that leaves its samples is taken back.

Truth: the fits from each start alone, which one more start can only improve on; the exact log likelihood; the exact
maximum, and the widths of the exact density there. A climb that is stopped and left there fails.
"""

import numpy as np
import pytest

from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference import likelihood
from ockham.machines.inference.fine_tuning import climb
from ockham.machines.inference.fit import Fitting, search
from ockham.machines.inference.posterior import Enumerated, Posterior
from ockham.machines.inference.posterior_modes import log_width
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, states, visible_distribution
from ockham.streams import Stream

MODEL = RestrictedBoltzmann(6, 3)
TRUTH = np.random.default_rng(1).normal(0, 2.0, MODEL.n_parameters)
DATA = BinaryRows.of(states(6)[np.random.default_rng(2).choice(64, 2000, p=visible_distribution(MODEL, TRUTH))])


def height(found):
    return found.log_likelihood + MODEL.log_prior(found.theta)


def test_more_starts_are_never_worse_and_sometimes_better():
    gains = []
    for seed in range(8):
        few, many = (
            search(MODEL, DATA, Fitting(expectations="exact", n_starts=n), Stream(seed, "fit")) for n in (1, 4)
        )
        gains.append(height(many) - height(few))
    assert min(gains) >= 0
    assert max(gains) > 0.5


@pytest.mark.parametrize("expectations", ["exact", "sampled"])
def test_the_likelihood_is_that_of_the_parameters(expectations):
    settings = Fitting(expectations=expectations, n_steps=100, n_samples=500)
    found = search(MODEL, DATA, settings, Stream(3, "fit"))
    assert found.log_likelihood == pytest.approx(likelihood.log_likelihood(MODEL, found.theta, DATA), rel=1e-12)


def test_without_the_prior_the_likelihood_is_higher():
    settings = Fitting(expectations="exact", n_starts=4)
    free = search(MODEL, DATA, settings, Stream(3, "fit"), with_prior=False)
    bound = search(MODEL, DATA, settings, Stream(3, "fit"))
    assert free.log_likelihood > bound.log_likelihood
    assert height(free) < height(bound)


def test_fine_tuning_can_be_left_out():
    rough, tuned = (
        search(MODEL, DATA, Fitting(n_steps=200, n_samples=20_000, fine_tuning=tuning), Stream(3, "fit"))
        for tuning in (False, True)
    )
    assert height(tuned) > height(rough)
    assert rough.diagnostics == {"converged": False, "degenerate": False, "effective_fraction": pytest.approx(1.0)}


KINDS = np.array([[1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1, 1], [1, 1, 0, 0, 1, 1, 0, 0]])
CLUSTERED = RestrictedBoltzmann(8, 3)


def clustered(n=60):
    """Rows of three kinds with one unit in twenty changed."""
    rng = np.random.default_rng(2)
    return BinaryRows.of(KINDS[rng.integers(0, 3, n)] ^ (rng.random((n, 8)) < 0.05))


def short_fits(**settings):
    """Fits whose contrastive divergence ends well before a maximum."""
    few = {"n_steps": 200, "n_samples": 5000}
    return [search(CLUSTERED, clustered(), Fitting(**few, **settings), Stream(seed, "x")) for seed in (0, 1, 3)]


def density(found):
    return found.log_likelihood + CLUSTERED.log_prior(found.theta)


def narrowed(found):
    """By how much the samples make the widths of weak directions less than they are, nats in all."""
    exact = Posterior(CLUSTERED, clustered(), Enumerated(CLUSTERED), 1.0)
    eigenvalues, directions = np.linalg.eigh(found.posterior.precision(found.theta))
    weak = directions.T[eigenvalues < 1]
    assert len(weak)
    by_samples, true = (
        sum(log_width(posterior, found.theta, v, 0.9) for v in weak) for posterior in (found.posterior, exact)
    )
    return true - by_samples


def test_samples_that_stop_the_climb_are_drawn_again():
    best = density(search(CLUSTERED, clustered(), Fitting(expectations="exact", n_starts=5), Stream(1, "x")))
    stopped, redrawn = short_fits(n_redraws=0), short_fits()
    assert not any(found.converged for found in stopped)
    assert all(found.degenerate for found in stopped)
    assert all(found.converged and not found.degenerate for found in redrawn)
    assert max(best - density(found) for found in redrawn) < 0.5 < 5 < min(best - density(found) for found in stopped)
    assert all(again.n_evaluations > once.n_evaluations for again, once in zip(redrawn, stopped, strict=True))


def test_trapezoids_have_room_where_the_climb_ends():
    assert max(narrowed(found) for found in short_fits()) < 0.1
    assert min(narrowed(found) for found in short_fits(n_redraws=0)) > 0.25


def test_samples_with_room_left_are_kept():
    settings = {"n_steps": 1000, "n_samples": 5000}
    once, more = (search(CLUSTERED, clustered(), Fitting(**settings, n_redraws=n), Stream(1, "x")) for n in (0, 3))
    assert once.diagnostics["effective_fraction"] > 0.95
    assert once.converged
    np.testing.assert_array_equal(once.theta, more.theta)


def test_samples_are_not_drawn_again_without_the_prior():
    """The likelihood of these rows has no maximum."""
    once, more = (
        search(
            CLUSTERED, clustered(), Fitting(n_steps=200, n_samples=5000, n_redraws=n), Stream(1, "x"), with_prior=False
        )
        for n in (0, 3)
    )
    assert not once.converged
    assert not search(CLUSTERED, clustered(), Fitting(max_iterations=1), Stream(1, "x")).degenerate
    np.testing.assert_array_equal(once.theta, more.theta)


@pytest.mark.parametrize(("draw", "seed"), [(0, 1), (2, 2), (4, 0)])
def test_a_climb_to_where_no_sample_is_is_taken_back(draw, seed):
    """Its weights are even and its gradient vanishes, hundreds of nats below where it began."""
    model = RestrictedBoltzmann(5, 2)
    theta = np.random.default_rng(draw).normal(0, 3.0, model.n_parameters)
    chosen = np.random.default_rng(draw + 1).choice(32, 1000, p=visible_distribution(model, theta))
    data = BinaryRows.of(states(5)[chosen])
    few = {"n_steps": 300, "n_samples": 300, "n_redraws": 0}
    start, kept = (search(model, data, Fitting(**few, fine_tuning=tuned), Stream(seed, "x")) for tuned in (False, True))
    far = climb(start.posterior, start.theta, max_iterations=2000, gradient_tolerance=1e-3, least_effective=0.9)
    assert far.converged
    assert start.posterior.partition.effective_fraction(far.theta) >= 0.9
    assert likelihood.log_likelihood(model, far.theta, data) < start.log_likelihood - 400
    assert not kept.converged
    assert kept.degenerate
    np.testing.assert_array_equal(kept.theta, start.theta)
