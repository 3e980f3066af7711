"""How certain the labels of the classes of a latent class model are."""

from itertools import combinations

import numpy as np

from ockham.estimation.beta_copula import BetaCopula
from ockham.networks.classes.model import LatentClassModel

__all__ = ["label_certainty"]

COMPARED = 500
"""Draws whose labels are examined."""


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
