"""Whether the chains of a latent class model agree, for how many draws they stand, and whether its classes differ."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ockham.contracts import NO_DOUBT, Doubt
from ockham.estimation.autocorrelation import autocorrelation_time
from ockham.estimation.beta_copula import BetaCopula
from ockham.estimation.scale_reduction import multivariate_scale_reduction
from ockham.networks.classes.model import LatentClassModel

__all__ = ["ENOUGH_DRAWS", "LARGEST_REDUCTION", "Verdict", "effective_sizes", "scale_reductions", "verdict"]

LARGEST_REDUCTION = 1.05
"""Of any parameter. One alone should be below 1.01, [VehtariEtAl2021]; of hundreds one is larger by chance."""
ENOUGH_DRAWS, FEWEST_DRAWS = 400, 100
"""Effective draws of every parameter at which chains may end, [VehtariEtAl2021], and below which it is doubted."""
LEAST_CERTAINTY = 0.95
"""Of labels. Two classes that nothing tells apart have .75 to .94, for the nearer label is always taken."""
COMPARED = 500
"""Draws whose labels are examined."""


@dataclass(frozen=True)
class Verdict:
    """What can be said of each class, and what speaks against it.

    Attributes
    ----------
    scale_reduction : ndarray, shape (n_classes,)
        Split R-hat, the largest of the parameters of each class.
    effective_sample_size : ndarray, shape (n_classes,)
        The smallest.
    label_certainty : ndarray, shape (n_classes,)
        Mean probability that a draw of the class is not one of another class; 1 where classes are never mistaken.
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


def verdict(model: LatentClassModel, draws: np.ndarray) -> Verdict:
    """Of labelled draws, logs of shape (n_chains, n_draws, n_entries)."""
    largest = scale_reductions(draws)[model.class_entries].max(axis=1)
    fewest = effective_sizes(draws)[model.class_entries].min(axis=1)
    certainty = label_certainty(model, draws.reshape(-1, draws.shape[-1]))
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


def scale_reductions(draws: np.ndarray) -> np.ndarray:
    """Split R-hat of every parameter, shape (n_entries,); draws are logs of shape (n_chains, n_draws, n_entries).

    The root of what [BrooksGelman1998] have for one parameter, of the halves of all chains.
    """
    middle = draws.shape[1] // 2
    halves = np.exp(np.concatenate([draws[:, :middle], draws[:, -middle:]]))
    found = [multivariate_scale_reduction(halves[:, :, [entry]]) for entry in range(draws.shape[2])]
    return np.sqrt(found)


def effective_sizes(draws: np.ndarray) -> np.ndarray:
    """How many independent draws those of every parameter are worth, shape (n_entries,); as ``scale_reductions``."""
    parameters, n = np.exp(draws), draws.shape[0] * draws.shape[1]
    return np.array([n / autocorrelation_time(list(parameters[:, :, entry])) for entry in range(draws.shape[2])])


def label_certainty(model: LatentClassModel, draws: np.ndarray) -> np.ndarray:
    """Mean probability of the label of each class, shape (n_classes,); draws are logs, (n_draws, n_entries).

    The odds that two classes of a draw should change labels are those of its densities with and without, under the
    distribution fitted to all; exchanges that the prior tells apart do not count.
    """
    compared = draws[:: max(1, len(draws) // COMPARED)]
    odds = np.zeros((model.n_classes, len(compared)))
    alike = [
        (pair, entries)
        for pair in combinations(range(model.n_classes), 2)
        if (model.network.prior == model.network.prior[entries := model.swapped(*pair)]).all()
    ]
    if alike:
        fitted = BetaCopula.fit(model.network.row_starts, draws)
        as_it_is = fitted.log_density(compared)
        for pair, entries in alike:
            excess = fitted.log_density(compared[:, entries]) - as_it_is
            odds[list(pair)] += np.exp(np.minimum(excess, 700.0))
    return (1 / (1 + odds)).mean(axis=1)


def _named(which: np.ndarray) -> str:
    numbers = [str(k + 1) for k in np.flatnonzero(which)]
    return f"classes {', '.join(numbers[:-1])} and {numbers[-1]}" if len(numbers) > 1 else f"class {numbers[0]}"
