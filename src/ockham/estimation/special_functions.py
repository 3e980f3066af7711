"""Special functions of arrays: the kernel's, and those that are a line of NumPy."""

from collections.abc import Callable
from functools import cache

import numpy as np

from ockham.kernels import special_functions as kernel

__all__ = ["beta_logits", "digamma", "log_gamma", "logistic", "trigamma", "upper_gamma"]

N_NODES = 32
"""Of the quadrature in the tails of Beta distributions of large parameters, which is exact to rounding from 30 on."""


def log_gamma(values: np.ndarray) -> np.ndarray:
    """ln Gamma of positive values; infinite at 0, NaN below."""
    return _of_each(kernel.log_gamma, values)


def digamma(values: np.ndarray) -> np.ndarray:
    """The derivative of ln Gamma, of positive values; NaN below 0."""
    return _of_each(kernel.digamma, values)


def trigamma(values: np.ndarray) -> np.ndarray:
    """The derivative of digamma, of positive values; NaN below 0."""
    return _of_each(kernel.trigamma, values)


def upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x)."""
    return float(kernel.upper_gamma(a, x))


def beta_logits(a: np.ndarray, b: np.ndarray, log_lower: np.ndarray, log_upper: np.ndarray) -> np.ndarray:
    """Logits of quantiles of Beta distributions, nats, shape (n_distributions, n_probabilities).

    Parameters
    ----------
    a, b : ndarray, shape (n_distributions,)
        NaN comes of what is not positive and finite.
    log_lower, log_upper : ndarray, shape (n_probabilities,)
        Logs of the probabilities below and above.
    """
    nodes, shares = _quadrature()
    found = np.empty((len(a), len(log_lower)))
    kernel.beta_logits(
        *(np.ascontiguousarray(each, dtype=np.float64) for each in (a, b, log_lower, log_upper)),
        0.5 + 0.5 * nodes, 0.5 * shares, found,
    )  # fmt: skip
    return found


@cache
def _quadrature() -> tuple[np.ndarray, np.ndarray]:
    """Nodes and shares of Gauss and Legendre."""
    return np.polynomial.legendre.leggauss(N_NODES)


def logistic(values: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-x))."""
    with np.errstate(over="ignore"):
        found: np.ndarray = 1 / (1 + np.exp(-values))
    return found


def _of_each(function: Callable[[np.ndarray, np.ndarray], None], values: np.ndarray) -> np.ndarray:
    given = np.asarray(values, dtype=np.float64, order="C")  # which leaves a scalar one
    found = np.empty(given.shape)
    function(given.reshape(-1), found.reshape(-1))
    return found
