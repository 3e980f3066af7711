"""Covariances of draws in many dimensions."""

import numpy as np

__all__ = ["shrunk_covariance"]


def shrunk_covariance(around: np.ndarray, weights: np.ndarray | None = None) -> tuple[np.ndarray, float]:
    """The covariance, and how far it was drawn to its diagonal, as far as its other elements are noise.

    Parameters
    ----------
    around : ndarray, shape (n_draws, n_dimensions)
        Draws but for their mean.
    weights : ndarray, shape (n_draws,), optional
        How much each draw counts, 1 by default.

    Notes
    -----
    Eq. (10) of [SchaeferStrimmer2005]; the elements' variances are those of independent draws. Draws in two places only
    show no noise, so it is at least the square of one over their effective number: every variance is positive.
    """
    weighted = around if weights is None else around * np.sqrt(weights)[:, None]
    total = len(around) if weights is None else weights.sum()
    n = len(around) if weights is None else total**2 / (weights**2).sum()
    covariance = weighted.T @ weighted / total
    products = (around**2).T @ around**2 if weights is None else (weighted**2).T @ around**2
    variances = (products / total - covariance**2) / n
    noise = variances.sum() - np.trace(variances)
    signal = (covariance**2).sum() - (np.diag(covariance) ** 2).sum()
    shrinkage = float(np.clip(noise / signal, 1 / n**2, 1.0)) if signal > 0 else 1.0
    variance = np.maximum(np.diag(covariance), 1e-12)
    return (1 - shrinkage) * covariance + np.diag(variance - (1 - shrinkage) * np.diag(covariance)), shrinkage
