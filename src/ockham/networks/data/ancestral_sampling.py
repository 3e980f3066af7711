"""Complete data drawn from a discrete network, every variable after its parents."""

import numpy as np

from ockham.estimation.ancestral_sampling import ancestral_sample
from ockham.networks.discrete_network import DiscreteNetwork

__all__ = ["draw"]


def draw(network: DiscreteNetwork, parameters: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """States of all variables, int64, shape (n, n_variables).

    A longer draw from the same stream begins with the shorter one, so data sets of growing size are nested.
    """
    tables = [network.family(i, parameters) for i in range(network.n_variables)]
    return ancestral_sample(tables, network.parents, n, rng)
