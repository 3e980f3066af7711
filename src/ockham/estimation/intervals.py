"""The interval that a value, its standard error and its degrees of freedom make."""

from math import inf, log, log1p, nan
from statistics import NormalDist

import numpy as np

from ockham.estimation.special_functions import beta_logits

__all__ = ["interval"]

NORMAL = 1e15
"""Degrees of freedom from which a t distribution is a normal one but for rounding."""


def interval(
    value: np.ndarray | float,
    standard_error: np.ndarray | float,
    degrees_of_freedom: np.ndarray | float = np.inf,
    probability: float = 0.95,
) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper end of the central interval of Student's t distribution; NaN without an error."""
    deviation = _half_width(np.asarray(degrees_of_freedom, dtype=np.float64), probability) * np.asarray(standard_error)
    return value - deviation, value + deviation


def _half_width(freedom: np.ndarray, probability: float) -> np.ndarray:
    """Of the interval of Student's t: t ** 2 / freedom is the odds of a Beta variate, of 1 / 2 and freedom / 2."""
    if not 0 < probability < 1:
        return np.full(freedom.shape, inf if probability == 1 else 0.0 if probability == 0 else nan)
    found = np.where(freedom > NORMAL, NormalDist().inv_cdf((1 + probability) / 2), nan)
    some = (freedom > 0) & (freedom <= NORMAL)
    halves = freedom[some] / 2
    inside, outside = np.array([log(probability)]), np.array([log1p(-probability)])
    logits = beta_logits(np.full(len(halves), 0.5), halves, inside, outside)
    found[some] = np.sqrt(2 * halves) * np.exp(logits[:, 0] / 2)
    return found
