"""The special functions inside the kernels are as accurate as claimed.

Source of truth: scipy.special and NumPy in double precision. The functions have no Python entry, so each is read from
a kernel that shows it: ln x from the complete-data joint, ln Gamma from the log of the beta function, exp and digamma
from the geometric means exp E[ln theta] of variational EM and, where those are 0, from its expected counts.
Errors are relative to max(1, |value|), of the largest term where terms are subtracted; the limits are 1.4 to 3 times
the largest errors seen.
"""

from dataclasses import replace
from sys import float_info

import numpy as np
import pytest
from scipy.special import digamma, gammaln

from ockham.kernels import complete_data, variational_em
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.expectation import layout

LOG_ERROR = 3e-16
EXP_ERROR = 4e-16
LOG_GAMMA_ERROR = 2e-14
DIGAMMA_ERROR = 3e-15
PAIR = np.zeros(2, dtype=np.int32)


def arguments(low, high, seed, n=3000):
    """A grid and random numbers, both even in the logarithm."""
    ends = np.log10([low, high])
    both = 10 ** np.concatenate([np.linspace(*ends, n), np.random.default_rng(seed).uniform(*ends, n)])
    return np.clip(both, low, high)


def error(found, expected, *terms):
    return np.max(np.abs(found - expected) / np.max(np.abs(np.broadcast_arrays(1.0, expected, *terms)), axis=0))


def log_positive(x):
    return np.array([complete_data.log_joint(np.ones(1), np.array([value])) for value in x])


def log_beta(x, y):
    return np.array([complete_data.log_beta(PAIR, np.array(pair), 1, np.empty(9)) for pair in zip(x, y, strict=True)])


def variational(network, start, max_iterations, weight):
    """Geometric means and counts of variational EM on one row whose weight is too small to change the posterior."""
    data = UniqueRows.of([[0] * len(network.observed)], [network.cardinalities[i] for i in network.observed])
    plan = replace(layout(network, data), weights=np.array([weight]))
    theta, counts, posterior = np.empty(network.n_entries + 2), np.empty(network.n_entries + 2), np.empty(len(start))
    work = np.empty(variational_em.work_size(plan, network.n_entries, network.n_rows))
    variational_em.run(
        plan, network.rows, network.prior, start, theta, posterior, counts, np.empty(0), network.n_rows, max_iterations,
        0.0, work,
    )  # fmt: skip
    np.testing.assert_array_equal(posterior, network.prior)
    return theta[:-2], counts[:-2]


def exp_nonpositive(x):
    return variational(DiscreteNetwork.build({"y": len(x)}, {}), x, 0, 1.0)[0]


def geometric_means(prior):
    """exp(digamma(a) - digamma(total)) of one Dirichlet row."""
    network = DiscreteNetwork.build({"y": len(prior)}, {}, prior={"y": prior})
    return variational(network, np.full(len(prior), -1.0), 1, 1e-300)[0]


def log_odds(prior):
    """digamma(a) - digamma(b) of a hidden variable's two hyperparameters, from the counts of its two values."""
    network = DiscreteNetwork.build({"h": 2, "y": 2}, {"y": ["h"]}, ["h"], {"h": prior})
    counts = variational(network, np.full(6, -1.0), 1, 1e-200)[1]
    return np.log(counts[0] / counts[1])


def test_logarithm():
    x = np.concatenate([arguments(1e-10, 1e12, 1), arguments(float_info.min, 1e308, 2)])
    near_one = 1 + np.random.default_rng(3).uniform(-1e-3, 1e-3, 1000)
    for values in (x, near_one, 2.0 ** np.arange(-1022, 1024)):
        assert error(log_positive(values), np.log(values)) <= LOG_ERROR
    np.testing.assert_allclose(log_positive(near_one), np.log(near_one), rtol=1e-13)
    assert log_positive([1.0]) == 0.0


def test_exponential():
    x = -np.concatenate([arguments(1e-12, 700, 4), [0.0, 700.0]])
    found, expected = exp_nonpositive(x), np.exp(x)
    assert np.max(np.abs(found - expected) / expected) <= EXP_ERROR
    assert exp_nonpositive(np.array([0.0, -0.0])).tolist() == [1.0, 1.0]
    assert not exp_nonpositive(np.array([np.nextafter(-700.0, -np.inf), -1e4, -1e300, -np.inf])).any()


@pytest.mark.parametrize("seed", [5, 6])
def test_log_gamma(seed):
    x = arguments(1e-10, 1e12, seed)
    for y in (x, np.ones_like(x), np.full_like(x, 1e-10), np.random.default_rng(seed).permutation(x)):
        terms = gammaln(x), gammaln(y), gammaln(x + y)
        assert error(log_beta(x, y), terms[0] + terms[1] - terms[2], *terms) <= LOG_GAMMA_ERROR


def test_log_gamma_where_it_is_zero():
    """B(1, y) = 1 / y, near the zeros of ln Gamma too."""
    y = np.concatenate([1 + np.linspace(-1e-6, 1e-6, 101), np.linspace(0.5, 3, 501)])
    assert np.max(np.abs(log_beta(np.ones_like(y), y) + np.log(y))) <= LOG_GAMMA_ERROR


@pytest.mark.parametrize("seed", [7, 8])
def test_digamma(seed):
    """Down to 7.2e-4, below which the geometric mean of one of two equal entries is 0."""
    for x in arguments(7.2e-4, 1e6, seed, n=800):
        terms = digamma(x), digamma(2 * x)
        assert error(np.log(geometric_means([x, x])), terms[0] - terms[1], *terms) <= DIGAMMA_ERROR
    x = arguments(1.5e-3, 1.0, seed, n=200)
    for value in x:
        found = geometric_means([value, 1.0, 3.0])
        terms = digamma([value, 1.0, 3.0]), digamma(value + 1.0 + 3.0)
        assert error(np.log(found), terms[0] - terms[1], *terms) <= DIGAMMA_ERROR


@pytest.mark.parametrize("seed", [9, 10])
def test_digamma_of_tiny_arguments(seed):
    """Two hyperparameters apart by about one unit of digamma, which is -1 / x here."""
    for x in arguments(1e-10, 7e-4, seed, n=600):
        other = x + x**2
        terms = digamma(x), digamma(other), digamma(x + other)
        assert error(log_odds([x, other]), terms[0] - terms[1], *terms) <= DIGAMMA_ERROR


def test_the_checks_notice_an_error_of_a_few_roundings():
    x = arguments(1e-10, 1e12, 11)
    assert error(np.log(x) * (1 + 1e-15), np.log(x)) > LOG_ERROR
    assert error(gammaln(x) * (1 + 1e-13), gammaln(x)) > LOG_GAMMA_ERROR
    assert error(digamma(x) + 1e-14, digamma(x)) > DIGAMMA_ERROR
