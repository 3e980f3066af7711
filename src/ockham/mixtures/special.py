"""What conjugate pairs share of the gamma function and distribution."""

import numpy as np

from ockham.estimation.special_functions import log_gamma

__all__ = ["log_factorial", "sample_log_gamma"]


def log_factorial(counts: np.ndarray) -> np.ndarray:
    """ln x!"""
    return log_gamma(counts + 1)


def sample_log_gamma(shape: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Logs of gamma variates of unit rate, which exist where a small shape makes the variates underflow.

    A variate of shape a is one of shape a + 1 times a power 1 / a of a uniform one.
    """
    found: np.ndarray = np.log(rng.standard_gamma(shape + 1)) - rng.standard_exponential(shape.shape) / shape
    return found
