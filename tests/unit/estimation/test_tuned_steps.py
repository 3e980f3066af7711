"""Claim: the steps found leave log-normal weights the wanted effective share, and stay between the bounds.

Truth: log weights whose variance is a constant over the steps, so that the steps that are wanted are known.
"""

from math import log

import numpy as np
import pytest

from ockham.estimation.tuned_steps import CLOSE, EFFECTIVE_SHARE, GROWTH, N_PILOT, tuned_steps

LEAST, MOST = 100, 10**9


class Chains:
    """Of which the variance is a constant over the steps, but for a random factor where the sample is one."""

    def __init__(self, constant, rng=None):
        self.constant, self.rng, self.asked = constant, rng, []

    def __call__(self, n_steps):
        self.asked.append(n_steps)
        normal = np.tile([-1.0, 1.0], N_PILOT // 2) if self.rng is None else self.rng.normal(size=N_PILOT)
        return -700 + normal * np.sqrt(self.constant / n_steps) / (1 if self.rng else np.std(normal, ddof=1))


@pytest.mark.parametrize("constant", [50.0, 1e3, 1e5])
def test_the_weights_have_the_wanted_share(constant):
    found, cost = tuned_steps(chains := Chains(constant), LEAST, MOST)
    assert found == pytest.approx(constant / -log(EFFECTIVE_SHARE), rel=0.01)
    assert cost == N_PILOT * sum(chains.asked)
    assert chains.asked == [LEAST * GROWTH**k for k in range(len(chains.asked))]
    assert constant / chains.asked[-1] <= CLOSE**2


def test_of_few_chains_about_as_many_steps():
    found = [tuned_steps(Chains(1e4, np.random.default_rng(seed)), LEAST, MOST)[0] for seed in range(200)]
    wanted = 1e4 / -log(EFFECTIVE_SHARE)
    assert abs(np.mean(found) / wanted - 1) < 0.2
    assert max(found) < 4 * wanted


def test_the_least_where_they_are_enough():
    assert tuned_steps(Chains(1e-3), LEAST, MOST) == (LEAST, N_PILOT * LEAST)


@pytest.mark.parametrize("most", [6401, 10_000, 25_600])
def test_the_last_pilots_where_weights_are_never_close(most):
    far = Chains(1e12)
    assert tuned_steps(far, LEAST, most) == (6400, N_PILOT * 8500)
    assert far.asked == [100, 400, 1600, 6400]


def test_impossible_weights_are_not_close():
    assert tuned_steps(lambda n_steps: np.append(np.zeros(7), -np.inf), LEAST, 1000)[0] == 400


def test_of_close_weights_no_more_than_the_most():
    assert tuned_steps(Chains(300.0), LEAST, 1000) == (1000, N_PILOT * LEAST)
