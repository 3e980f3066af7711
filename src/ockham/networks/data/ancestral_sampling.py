"""Complete data drawn from a discrete network, every variable after its parents."""

import numpy as np

from ockham.networks.discrete_network import DiscreteNetwork

__all__ = ["draw"]


def draw(network: DiscreteNetwork, parameters: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """States of all variables, int64, shape (n, n_variables).

    A longer draw from the same stream begins with the shorter one, so data sets of growing size are nested.
    """
    uniforms = rng.random((n, network.n_variables))
    states = np.zeros((n, network.n_variables), dtype=np.int64)
    for i in network.topological_order:
        cumulative = np.cumsum(network.family(i, parameters), axis=1)
        configurations = states @ network.strides[i] // network.cardinalities[i]
        above = uniforms[:, i, None] * cumulative[configurations, -1:] >= cumulative[configurations]
        states[:, i] = np.minimum(above.sum(axis=1), network.cardinalities[i] - 1)
    return states
