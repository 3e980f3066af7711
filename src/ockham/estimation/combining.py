"""One value from independent runs, by the rule that an estimate declares."""

import numpy as np

from ockham.contracts import OverRuns

__all__ = ["combine"]


def combine(
    values: np.ndarray, rule: OverRuns, standard_errors: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The value, its standard error and its effective sample size, all of shape (...,) and NaN where unknown.

    Parameters
    ----------
    values : ndarray, shape (..., n_runs)
        Log evidences in nats; NaN where a run is missing.
    rule : {"max", "mean", "median"}
        Highest of restarts; log of the mean evidence of unbiased estimates; median of estimates that may fail.
    standard_errors : ndarray, shape (..., n_runs), optional
        Of each run, for ``max`` (that of the highest) and ``median`` (their median).

    Notes
    -----
    The mean is AIS^(G) at the end of section 3.6 of [BealGhahramani2006]. Its standard error is that of the mean of the
    evidences over their mean (to first order that of its log), its effective sample size (sum w)^2 / sum w^2.
    """
    n_runs = np.sum(~np.isnan(values), axis=-1)
    highest = np.max(np.where(np.isnan(values), -np.inf, values), axis=-1, keepdims=True)
    unknown = np.full(n_runs.shape, np.nan)
    errors = np.full(values.shape, np.nan) if standard_errors is None else standard_errors
    if rule == "max":
        at_highest = np.where(values == highest, errors, np.nan)
        return np.where(n_runs > 0, highest[..., 0], np.nan), _quietly(np.nanmax, at_highest), unknown
    if rule == "median":
        return _quietly(np.nanmedian, values), _quietly(np.nanmedian, errors), unknown
    weights = np.nan_to_num(np.exp(values - np.where(np.isfinite(highest), highest, 0.0)))
    total, squares = weights.sum(axis=-1), (weights**2).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(n_runs > 0, highest[..., 0] + np.log(total / n_runs), np.nan)
        variance = (squares / n_runs - (total / n_runs) ** 2) / (n_runs - 1)
        error = np.where(n_runs > 1, np.sqrt(np.maximum(variance, 0.0)) * n_runs / total, np.nan)
        return mean, error, np.where(total > 0, total**2 / squares, np.nan)


def _quietly(function, values: np.ndarray) -> np.ndarray:
    """NaN where there is nothing but NaN, without NumPy's warning."""
    known = ~np.isnan(values).all(axis=-1)
    result = np.full(known.shape, np.nan)
    result[known] = function(values[known], axis=-1)
    return result
