"""Claim: the autocorrelation time is that of the process, (1 + rho) / (1 - rho) for an autoregressive one."""

import numpy as np
import pytest

from ockham.estimation.autocorrelation import autocorrelation_time


def autoregressive(rho, n, rng):
    noise = rng.standard_normal(n) * np.sqrt(1 - rho**2)
    chain = np.empty(n)
    chain[0] = rng.standard_normal()
    for i in range(1, n):
        chain[i] = rho * chain[i - 1] + noise[i]
    return chain


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9])
def test_an_autoregressive_process(rho):
    rng = np.random.default_rng(1)
    chains = [autoregressive(rho, n, rng) for n in (4000, 5000, 6000, 5000)]
    assert autocorrelation_time(chains) == pytest.approx((1 + rho) / (1 - rho), rel=0.25)


def slow(chains):
    """The same by sums over pairs, lag by lag."""
    mean = np.concatenate(chains).mean()
    deviations = [chain - mean for chain in chains]
    total, zero = -1.0, None
    for lag in range(max(map(len, chains))):
        pairs = [(each[: len(each) - lag], each[lag:]) for each in deviations if len(each) > lag]
        covariance = sum(float(a @ b) for a, b in pairs) / sum(len(a) for a, _ in pairs)
        zero = covariance if zero is None else zero
        total += 2 * covariance / zero
        if lag >= 5 * total:
            break
    return max(total, 1.0)


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9, 0.99])
def test_every_lag_up_to_the_window_counts_and_none_wraps_around(rho):
    rng = np.random.default_rng(3)
    chains = [autoregressive(rho, n, rng) + np.linspace(0, 3, n) for n in (40, 61, 100)]
    assert autocorrelation_time(chains) == pytest.approx(slow(chains), rel=1e-10)


def test_chains_that_disagree_have_a_long_time():
    rng = np.random.default_rng(2)
    apart = [rng.standard_normal(500) + shift for shift in (-2, 2)]
    assert autocorrelation_time(apart) > 50


def test_a_constant_has_the_shortest():
    assert autocorrelation_time([np.ones(10), np.ones(4)]) == 1.0
