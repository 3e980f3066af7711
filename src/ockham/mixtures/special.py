"""Special functions that conjugate pairs share; SciPy comes in when a model is scored, for a job must start fast."""

import numpy as np

__all__ = ["log_factorial", "log_gamma", "sample_log_gamma"]


def log_gamma(values: np.ndarray) -> np.ndarray:
    """ln Gamma."""
    from scipy.special import gammaln

    found: np.ndarray = gammaln(values)
    return found


def log_factorial(counts: np.ndarray) -> np.ndarray:
    """ln x!"""
    return log_gamma(counts + 1)


def sample_log_gamma(shape: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Logs of gamma variates of unit rate, which exist where a small shape makes the variates underflow.

    A variate of shape a is one of shape a + 1 times a power 1 / a of a uniform one.
    """
    found: np.ndarray = np.log(rng.standard_gamma(shape + 1)) - rng.standard_exponential(shape.shape) / shape
    return found
