"""How sure the hidden variables are, given the data ([ChickeringHeckerman1997], section 4.3)."""

import numpy as np

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.information import posterior_of_completions

__all__ = ["separation"]


def separation(network: DiscreteNetwork, data: UniqueRows, parameters: np.ndarray) -> float:
    """1 minus the mean entropy of p(hidden | row, theta) over the data, in units of that of the uniform distribution.

    Between 0, when the data say nothing, and 1, when every row has its class; eq. (23) of [ChickeringHeckerman1997].
    NaN where nothing is hidden.
    """
    if network.n_hidden_configurations == 1:
        return float("nan")
    with np.errstate(divide="ignore"):
        _, posterior = posterior_of_completions(network, data, np.log(parameters))
    terms = np.where(posterior > 0, -posterior * np.log(np.where(posterior > 0, posterior, 1.0)), 0.0)
    return float(1 - data.counts @ terms.sum(axis=1) / data.n / np.log(network.n_hidden_configurations))
