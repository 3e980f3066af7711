"""Claim: the closed forms of complete data hold, for real counts of any size. Truth: scipy's gammaln and xlogy."""

import numpy as np
import pytest
from reference.enumeration import complete_log_evidence
from reference.network import complete_log_evidence as predictive_log_evidence
from scipy.special import xlogy

from ockham.kernels import complete_data
from ockham.networks.structure_space import bipartite_network

NETWORK = bipartite_network([[1], [1, 2], [], [2]], [2, 3], [5, 2, 3, 4])


def log_evidence(prior, counts):
    return complete_data.log_evidence(NETWORK.rows, prior, counts, NETWORK.n_rows)


def with_prior(prior):
    return type(NETWORK)(NETWORK.names, NETWORK.cardinalities, NETWORK.parents, NETWORK.hidden, prior)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 50.0])
@pytest.mark.parametrize("size", [1e-6, 1.0, 1e5])
def test_equals_gamma_functions(scale, size):
    rng = np.random.default_rng(1)
    prior, counts = scale * rng.gamma(2.0, size=(2, NETWORK.n_entries))
    counts *= size / scale
    expected = complete_log_evidence(with_prior(prior), counts)
    assert log_evidence(prior, counts) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_equals_one_step_ahead_predictions():
    rng = np.random.default_rng(2)
    states = rng.integers(0, NETWORK.cardinalities, size=(30, NETWORK.n_variables))
    counts = np.zeros(NETWORK.n_entries)
    np.add.at(counts, NETWORK.offsets[:-1] + states @ NETWORK.strides.T, 1.0)
    prior = rng.gamma(1.0, size=NETWORK.n_entries)
    assert log_evidence(prior, counts) == pytest.approx(predictive_log_evidence(with_prior(prior), states), rel=1e-12)


def test_no_counts_have_evidence_one():
    assert log_evidence(np.full(NETWORK.n_entries, 1e-3), np.zeros(NETWORK.n_entries)) == 0.0


def test_joint_skips_what_was_not_counted():
    rng = np.random.default_rng(3)
    parameters, counts = rng.random((2, NETWORK.n_entries))
    parameters[:5] = counts[:5] = 0.0
    assert complete_data.log_joint(counts, parameters) == pytest.approx(xlogy(counts, parameters).sum(), rel=1e-14)


def test_joint_of_the_impossible_is_minus_infinity():
    assert complete_data.log_joint(np.array([1.0, 2.0]), np.array([0.0, 1.0])) == -np.inf


def test_arrays_that_do_not_fit_are_refused():
    ones = np.ones(NETWORK.n_entries)
    with pytest.raises(ValueError, match="do not fit"):
        complete_data.log_evidence(NETWORK.rows, ones, ones[1:], NETWORK.n_rows)
    with pytest.raises(ValueError, match="ascend"):
        complete_data.log_evidence(NETWORK.rows[::-1].copy(), ones, ones, NETWORK.n_rows)
    with pytest.raises(ValueError, match="do not fit"):
        complete_data.log_joint(ones, ones[1:])
