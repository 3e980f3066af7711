"""The special functions of arrays are as accurate as claimed, over all that they are used for.

Source of truth: scipy.special, and closed forms or a quadrature where it has none or is less accurate. Errors of
ln Gamma and digamma are relative to max(1, |value|); quantiles are held to the probability on their smaller side.
"""

import numpy as np
import pytest
from scipy import special

from ockham.estimation.beta_copula import LOG_PROBABILITIES, SCORES
from ockham.estimation.special_functions import beta_logits, digamma, log_gamma, logistic, trigamma, upper_gamma
from ockham.kernels import special_functions

LOG_GAMMA_ERROR = 1.5e-14
DIGAMMA_ERROR = 3e-15
TRIGAMMA_ERROR = 6e-15
GAMMA_ERROR = 2e-13
"""Relative, for each nat of its log and one more: where a is large, so are the terms of that."""
TAIL_ERROR = 1e-13
"""Relative, and from arguments of 100 on by the root of the smaller, which the density falls with."""
LOGIT_ERROR = 5e-14
"""Relative to the logit, or to how far logits of the distribution go where that is more."""


def arguments(low, high, seed, n=20_000):
    return 10 ** np.random.default_rng(seed).uniform(low, high, n)


def error(found, expected):
    return np.max(np.abs(found - expected) / np.maximum(1, np.abs(expected)))


def relative(found, expected):
    return np.max(np.abs(found / expected - 1))


@pytest.mark.parametrize("seed", [1, 2])
def test_gamma_functions(seed):
    x = np.concatenate([arguments(-15, 16, seed), arguments(-1, 1.5, seed + 2), [8.0, np.nextafter(8.0, 0), 1.0, 2.0]])
    assert error(log_gamma(x), special.gammaln(x)) <= LOG_GAMMA_ERROR
    assert error(digamma(x), special.digamma(x)) <= DIGAMMA_ERROR
    assert relative(trigamma(x), special.zeta(2, x)) <= TRIGAMMA_ERROR


def test_where_they_end():
    ends = np.array([0.0, np.inf, np.nan, -1.0, 5e-324])
    np.testing.assert_array_equal(log_gamma(ends)[:4], [np.inf, np.inf, np.nan, np.nan])
    assert log_gamma(ends)[4] == pytest.approx(744.4400719213812, rel=1e-15)
    np.testing.assert_array_equal(digamma(ends)[:4], [-np.inf, np.inf, np.nan, np.nan])
    np.testing.assert_array_equal(trigamma(ends)[:4], [np.inf, 0, np.nan, np.nan])
    assert log_gamma(np.array(3.0)).shape == ()


def test_shapes_that_do_not_fit_are_refused():
    for function in (special_functions.log_gamma, special_functions.digamma, special_functions.trigamma):
        with pytest.raises(ValueError, match="do not fit"):
            function(np.ones(3), np.ones(2))
    for wrong in range(6):
        given = [np.ones(2), np.ones(2), np.ones(3), np.ones(3), np.ones(4), np.ones(4), np.ones((2, 3))]
        given[wrong] = np.ones(5)
        with pytest.raises(ValueError, match="do not fit"):
            special_functions.beta_logits(*given)


@pytest.mark.parametrize("seed", [3, 4])
def test_upper_gamma(seed):
    rng = np.random.default_rng(seed)
    for a in arguments(-2, 4, seed, 2000):
        for x in (a * max(1 + rng.uniform(-6, 8) / np.sqrt(a), 1e-3), a * 10 ** rng.uniform(-2, 1)):
            expected = special.gammaincc(a, x)
            if expected > 1e-290:
                assert abs(upper_gamma(a, x) / expected - 1) <= GAMMA_ERROR * (1 - np.log(expected))
    assert upper_gamma(2.0, 0.0) == 1
    assert upper_gamma(2.0, np.inf) == 0
    assert np.isnan(upper_gamma(-1.0, 1.0))


def integrated(a, score):
    """Q(a, x) at x = a exp(score / sqrt(a)), by quadrature of the density of ln x in steps of its width."""
    nodes, shares = np.polynomial.legendre.leggauss(40)
    u = (np.arange(-18, 18)[:, None] + 0.5 + 0.5 * nodes + score) / np.sqrt(a)
    pieces = np.exp(a * (u - np.expm1(u))) @ shares
    return pieces[18:].sum() / pieces.sum()


@pytest.mark.parametrize("score", [-5.0, -4.7, -1.0, 0.0, 0.3, 3.0, 6.0])
def test_upper_gamma_of_large_parameters(score):
    """Where SciPy stops its sums early."""
    for a in (1e4, 2e5, 1e6):
        expected = integrated(a, score)
        assert abs(upper_gamma(a, a * np.exp(score / np.sqrt(a))) / expected - 1) <= 1e-14 * np.sqrt(a)


def logits(a, b):
    return beta_logits(a, b, LOG_PROBABILITIES, LOG_PROBABILITIES[::-1])


