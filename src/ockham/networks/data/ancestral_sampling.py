"""Complete data drawn from a discrete network, every variable after its parents."""

import numpy as np

from ockham.arguments import shown, whole
from ockham.errors import ConfigError, ModelError
from ockham.estimation.ancestral_sampling import ancestral_sample
from ockham.networks.discrete_network import DiscreteNetwork

__all__ = ["draw"]

MAX_CELLS = 10**9
"""Rows times variables."""


def draw(network: DiscreteNetwork, parameters: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """States of all variables, int64, shape (n, n_variables).

    A longer draw from the same stream begins with the shorter one, so data sets of growing size are nested.

    Raises
    ------
    ModelError
        For parameters that are none of the network's: shape (n_entries,), 0 or more, and more in every row.
    ConfigError
        For another argument that cannot be taken.
    """
    if not isinstance(network, DiscreteNetwork):
        raise ModelError(f"network: {shown(network)} is no DiscreteNetwork")
    if not isinstance(rng, np.random.Generator):
        raise ConfigError(f"rng: {shown(rng)} is no generator of NumPy; give numpy.random.default_rng(seed)")
    n = whole(n, "n", 0, MAX_CELLS // network.n_variables, ConfigError)
    parameters = _checked(network, parameters)
    tables = [network.family(i, parameters) for i in range(network.n_variables)]
    return ancestral_sample(tables, network.parents, n, rng)


def _checked(network: DiscreteNetwork, parameters: np.ndarray) -> np.ndarray:
    sound = isinstance(parameters, np.ndarray) and not isinstance(parameters, np.ma.MaskedArray)
    if not sound or parameters.dtype.kind not in "iuf" or parameters.shape != (network.n_entries,):
        raise ModelError(f"parameters: {shown(parameters)} must be an array of {network.n_entries} numbers")
    totals = np.add.reduceat(np.maximum(parameters, 0.0), network.row_starts[:-1])
    if not (np.isfinite(parameters).all() and (parameters >= 0).all() and (totals > 0).all()):
        raise ModelError("parameters: must be 0 or more, and more than 0 in every row")
    return parameters
