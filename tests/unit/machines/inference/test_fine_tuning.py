"""Claim: the climb ends at a maximum, or at the last point where its samples can be trusted.

Truth: the gradient of the exact density; the effective sample size itself. Without the stop the climb goes further.
Newton's method is held to a density whose curvatures differ by a factor of a million, where L-BFGS takes long.
"""

import numpy as np

from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference.fine_tuning import climb
from ockham.machines.inference.posterior import Enumerated, Posterior, Sampled
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, states, visible_distribution

MODEL = RestrictedBoltzmann(5, 2)
DATA = BinaryRows.of((np.random.default_rng(1).random((60, 5)) < [0.1, 0.3, 0.5, 0.7, 0.9]).astype(int))
START = np.random.default_rng(2).normal(0, 0.3, MODEL.n_parameters)


def test_an_exact_climb_ends_where_the_gradient_vanishes():
    posterior = Posterior(MODEL, DATA, Enumerated(MODEL), 1.0)
    peak = climb(posterior, START, max_iterations=500, gradient_tolerance=1e-4, least_effective=0.9)
    assert peak.converged
    assert abs(posterior.with_gradient(peak.theta)[1]).max() <= 1e-4
    assert abs(posterior.with_gradient(START)[1]).max() > 1.0
    assert np.linalg.eigvalsh(posterior.precision(peak.theta)).min() > 0


def sampled(n):
    rng = np.random.default_rng(3)
    rows = states(5)[rng.choice(32, n, p=visible_distribution(MODEL, START))]
    return Posterior(MODEL, DATA, Sampled(MODEL, BinaryRows.of(rows), START), 1.0)


def test_a_climb_stops_while_its_samples_can_be_trusted():
    posterior = sampled(200)
    peak = climb(posterior, START, max_iterations=500, gradient_tolerance=1e-4, least_effective=0.9)
    assert not peak.converged
    assert posterior.partition.effective_fraction(peak.theta) >= 0.9
    far = climb(posterior, START, max_iterations=500, gradient_tolerance=1e-4, least_effective=0.0)
    assert posterior.partition.effective_fraction(far.theta) < 0.9
    assert posterior.with_gradient(far.theta)[0] > posterior.with_gradient(peak.theta)[0]


def test_a_limit_of_iterations_is_told():
    posterior = Posterior(MODEL, DATA, Enumerated(MODEL), 1.0)
    peak = climb(posterior, START, max_iterations=2, gradient_tolerance=1e-4, least_effective=0.9)
    assert not peak.converged
    assert peak.n_evaluations >= 2


def many_rows():
    """Rows of a machine, 625,000 of them, for one with units to spare."""
    truth = np.random.default_rng(4).normal(0.0, 1.0, MODEL.n_parameters)
    counts = np.random.default_rng(5).multinomial(625_000, visible_distribution(MODEL, truth))
    wider = RestrictedBoltzmann(5, 4)
    rows = BinaryRows(states(5)[counts > 0], counts[counts > 0])
    start = np.random.default_rng(6).normal(0.0, 0.1, wider.n_parameters)
    return Posterior(wider, rows, Enumerated(wider), 1.0), start


def test_newton_finishes_what_many_iterations_do_not():
    posterior, start = many_rows()
    limits = {"gradient_tolerance": 1e-3, "least_effective": 0.9}
    slow = climb(posterior, start, max_iterations=200, **limits)
    quick = climb(posterior, start, max_iterations=200, newton_after=50, **limits)
    assert not slow.converged
    assert quick.converged
    assert abs(posterior.with_gradient(quick.theta)[1]).max() <= 1e-3
    assert np.linalg.eigvalsh(posterior.precision(quick.theta)).min() > 0


def test_a_climb_that_ends_before_newton_is_the_same():
    posterior = Posterior(MODEL, DATA, Enumerated(MODEL), 1.0)
    limits = {"max_iterations": 500, "gradient_tolerance": 1e-4, "least_effective": 0.9}
    alone, followed = climb(posterior, START, **limits), climb(posterior, START, newton_after=400, **limits)
    np.testing.assert_array_equal(alone.theta, followed.theta)
    assert alone.n_evaluations == followed.n_evaluations


def test_newton_leaves_a_saddle():
    """Units that are alike stay alike along the gradient: there the density has a saddle, and L-BFGS stays."""
    posterior, start = many_rows()
    weights, visible, hidden = posterior.model.unpack(start)
    alike = np.concatenate([np.repeat(weights[:, :1], 4, axis=1).ravel(), visible, np.repeat(hidden[:1], 4)])
    saddle = climb(posterior, alike, max_iterations=2000, gradient_tolerance=1e-3, least_effective=0.9).theta
    assert np.linalg.eigvalsh(posterior.precision(saddle)).min() < 0
    nudged = saddle + 1e-3 * start
    peak = climb(posterior, nudged, max_iterations=500, gradient_tolerance=1e-3, least_effective=0.9, newton_after=0)
    assert peak.converged
    assert np.linalg.eigvalsh(posterior.precision(peak.theta)).min() > 0


def test_newton_says_when_iterations_ran_out():
    posterior, start = many_rows()
    peak = climb(posterior, start, max_iterations=52, gradient_tolerance=1e-9, least_effective=0.9, newton_after=50)
    assert not peak.converged
