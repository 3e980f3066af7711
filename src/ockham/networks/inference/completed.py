"""Densities of parameters given the counts of completed data, averaged over the relabellings."""

from math import lgamma

import numpy as np

from ockham.estimation.class_names import AT_ONCE, log_permanent
from ockham.kernels import complete_data
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.relabellings import Relabellings

__all__ = ["log_densities"]


def log_densities(
    network: DiscreteNetwork, same: Relabellings, log_points: np.ndarray, counts: np.ndarray
) -> np.ndarray:
    """ln of the mean of p(theta | D_c, m) over the relabellings of theta, in the softmax basis; nats.

    Parameters
    ----------
    network : DiscreteNetwork
    same : Relabellings
        Those that are averaged over.
    log_points : ndarray, shape (n_points, n_entries)
        Logs of theta.
    counts : ndarray, shape (n_completions, n_entries)
        Of the data, completed in several ways.

    Returns
    -------
    ndarray, shape (n_points, n_completions)

    Notes
    -----
    What ``gibbs.run`` has of one point after each sweep; ``kernels/gibbs.pyx`` has the NumPy lines.
    """
    posterior, r = network.prior + counts, len(same.classes)
    found = np.empty((len(log_points), len(counts)))
    n_at_once = max(1, AT_ONCE // (r**2 * len(counts)))
    for first in range(0, len(log_points), n_at_once):
        part = slice(first, first + n_at_once)
        values = []
        for alias in same.aliases:
            points = log_points[part][:, alias]
            tables = np.einsum("lke,pje->plkj", posterior[:, same.classes], points[:, same.classes], optimize=True)
            values.append(log_permanent(tables) + points[:, same.shared] @ posterior[:, same.shared].T)
        found[part] = np.logaddexp.reduce(values) - np.log(len(values))
    return found - lgamma(r + 1) - _log_normalisers(network, posterior)


def _log_normalisers(network: DiscreteNetwork, posterior: np.ndarray) -> np.ndarray:
    """ln B of products of Dirichlet distributions, nats, shape (n_completions,)."""
    work = np.empty(complete_data.work_size(network.n_entries, network.n_rows))
    return np.array([complete_data.log_beta(network.rows, each, network.n_rows, work) for each in posterior])
