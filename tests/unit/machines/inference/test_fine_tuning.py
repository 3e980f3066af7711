"""Claim: the climb ends at a maximum, or at the last point where its samples can be trusted.

Truth: the gradient of the exact density; the effective sample size itself. Without the stop the climb goes further.
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
