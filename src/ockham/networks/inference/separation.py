"""How sure the hidden variables are, given the data ([ChickeringHeckerman1997], section 4.3)."""

import numpy as np

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.information import completions

__all__ = ["separation"]


def separation(network: DiscreteNetwork, data: UniqueRows, parameters: np.ndarray) -> float:
    """1 minus the mean entropy of p(hidden | row, theta) over the data, in units of that of the uniform distribution.

    Between 0, when the data say nothing, and 1, when every row has its class; eq. (23) of [ChickeringHeckerman1997].
    Rows without a value do not count. NaN where nothing is hidden, and where no row has a value.
    """
    n = data.counts[data.known].sum()
    if network.n_hidden_configurations == 1 or not n:
        return float("nan")
    with np.errstate(divide="ignore"):
        log_parameters = np.log(parameters)
    total = 0.0
    for rows, _, every in completions(network, data, log_parameters):
        posterior = every.reshape(len(rows), -1, network.n_hidden_configurations).sum(axis=1)
        terms = np.where(posterior > 0, -posterior * np.log(np.where(posterior > 0, posterior, 1.0)), 0.0)
        total += data.counts[rows] @ terms.sum(axis=1)
    return float(1 - total / n / np.log(network.n_hidden_configurations))
