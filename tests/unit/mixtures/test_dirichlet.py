"""Claim: Dirichlet distributions of arrays are those of the networks' kernels, however sparse.

Sources of truth: the kernel of complete data, of another hand; the digamma means of the logs of draws, |z| < 4, and the
variance of the log of a sparse one. Draws of a shape that is a little larger must be noticed.
"""

import numpy as np
import pytest
from scipy.special import digamma, polygamma

from ockham.kernels import complete_data
from ockham.mixtures import dirichlet

PRIOR = np.array([[1e-3, 0.5, 2.0], [1.0, 1.0, 40.0], [0.01, 0.01, 0.01]])
COUNTS = np.array([[0.0, 3.0, 1.0], [7.0, 0.0, 2.5], [0.0, 0.0, 4.0]])
ROWS = np.repeat(np.arange(3, dtype=np.int32), 3)
NOTHING = np.zeros(3)


def test_the_marginal_is_that_of_the_kernel():
    expected = complete_data.log_evidence(ROWS, PRIOR.ravel(), COUNTS.ravel(), 3)
    assert dirichlet.log_marginal(PRIOR, COUNTS).sum() == pytest.approx(expected, rel=1e-12)


def test_the_density_has_the_normaliser_of_the_kernel():
    logs = dirichlet.mode(PRIOR, COUNTS)
    work = np.empty(complete_data.work_size(9, 3))
    expected = float((PRIOR * logs).sum()) - complete_data.log_beta(ROWS, PRIOR.ravel(), 3, work)
    assert dirichlet.log_density(PRIOR, logs).sum() == pytest.approx(expected, rel=1e-12)


def deviations(shape, n=4000):
    """Of the means of logs of draws from their expectation, and of the first one's variance, in standard errors."""
    logs = dirichlet.sample(np.broadcast_to(shape, (n, 3)), NOTHING, np.random.default_rng(1))
    np.testing.assert_allclose(np.logaddexp.reduce(logs, axis=1), 0, atol=1e-12)
    squares = (logs[:, 0] - logs[:, 0].mean()) ** 2
    z = (logs.mean(axis=0) - (digamma(shape) - digamma(shape.sum()))) / (logs.std(axis=0) / np.sqrt(n))
    spread = (squares.mean() - (polygamma(1, shape[0]) - polygamma(1, shape.sum()))) / (squares.std() / np.sqrt(n))
    return np.abs([*z, spread])


@pytest.mark.parametrize("shape", PRIOR)
def test_draws_have_the_moments_of_their_logs(shape, monkeypatch):
    assert deviations(shape).max() < 4
    right = dirichlet.sample_log_gamma
    monkeypatch.setattr(dirichlet, "sample_log_gamma", lambda shape, rng: right(1.2 * shape, rng))
    assert deviations(shape).max() > 4


def test_draws_of_sparse_shapes_do_not_underflow():
    logs = dirichlet.sample(np.full((1000, 2), 1e-6), np.zeros(2), np.random.default_rng(1))
    assert np.isfinite(logs).all()
    assert logs.min() < -1000
