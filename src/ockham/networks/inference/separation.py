"""How sure the hidden variables are, given the data ([ChickeringHeckerman1997], section 4.3)."""

import numpy as np

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.information import posteriors_by_row

__all__ = ["separation"]


def separation(network: DiscreteNetwork, data: UniqueRows, parameters: np.ndarray) -> float:
    """1 minus the mean entropy of p(hidden | row, theta) over the data, in units of that of the uniform distribution.

    Between 0, when the data say nothing, and 1, when every row has its class; eq. (23) of [ChickeringHeckerman1997].
    NaN where nothing is hidden.
    """
    if network.n_hidden_configurations == 1:
        return float("nan")
    with np.errstate(divide="ignore"):
        log_parameters = np.log(parameters)
    total = 0.0
    for part, posterior, _ in posteriors_by_row(network, data, log_parameters):
        terms = np.where(posterior > 0, -posterior * np.log(np.where(posterior > 0, posterior, 1.0)), 0.0)
        total += part.counts @ terms.sum(axis=1)
    return float(1 - total / data.n / np.log(network.n_hidden_configurations))
