"""The log likelihood of a discrete network at many parameters."""

import numpy as np

from ockham.kernels import likelihoods as kernel
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import log_beta
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.expectation import layout

__all__ = ["log_joints", "log_likelihoods"]


def log_likelihoods(network: DiscreteNetwork, data: UniqueRows, log_parameters: np.ndarray) -> np.ndarray:
    """ln p(y | theta), nats, shape (n_points,), at parameters whose logs have shape (n_points, n_entries)."""
    plan = layout(network, data)
    found = np.empty(len(log_parameters))
    kernel.run(
        plan,
        log_theta=np.ascontiguousarray(log_parameters),
        log_likelihoods=found,
        work=np.empty(kernel.work_size(plan, network.n_entries)),
    )
    return found


def log_joints(network: DiscreteNetwork, data: UniqueRows, log_parameters: np.ndarray) -> np.ndarray:
    """ln p(y, theta) in the softmax basis, nats, shape (n_points,): its integral over theta is the evidence."""
    return log_likelihoods(network, data, log_parameters) + log_parameters @ network.prior - log_beta(network)
