"""Claim: the bridge is the normaliser within its error, for chains that remember and posteriors that are cut off.

Truth: normal distributions. The error of chains that are taken to be independent must be noticed as too small.
"""

import numpy as np
import pytest
from scipy.stats import norm

from ockham.estimation import bridge_sampling
from ockham.estimation.bridge_sampling import bridge, mean_of_halves

RHO = 0.9


def chain(n, rng):
    states = np.empty(n)
    states[0] = rng.standard_normal()
    for i in range(1, n):
        states[i] = RHO * states[i - 1] + np.sqrt(1 - RHO**2) * rng.standard_normal()
    return states


def errors_in_errors(n_trials=100, cut=-np.inf):
    """Distance in standard errors from the log normaliser, of p = 3 exp(-x^2 / 2) above the cut, to q = N(.5, 1.3)."""
    rng = np.random.default_rng(4)
    truth = np.log(3 * np.sqrt(2 * np.pi) * norm.sf(cut))

    def ratio(x):
        with np.errstate(divide="ignore"):
            return np.where(x > cut, np.log(3) - x**2 / 2, -np.inf) - norm.logpdf(x, 0.5, 1.3)

    found = []
    for _ in range(n_trials):
        states = [chain(1500, rng) for _ in range(3)]
        one = bridge([ratio(x[x > cut]) for x in states], ratio(rng.normal(0.5, 1.3, 3000)))
        found.append((one.log_normaliser - truth) / one.relative_error)
    return np.array(found)


def check(z):
    assert abs(z.mean()) < 4 / np.sqrt(len(z))
    assert 0.8 < z.std() < 1.2


@pytest.mark.parametrize("cut", [-np.inf, 0.0])
def test_the_error_is_the_spread(cut):
    check(errors_in_errors(cut=cut))


def test_the_check_notices_an_error_without_memory(monkeypatch):
    monkeypatch.setattr(bridge_sampling, "autocorrelation_time", lambda chains: 1.0)
    with pytest.raises(AssertionError):
        check(errors_in_errors())


def test_a_proposal_that_is_the_posterior_leaves_no_error():
    found = bridge([np.full(50, 2.0)], np.full(70, 2.0))
    assert found.log_normaliser == pytest.approx(2.0, abs=1e-12)
    assert found.relative_error < 1e-12
    assert found.overlap == pytest.approx(70 / 120)


def test_distributions_that_do_not_meet_have_no_value():
    for posterior, proposal in ((np.zeros(5), np.full(4, -np.inf)), (np.empty(0), np.zeros(4))):
        found = bridge([posterior], proposal)
        assert np.isnan(found.log_normaliser)
        assert found.relative_error == np.inf


def test_distributions_whose_shares_round_to_nothing_have_no_error():
    found = bridge([np.full(5, 2000.0)], np.full(5, -2000.0))
    assert found.overlap == 0
    assert found.relative_error == np.inf


def test_the_mean_of_halves_has_their_errors_and_their_difference():
    value, error = mean_of_halves(np.array([-900.0, -900.0]), np.array([0.3, 0.4]))
    assert value == pytest.approx(-900)
    assert error == pytest.approx(np.sqrt(0.3**2 + 0.4**2) / 2)
    value, error = mean_of_halves(np.log([1.0, 3.0]), np.array([0.3, 0.4]))
    assert value == pytest.approx(np.log(2))
    assert error == pytest.approx(np.hypot(0.25, np.log(3) / 2))
