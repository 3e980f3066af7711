"""Dirichlet distributions over the last axis, updated by counts: what categories, proportions and classes share.

``prior`` has hyperparameters and ``counts`` cases, both of shape (..., n_values). Probabilities are logs, which exist
where a sparse draw would underflow. Densities are in the softmax basis, in which the mode is the mean.
"""

import numpy as np

from ockham.estimation.special_functions import log_gamma
from ockham.mixtures.special import sample_log_gamma

__all__ = ["log_density", "log_marginal", "mode", "sample"]


def log_marginal(prior: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """ln of the mean of the product of p^count under the prior, nats, shape (...,)."""
    return _log_beta(prior + counts) - _log_beta(prior)


def mode(prior: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """ln p at the mode."""
    shape = prior + counts
    found: np.ndarray = np.log(shape / shape.sum(axis=-1, keepdims=True))
    return found


def sample(prior: np.ndarray, counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """ln p of a draw."""
    logs = sample_log_gamma(prior + counts, rng)
    found: np.ndarray = logs - np.logaddexp.reduce(logs, axis=-1, keepdims=True)
    return found


def log_density(prior: np.ndarray, logs: np.ndarray) -> np.ndarray:
    """Of the prior at ln p, nats, shape (...,)."""
    found: np.ndarray = (prior * logs).sum(axis=-1) - _log_beta(prior)
    return found


def _log_beta(shape: np.ndarray) -> np.ndarray:
    return log_gamma(shape).sum(axis=-1) - log_gamma(shape.sum(axis=-1))
