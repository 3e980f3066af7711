"""Posterior predictive checks of mixed items: what each is like in the table, inside classes, and beside the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from ockham.contracts import NO_DOUBT, Doubt
from ockham.mixtures.classes.model import MixtureClasses
from ockham.mixtures.classes.profiles import item_scores, misfit_scores
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.items import Categorical, Gaussian
from ockham.mixtures.items.categorical import sample_states
from ockham.mixtures.items.item import Item
from ockham.table_results.fitted.checks import N_WORST, Check, PredictiveChecks, compared

__all__ = ["MixedChecks", "predictive_checks"]

AT_ONCE = 2**21
"""Numbers of a work array."""
MARGIN = "margin"
OF_NUMBERS = "mean", "standard deviation", "smallest", "largest", "skewness in classes", "kurtosis in classes"
OF_COUNTS = "mean", "largest", "share of zeros", "overdispersion in classes"


@dataclass(frozen=True, repr=False)
class MixedChecks(PredictiveChecks):
    """What was found.

    Attributes
    ----------
    largest_misfit : Check
        The largest of all items' score statistics for another distribution inside classes, those of skewness, kurtosis
        and overdispersion: (sum of scores)^2 / sum of their squares. One p-value for all items together.
    largest_dependence : Check
        The largest of all pairs' statistics: one p-value for all pairs together.
    of_items : tuple of Check
        Of categories and orderings, the sum over values of (O - E)^2 / E, over the values less one. Of numbers mean,
        standard deviation, smallest and largest cell, and of counts mean, largest cell and share of zeros; and inside
        classes the skewness and excess kurtosis of numbers and the overdispersion of counts, means of scores that are 0
        under the model, each row by its probabilities of the classes. P-values of all but the first count both sides.
    pairs : tuple of Check
        Of every pair of items, how far they depend on each other inside classes: with s the products of their
        deviations from what is expected in a class, each row by its probabilities of the classes, the mean of
        (sum s)^2 / sum s^2 over all of these. Rows that miss either do not count. The worst come first.
    n_replicates : int
    doubt : Doubt
        Of the draws.
    """

    largest_misfit: Check
    largest_dependence: Check
    of_items: tuple[Check, ...]
    pairs: tuple[Check, ...]
    n_replicates: int
    doubt: Doubt = NO_DOUBT

    @property
    def by_kind(self) -> Mapping[str, Sequence[Check]]:
        return {"table": (self.largest_misfit, self.largest_dependence), "item": self.of_items, "pair": self.pairs}

    @property
    def told(self) -> Sequence[Check]:
        worst = sorted(self.of_items, key=lambda check: check.p_value)
        return (self.largest_misfit, self.largest_dependence, *worst[:N_WORST])


def predictive_checks(
    model: MixtureClasses, data: MixedRows, points: np.ndarray, rng: np.random.Generator, doubt: Doubt = NO_DOUBT
) -> MixedChecks:
    """With one data set drawn at each of the points, shape (n_points, n_entries)."""
    missing = np.repeat(np.isnan(data.rows), data.counts, axis=0)
    once, found = np.ones(len(missing)), []
    for point in points:
        drawn = replicate(model, point, missing, rng)
        found.append([discrepancies(model, point, *each) for each in ((data.rows, data.counts), (drawn, once))])
    items = [f"{name}: {what}" for name, item in model.mixture.items.items() for what in _names(item)]
    pairs = [f"{one} and {other}" for one, other in combinations(model.items, 2)]
    two_sided = [2 + i for i, name in enumerate(items) if not name.endswith(f": {MARGIN}")]
    names = ["largest misfit", "largest dependence", *items, *pairs]
    checks = compared(names, np.array(found), two_sided)
    worst = sorted(checks[2 + len(items) :], key=lambda check: (check.p_value, -check.observed))
    of_items = tuple(checks[2 : 2 + len(items)])
    return MixedChecks(checks[0], checks[1], of_items, tuple(worst), len(points), doubt)


def replicate(model: MixtureClasses, point: np.ndarray, missing: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Rows drawn from the model, as many as there are rows of ``missing``, and missing the same cells."""
    log_weights, natural = model.parameters(point)
    classes = sample_states(np.broadcast_to(log_weights, (len(missing), model.n_classes)), rng).astype(np.int64)
    cells = [item.sample_cells(natural[:, at][classes], rng) for item, at in model.mixture.slices]
    return np.where(missing, np.nan, np.stack(cells, axis=1))