def misses(a, b, found):
    """Relative errors of the probability on the smaller side of every quantile, and the errors of logits these make.

    NaN where a quantile underflows. The probability of the other side is added as rounding, where a side is reached by
    subtracting it from 1: beyond the mode, and for parameters below 1 from a little before it.
    """
    a, b = a[:, None], b[:, None]
    low = SCORES <= 0
    v, w = special.expit(found), special.expit(-found)
    below = np.where(v < 0.5, special.betainc(a, b, v), special.betaincc(b, a, w))
    above = np.where(v < 0.5, special.betaincc(a, b, v), special.betainc(b, a, w))
    own, other = np.where(low, below, above), np.exp(np.where(low, LOG_PROBABILITIES, LOG_PROBABILITIES[::-1]))
    missed = np.abs(own / other - 1)
    subtracted = np.where(
        low,
        (found > np.log(a / b)) | ((b < 1) & (w * (a + b + 2) < b + 1)),
        (found < np.log(a / b)) | ((a < 1) & (v * (a + b + 2) < a + 1)),
    )
    missed = np.maximum(missed - np.where(subtracted, 2e-14 / other, 0), 0)
    missed[np.minimum(v, w) < 1e-300] = np.nan
    density = np.exp(special.xlogy(a, v) + special.xlogy(b, w) - special.betaln(a, b))
    return missed, missed * own / density / np.maximum(np.maximum(1, np.abs(found)), 1 / np.minimum(a, b))


@pytest.mark.parametrize(("low", "high"), [(-6, 0), (-1, 1), (-3, 3), (0, 3), (2, 5), (3.4, 3.9), (4, 8)])
def test_quantiles_of_beta_distributions(low, high):
    a, b = arguments(low, high, 5, 200), arguments(low, high, 6, 200)
    found = logits(a, b)
    assert (np.diff(found, axis=1) > 0).mean() > 0.9999
    missed, moved = misses(a, b, found)
    allowed = TAIL_ERROR * np.sqrt(np.maximum(100, np.minimum(a, b)))[:, None]
    assert not (missed > allowed).any()
    assert not (moved > LOGIT_ERROR).any()


def test_the_checks_notice_an_error():
    a, b = arguments(-1, 2, 7, 50), arguments(-1, 2, 8, 50)
    missed, moved = misses(a, b, logits(a * (1 + 1e-11), b))
    assert np.nanmax(missed) > 10 * TAIL_ERROR
    assert np.nanmax(moved) > LOGIT_ERROR
    x = arguments(-2, 6, 9)
    assert error(log_gamma(x * (1 + 1e-13)), special.gammaln(x)) > LOG_GAMMA_ERROR
    assert error(digamma(x) + 1e-14, special.digamma(x)) > DIGAMMA_ERROR
    assert relative(trigamma(x * (1 + 1e-14)), special.zeta(2, x)) > TRIGAMMA_ERROR


def test_quantiles_that_have_a_closed_form():
    """v = p ** (1 / a) of b = 1, whose logit underflows nowhere, and sin(pi p / 2) ** 2 of two halves."""
    a = np.concatenate([arguments(-12, 3, 10, 500), [1e-12, 1.0]])
    log_v = LOG_PROBABILITIES / a[:, None]
    low = SCORES <= 0
    expected = (log_v - np.log(-np.expm1(log_v)))[:, low]
    np.testing.assert_allclose(logits(a, np.ones_like(a))[:, low], expected, rtol=2e-13, atol=2e-13)
    np.testing.assert_allclose(-logits(np.ones_like(a), a)[:, ::-1][:, low], expected, rtol=2e-13, atol=2e-13)
    p = np.exp(LOG_PROBABILITIES)
    expected = 2 * np.log(np.tan(np.pi * p / 2))
    np.testing.assert_allclose(logits(np.array([0.5]), np.array([0.5]))[0, low], expected[low], rtol=1e-13, atol=5e-14)


def test_both_ways_to_integrate_agree():
    """Just below and above the size from which a tail is integrated, the quantiles go on smoothly."""
    a = 4000 * np.array([1 - 2e-9, 1 - 1e-9, 1 + 1e-9, 1 + 2e-9])
    for other in (4001.0, 1e6, 1e10):
        found = logits(a, np.full(4, other))
        steps = np.diff(found, axis=0)
        assert np.abs(steps[1] - 2 * steps[0]).max() <= 1e-13
        assert np.abs(steps[0]).max() <= 2e-9


def test_of_no_beta_distribution_there_are_no_quantiles():
    for a, b in ((0.0, 1.0), (1.0, -1.0), (np.nan, 1.0), (np.inf, 1.0)):
        assert np.isnan(logits(np.array([a]), np.array([b]))).all()
    assert logits(np.ones(0), np.ones(0)).shape == (0, len(SCORES))


def test_extreme_parameters_have_ascending_quantiles():
    a, b = arguments(-12, 15, 11, 300), arguments(-12, 15, 12, 300)
    found = logits(a, b)
    assert np.isfinite(found).all()
    beside = np.abs(np.log10(a / b)) < 6
    assert (np.diff(found[beside], axis=1) >= 0).mean() > 0.999


def test_logistic():
    x = np.array([-np.inf, -800, -40, 0, 3, 800, np.inf])
    np.testing.assert_allclose(logistic(x), special.expit(x), rtol=1e-15, atol=1e-308)
