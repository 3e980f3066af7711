"""Claim: many log likelihoods at once are those that EM finds one by one, and joints are those of MAP EM."""

import numpy as np
import pytest
from reference.network_cases import CASES, observed_cardinalities, random_data

from ockham.kernels import likelihoods as kernel
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import log_beta, sample_log
from ockham.networks.inference import em
from ockham.networks.inference.expectation import layout
from ockham.networks.inference.likelihoods import log_joints, log_likelihoods


@pytest.mark.parametrize("name", CASES)
def test_they_are_those_of_em(name):
    network = CASES[name]
    rng = np.random.default_rng(1)
    data = UniqueRows.of(random_data(network, 12, 2), observed_cardinalities(network))
    points = np.array([sample_log(network, rng) for _ in range(4)])
    states = [em.init(network, data, point, network.prior) for point in points]
    np.testing.assert_allclose(log_likelihoods(network, data, points), [s.log_likelihood for s in states], rtol=1e-12)
    joints = [
        s.log_likelihood + point @ network.prior - log_beta(network) for s, point in zip(states, points, strict=True)
    ]
    np.testing.assert_allclose(log_joints(network, data, points), joints, rtol=1e-12)


def test_arrays_that_do_not_fit_are_refused():
    network = CASES["hidden chain"]
    data = UniqueRows.of(random_data(network, 5, 2), observed_cardinalities(network))
    plan, points = layout(network, data), np.zeros((3, network.n_entries))
    work = np.empty(kernel.work_size(plan, network.n_entries))
    with pytest.raises(ValueError, match="do not fit together"):
        kernel.run(plan, points, np.empty(2), work)
    with pytest.raises(ValueError, match="do not fit together"):
        kernel.run(plan, points, np.empty(3), work[:-1])
