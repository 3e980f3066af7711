"""Products of Dirichlet distributions over the rows of a discrete network, in logs throughout."""

import numpy as np

from ockham.kernels import complete_data
from ockham.models.discrete_network import DiscreteNetwork

__all__ = ["log_density", "sample_log"]


def log_density(network: DiscreteNetwork, parameters: np.ndarray) -> float:
    """Log prior density at the parameters, in the basis of theta, in nats; eq. (3) of [BealGhahramani2006].

    -inf or +inf where an entry is 0 and its hyperparameter is not 1.
    """
    return complete_data.log_joint(network.prior - 1, parameters) - complete_data.log_beta(
        network.rows, network.prior, network.n_rows
    )


def sample_log(network: DiscreteNetwork, rng: np.random.Generator) -> np.ndarray:
    """Logs of one draw of every row from the prior, shape (n_entries,), normalised row by row.

    Gamma(a) is drawn as Gamma(a + 1) U^(1/a), whose log exists where a small a would make the draw underflow to 0.
    """
    log_gamma = (
        np.log(rng.standard_gamma(network.prior + 1)) + np.log(1 - rng.random(network.n_entries)) / network.prior
    )
    starts, rows = network.row_starts, network.rows
    log_gamma -= np.maximum.reduceat(log_gamma, starts)[rows]
    return log_gamma - np.log(np.add.reduceat(np.exp(log_gamma), starts))[rows]
