"""Whether several Markov chains have come to agree: the multivariate potential scale reduction factor."""

import numpy as np

__all__ = ["multivariate_scale_reduction"]


def multivariate_scale_reduction(chains: np.ndarray) -> float:
    """The largest potential scale reduction of any linear function of the state; near 1 for chains that agree.

    Parameters
    ----------
    chains : ndarray, shape (n_chains, n_draws, n_parameters)
        At least two chains. inf where the draws do not vary in every direction, such as too few of them.

    Notes
    -----
    (n - 1) / n + (m + 1) / m times the largest eigenvalue of W^-1 B / n, for m chains of n draws, W the mean covariance
    within chains and B / n the covariance of their means; [BrooksGelman1998], section 4. B has rank m - 1 at the
    most, so the eigenvalue is that of an m by m matrix.
    """
    n_chains, n_draws, n_parameters = chains.shape
    means = chains.mean(axis=1)
    around = (chains - means[:, None]).reshape(-1, n_parameters)
    within, directions = np.linalg.eigh(around.T @ around / (n_chains * (n_draws - 1)))
    if within[0] <= n_parameters * np.finfo(float).eps * within[-1]:
        return np.inf
    between = (means - means.mean(axis=0)) @ directions / np.sqrt(within)
    largest = np.linalg.eigvalsh(between @ between.T)[-1] / (n_chains - 1)
    return float((n_draws - 1) / n_draws + (n_chains + 1) / n_chains * largest)
