"""Claim: the multivariate potential scale reduction factor is that of its definition, and sees what it should see.

Truth: the definition, with the eigenvalues of the unsymmetric matrix; chains that agree and chains that do not.
"""

import numpy as np
import pytest

from ockham.estimation.scale_reduction import multivariate_scale_reduction


def defined(chains):
    """W^-1 B / n written out."""
    m, n, d = chains.shape
    within, between = np.zeros((d, d)), np.zeros((d, d))
    for chain in chains:
        within += np.cov(chain.T, ddof=1).reshape(d, d) / m
        apart = chain.mean(axis=0) - chains.mean(axis=(0, 1))
        between += np.outer(apart, apart) / (m - 1)
    return (n - 1) / n + (m + 1) / m * np.linalg.eigvals(np.linalg.inv(within) @ between).real.max()


def chains(shape, seed=1):
    rng = np.random.default_rng(seed)
    return rng.normal(size=shape) @ rng.normal(size=(shape[-1], shape[-1]))


@pytest.mark.parametrize("shape", [(2, 10, 1), (3, 40, 5), (10, 30, 4)])
def test_it_is_the_definition(shape):
    found = chains(shape)
    assert multivariate_scale_reduction(found) == pytest.approx(defined(found), rel=1e-10)


def test_it_does_not_depend_on_the_scale_or_basis():
    found = chains((4, 50, 3))
    turned = found @ np.diag([0.1, 1.0, 10.0]) @ np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))[0]
    assert multivariate_scale_reduction(turned) == pytest.approx(multivariate_scale_reduction(found), rel=1e-7)


def test_agreeing_chains_are_near_1_and_a_chain_elsewhere_is_seen():
    """Also in one direction only, where no single parameter shows it."""
    found = chains((10, 2000, 3))
    assert multivariate_scale_reduction(found) < 1.01
    rng = np.random.default_rng(3)
    parent = rng.normal(size=(10, 2000, 1)) * 100
    pair = np.concatenate([parent, parent + rng.normal(size=parent.shape)], axis=2)
    pair[0, :, 1] += 3.0
    assert multivariate_scale_reduction(pair) > 1.5
    assert max(multivariate_scale_reduction(pair[:, :, [i]]) for i in (0, 1)) < 1.1


def test_too_few_draws_for_the_parameters_are_infinite():
    assert multivariate_scale_reduction(chains((2, 4, 7))) == np.inf
    assert np.isfinite(multivariate_scale_reduction(chains((2, 5, 7))))
