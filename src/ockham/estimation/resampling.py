"""Resampling of weighted particles."""

import numpy as np

__all__ = ["effective_share", "systematic"]


def systematic(weights: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Indices of n draws in proportion to the weights, one uniform variate for all."""
    edges = np.cumsum(weights) / weights.sum()
    return np.minimum(np.searchsorted(edges, (rng.random() + np.arange(n)) / n), len(weights) - 1)


def effective_share(weights: np.ndarray) -> float:
    """The effective sample size of the weights over their number."""
    return float(weights.sum() ** 2 / (weights**2).sum() / len(weights))
