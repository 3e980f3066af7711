"""Claim: the fit is the highest of its starts, with the prior or without.

Truth: the fits from each start alone, which one more start can only improve on; the exact log likelihood.
"""

import numpy as np
import pytest

from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference import likelihood
from ockham.machines.inference.fit import Fitting, search
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
    assert rough.diagnostics == {"converged": False, "effective_fraction": pytest.approx(1.0)}
