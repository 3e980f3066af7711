"""Expected logs of parameters under their variational posterior."""

import numpy as np

from ockham.estimation.special_functions import digamma
from ockham.networks.discrete_network import DiscreteNetwork

__all__ = ["expected_logs"]


def expected_logs(network: DiscreteNetwork, posterior: np.ndarray) -> np.ndarray:
    """E ln theta under Dirichlet distributions, shape (n_entries,); eq. (60) of [BealGhahramani2006]."""
    return digamma(posterior) - digamma(np.bincount(network.rows, posterior))[network.rows]
