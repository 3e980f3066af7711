"""Draws of chains of a model with classes: when chains may end, and which classes they say something of.

Quantities are what is said of each class, such as its size and the probabilities of values, in the scale in which it is
said; of shape (n_chains, n_draws, n_classes, n_quantities).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ockham.contracts import NO_DOUBT, Doubt
from ockham.estimation.assignments import best_assignments
from ockham.estimation.autocorrelation import autocorrelation_time
from ockham.estimation.scale_reduction import multivariate_scale_reduction

__all__ = [
    "Verdict",
    "agreeing_draws",
    "agreement_of_labels",
    "effective_sizes",
    "scale_reductions",
    "verdict",
]

LARGEST_REDUCTION = 1.05
"""Of any quantity. One alone should be below 1.01, [VehtariEtAl2021]; of hundreds one is larger by chance."""
ENOUGH_DRAWS, FEWEST_DRAWS = 400, 100
"""Effective draws of every quantity at which chains may end, [VehtariEtAl2021], and below which it is doubted."""
LEAST_CERTAINTY = 0.95
"""Of labels. Two classes that nothing tells apart have .75 to .94, for the nearer label is always taken."""
N_BEGUN = 8
"""Draws that labelling begins at, to see whether it comes to the same."""
MOST_THINNED = 16
"""Sweeps from one draw that is kept to the next."""


@dataclass(frozen=True)
class Verdict:
    """What can be said of each class, and what speaks against it.

    Attributes
    ----------
    scale_reduction : ndarray, shape (n_classes,)
        Split R-hat, the largest of the quantities of each class.
    effective_sample_size : ndarray, shape (n_classes,)
        The smallest.
    label_certainty : ndarray, shape (n_classes,)
        Mean probability that a draw of the class is not one of another class; 1 where classes are never mistaken. Or
        the share of draws in which it is the same wherever labelling begins, if that is less.
    known : ndarray of bool, shape (n_classes,)
    doubt : Doubt
        Of the draws as a whole, whatever the labels.
    reasons : tuple of str
        Why classes are not known, or the draws doubted.
    """

    scale_reduction: np.ndarray
    effective_sample_size: np.ndarray
    label_certainty: np.ndarray
    known: np.ndarray
    doubt: Doubt
    reasons: tuple[str, ...]


def verdict(quantities: np.ndarray, certainty: np.ndarray) -> Verdict:
    """Of labelled draws, and of how certain the label of each class is, shape (n_classes,)."""
    largest = scale_reductions(quantities).max(axis=1)
    fewest = effective_sizes(quantities).min(axis=1)
    apart, few, alike = largest > LARGEST_REDUCTION, fewest < FEWEST_DRAWS, certainty < LEAST_CERTAINTY
    doubt = Doubt.NOT_MIXED if apart.any() else NO_DOUBT
    if few.any():
        doubt |= Doubt.FEW_EFFECTIVE_SAMPLES
    reasons = (
        (apart, f"the chains differ, as if they kept to different modes (split R-hat up to {largest.max():.2f})"),
        (few & ~apart, f"few effective draws ({fewest.min():.0f})"),
        (alike, f"labels switch too often to tell them apart (certainty {certainty.min():.2f})"),
    )
    return Verdict(
        largest,
        fewest,
        certainty,
        ~(apart | few | alike),
        doubt,
        tuple(f"{_named(where)}: {reason}" for where, reason in reasons if where.any()),
    )


def agreeing_draws(
    sweep: Callable[[int, int], np.ndarray],
    labelled: Callable[[np.ndarray], np.ndarray],
    quantities: Callable[[np.ndarray], np.ndarray],
    n_draws: int,
) -> tuple[np.ndarray, int]:
    """Labelled draws of chains, of leading shape (n_chains, n_draws), and how many sweeps there are between them.

    Sweeps between draws are doubled, to ``MOST_THINNED``, until the chains agree on every quantity and have enough
    effective draws of it, which is at most half of all.

    Parameters
    ----------
    sweep : callable
        The chains go on: so many draws of each, and one in how many sweeps they are.
    labelled : callable
        Draws with the same class in the same place in all.
    quantities : callable
        Of labelled draws.
    n_draws : int
    """
    kept, thinning = sweep(n_draws, 1), 1
    enough = min(ENOUGH_DRAWS, len(kept) * n_draws / 2)
    while True:
        draws = labelled(kept)
        found = quantities(draws)
        agree = scale_reductions(found).max() <= LARGEST_REDUCTION and effective_sizes(found).min() >= enough
        if agree or thinning == MOST_THINNED:
            return draws, thinning
        kept, thinning = kept[:, 1::2], 2 * thinning
        kept = np.concatenate([kept, sweep(n_draws - kept.shape[1], thinning)], axis=1)


def agreement_of_labels(
    draws: np.ndarray, labelled: Callable[[np.ndarray], np.ndarray], sizes: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """Share of draws in which each class is the same by labellings that begin at other draws; shape (n_classes,).

    The least of any of them, under the names that agree best. Where a posterior has partitions of the rows that cross
    each other, which class of one is which of the other goes by the draw that labelling begins at, and no label of a
    draw is doubtful in that of its own.

    Parameters
    ----------
    draws : ndarray, shape (n_draws, ...)
        Labelled.
    labelled : callable
        Labels draws, beginning at the middle one.
    sizes : callable
        Of the classes of draws, shape (n_draws, n_classes), by which classes of a draw are told.
    """
    rank = np.argsort(np.argsort(sizes(draws), axis=1), axis=1)
    n_draws, n_classes = rank.shape
    found = np.ones(n_classes)
    for shift in np.arange(1, N_BEGUN) * n_draws // N_BEGUN:
        again = np.argsort(sizes(np.roll(labelled(np.roll(draws, shift, axis=0)), -shift, axis=0)), axis=1)
        places = np.take_along_axis(again, rank, axis=1)  # where each class is in the other labelling
        times = np.array([np.bincount(of_class, minlength=n_classes) for of_class in places.T], dtype=np.float64)
        (best,) = best_assignments(times[None])
        found = np.minimum(found, times[np.arange(n_classes), best] / n_draws)
    return found


def scale_reductions(quantities: np.ndarray) -> np.ndarray:
    """Split R-hat of every quantity of every class, shape (n_classes, n_quantities).

    The root of what [BrooksGelman1998] have for one quantity, of the halves of all chains.
    """
    middle = quantities.shape[1] // 2
    halves = np.concatenate([quantities[:, :middle], quantities[:, -middle:]])
    found = [multivariate_scale_reduction(one[:, :, None]) for one in _each(halves)]
    return np.sqrt(found).reshape(quantities.shape[2:])


def effective_sizes(quantities: np.ndarray) -> np.ndarray:
    """How many independent draws those of every quantity are worth, shape (n_classes, n_quantities)."""
    n = quantities.shape[0] * quantities.shape[1]
    found = [n / autocorrelation_time(list(one)) for one in _each(quantities)]
    return np.array(found).reshape(quantities.shape[2:])


def _each(quantities: np.ndarray) -> np.ndarray:
    """Draws by quantity, shape (n_classes n_quantities, n_chains, n_draws)."""
    return np.moveaxis(quantities.reshape(*quantities.shape[:2], -1), 2, 0)


def _named(which: np.ndarray) -> str:
    numbers = [str(k + 1) for k in np.flatnonzero(which)]
    return f"classes {', '.join(numbers[:-1])} and {numbers[-1]}" if len(numbers) > 1 else f"class {numbers[0]}"