def discrepancies(model: MixtureClasses, point: np.ndarray, rows: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Largest misfit and dependence, those of the items, and those of the pairs, of rows that occur so often."""
    log_joint = model.log_joint(rows, point[None])[0]
    shares = np.exp(log_joint - log_joint.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    sizes, natural = model.sizes(point), model.parameters(point).natural
    of_items, misfits, deviations = list[float](), [0.0], list[np.ndarray]()
    for column, (item, at) in zip(rows.T, model.mixture.slices, strict=True):
        there = ~np.isnan(column)
        cells, weights = column[there], counts[there]
        of_cells = item_scores(item, natural[:, at], cells)
        scores = np.zeros((len(rows), model.n_classes, of_cells.shape[2]))
        scores[there] = of_cells.swapaxes(0, 1)
        deviations.append(scores)
        if isinstance(item, Categorical):
            of_items.append(_margin(cells, weights, sizes @ np.exp(natural[:, at])))
        else:
            of_items += _moments(item, cells, weights)
        of_classes = misfit_scores(item, natural[:, at], cells)
        if of_classes is not None:
            of_rows = np.einsum("nk,kna->na", shares[there], of_classes)
            misfits += _standardised(weights @ of_rows, weights @ of_rows**2).tolist()
            of_items += (weights @ of_rows / max(weights.sum(), 1)).tolist()
    pairs = _dependences(shares, deviations, counts)
    return np.array([max(misfits), max(pairs, default=0.0), *of_items, *pairs])


def _names(item: Item) -> Sequence[str]:
    """Of the discrepancies of an item, in their order."""
    if isinstance(item, Categorical):
        return (MARGIN,)
    if isinstance(item, Gaussian):
        return OF_NUMBERS
    is_binary = misfit_scores(item, item.mode(np.zeros((1, item.n_statistics))), np.zeros(1)) is None
    return OF_COUNTS[:-1] if is_binary else OF_COUNTS


def _margin(cells: np.ndarray, weights: np.ndarray, probability: np.ndarray) -> float:
    observed = np.bincount(cells.astype(np.int64), weights, len(probability))
    expected = weights.sum() * probability
    terms = np.divide((observed - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0)
    return float(terms.sum()) / (len(probability) - 1)


def _moments(item: Item, cells: np.ndarray, weights: np.ndarray) -> list[float]:
    """What needs no class: of numbers mean, deviation and extremes, of counts mean, largest and share of zeros."""
    if not len(cells):
        return [0.0] * (4 if isinstance(item, Gaussian) else 3)
    mean = float(np.average(cells, weights=weights))
    if not isinstance(item, Gaussian):
        return [mean, float(cells.max()), float(np.average(cells == 0, weights=weights))]
    deviation = float(np.sqrt(np.average((cells - mean) ** 2, weights=weights)))
    return [mean, deviation, float(cells.min()), float(cells.max())]


def _dependences(shares: np.ndarray, deviations: Sequence[np.ndarray], counts: np.ndarray) -> list[float]:
    """The statistic of every pair, from deviations of each item, shape (n_rows, n_classes, n_scores), 0 if missing."""
    every = np.concatenate(deviations, axis=2)
    n_scores = every.shape[2]
    total, squares = np.zeros((n_scores, n_scores)), np.zeros((n_scores, n_scores))
    step = max(1, AT_ONCE // n_scores**2)
    for first in range(0, len(shares), step):
        part = slice(first, first + step)
        products = (every[part] * shares[part, :, None]).swapaxes(1, 2) @ every[part]
        total += np.tensordot(counts[part], products, 1)
        squares += np.tensordot(counts[part], products**2, 1)
    statistics, ends = _standardised(total, squares), np.cumsum([0, *(one.shape[2] for one in deviations)])
    places = [slice(a, b) for a, b in pairwise(ends)]
    return [float(np.mean(statistics[one, other])) for one, other in combinations(places, 2)]


def _standardised(total: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """Squares of sums over sums of squares, 0 where there are none."""
    found: np.ndarray = np.divide(total**2, squares, out=np.zeros_like(squares), where=squares > 0)
    return found
