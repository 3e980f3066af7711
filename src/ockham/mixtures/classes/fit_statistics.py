"""How well a mixture fits a table at given parameters: certainty of classes, dependence of items, misfit of items."""

from dataclasses import dataclass
from itertools import combinations
from math import log, nan

import numpy as np

from ockham.mixtures.classes.profiles import item_scores, misfit_scores
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters
from ockham.mixtures.items.item import Item

__all__ = ["FitStatistics", "fit_statistics", "memberships"]

MOST_PRODUCTS = 500
"""Of the deviations of two items, whose matrix of spread is inverted."""


@dataclass(frozen=True, eq=False)
class FitStatistics:
    """Statistics of a fit.

    Attributes
    ----------
    entropy : float
        1 less the mean entropy of the class of a row with a value, in units of that of the uniform distribution; NaN of
        one class.
    classification : ndarray, shape (n_classes, n_classes)
        Rows whose most probable class is the first index, by the probabilities of their classes, the second.
    residuals : ndarray, shape (n_items, n_items)
        Score statistic for a dependence of two items inside classes over its degrees of freedom; NaN on the diagonal,
        for items that no row has both of, and for two of so many states that it would take too long.
    misfits : ndarray, shape (n_items,)
        Score statistic for another distribution of an item inside classes over its degrees of freedom: skewness and
        kurtosis of numbers, overdispersion of counts; NaN of categories, which have every distribution.
    """

    entropy: float
    classification: np.ndarray
    residuals: np.ndarray
    misfits: np.ndarray

    @property
    def largest_residual(self) -> tuple[int, int, float] | None:
        """Columns of the two items that are furthest from independent in a class, and their statistic."""
        if np.isnan(self.residuals).all():
            return None
        first, second = np.unravel_index(np.nanargmax(self.residuals), self.residuals.shape)
        return int(min(first, second)), int(max(first, second)), float(self.residuals[first, second])

    @property
    def largest_misfit(self) -> tuple[int, float] | None:
        """Column of the item that is furthest from its distribution, and its statistic."""
        if np.isnan(self.misfits).all():
            return None
        worst = int(np.nanargmax(self.misfits))
        return worst, float(self.misfits[worst])


def memberships(model: FiniteMixture, parameters: Parameters, rows: np.ndarray) -> np.ndarray:
    """p(class | row, parameters) of rows with NaN where a cell is missing, shape (n_rows, n_classes)."""
    joint = np.tile(parameters.log_weights, (len(rows), 1))
    for column, (item, at) in zip(rows.T, model.slices, strict=True):
        known = ~np.isnan(column)
        joint[known] += item.statistics(column[known]) @ parameters.natural[:, at].T
    joint -= joint.max(axis=1, keepdims=True)
    shares: np.ndarray = np.exp(joint)
    return shares / shares.sum(axis=1, keepdims=True)


def fit_statistics(model: FiniteMixture, data: MixedRows, parameters: Parameters) -> FitStatistics:
    """The statistics at a fit.

    Notes
    -----
    A score statistic is S' V^- S over its rank, where S sums over rows what the model expects to be 0 (the products of
    two items' deviations, in each row averaged over its classes), and V sums the outer products of the same. That the
    parameters were fitted is left out, as in bivariate residuals ([OberskiEtAl2013]), so it has no chi-square
    distribution and no p-value; of a model that is true it is about 1 or less. The certainty is eq. (23) of
    [ChickeringHeckerman1997].
    """
    shares, counts = memberships(model, parameters, data.rows), data.counts.astype(np.float64)
    items = [(item, parameters.natural[:, at]) for item, at in model.slices]
    n_items, k = len(items), model.n_classes
    residuals, misfits = np.full((n_items, n_items), nan), np.full(n_items, nan)
    for a, b in combinations(range(n_items), 2):
        both = ~np.isnan(data.rows[:, [a, b]]).any(axis=1)
        n_products = (items[a][0].n_parameters * items[b][0].n_parameters) if both.any() else 0
        if 0 < n_products <= MOST_PRODUCTS:
            first, second = (_scores(*items[i], data.rows[both, i]) for i in (a, b))
            products = np.einsum("nk,kna,knb->nab", shares[both], first, second).reshape(int(both.sum()), -1)
            residuals[a, b] = residuals[b, a] = _statistic(products, counts[both])
    for a, (item, natural) in enumerate(items):
        known = ~np.isnan(data.rows[:, a])
        scores = misfit_scores(item, natural, data.rows[known, a])
        if scores is not None:
            misfits[a] = _statistic(np.einsum("nk,kna->na", shares[known], scores), counts[known])
    modal = np.eye(k)[shares.argmax(axis=1)]
    return FitStatistics(_entropy(shares, data), (modal * counts[:, None]).T @ shares, residuals, misfits)


def _scores(item: Item, natural: np.ndarray, cells: np.ndarray) -> np.ndarray:
    return item_scores(item, natural, cells)


def _statistic(values: np.ndarray, counts: np.ndarray) -> float:
    """Of sums of values, shape (n_rows, n_values), that are 0 in the mean."""
    total, spread = counts @ values, (values * counts[:, None]).T @ values
    rank = int(np.linalg.matrix_rank(spread, hermitian=True))
    return float(total @ np.linalg.pinv(spread, hermitian=True) @ total) / rank if rank else nan


def _entropy(shares: np.ndarray, data: MixedRows) -> float:
    with_value = ~np.isnan(data.rows).all(axis=1)
    if shares.shape[1] == 1 or not with_value.any():
        return nan
    shares, counts = shares[with_value], data.counts[with_value]
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    return 1 + float(counts @ (shares * logs).sum(axis=1)) / (float(counts.sum()) * log(shares.shape[1]))
