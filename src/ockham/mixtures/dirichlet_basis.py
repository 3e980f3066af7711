"""The softmax basis of logs of probabilities: ln(p_i / p_0), for all values but the first."""

import numpy as np

__all__ = ["information", "jacobian"]


def jacobian(logs: np.ndarray) -> np.ndarray:
    """Derivatives of ln p, shape (..., n_values), by the coordinates, shape (..., n_values, n_values - 1)."""
    n_values = logs.shape[-1]
    found: np.ndarray = np.eye(n_values)[:, 1:] - np.exp(logs)[..., None, 1:]
    return found


def information(logs: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Minus the Hessian of the sum of counts times ln p, shape (..., n_values - 1, n_values - 1)."""
    shares = np.exp(logs)[..., 1:]
    spread = shares[..., None] * np.eye(shares.shape[-1]) - shares[..., None] * shares[..., None, :]
    found: np.ndarray = counts.sum(axis=-1)[..., None, None] * spread
    return found
