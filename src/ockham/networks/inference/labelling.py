"""One labelling of the hidden variables among all that leave the posterior as it is: the nearest to a reference."""

from dataclasses import dataclass
from math import lgamma, log

import numpy as np

from ockham.estimation.assignments import best_assignments
from ockham.networks.inference.relabellings import Relabellings

__all__ = ["Labelling", "log_n_relabellings"]

ROUNDS = 3
"""Of relabelling all draws and taking their mean as the new reference."""


@dataclass(frozen=True, eq=False)
class Labelling:
    """The relabelling that takes parameters nearest to a reference, in the distance of Hellinger.

    The parameters that are nearest as they are make up one copy of the posterior of ``n_relabellings`` alike: its
    normaliser is that of the whole over their number.

    Attributes
    ----------
    same : Relabellings
    reference : ndarray, shape (n_entries,)
        Square roots of parameters.
    """

    same: Relabellings
    reference: np.ndarray

    @classmethod
    def of(cls, same: Relabellings, log_parameters: np.ndarray) -> "Labelling":
        """About the mean of draws, logs of shape (n_draws, n_entries), each relabelled; begun at the middle one."""
        labelling = cls(same, np.exp(0.5 * log_parameters[len(log_parameters) // 2]))
        for _ in range(ROUNDS):
            nearest, _ = labelling.apply(log_parameters)
            labelling = cls(same, np.exp(0.5 * nearest).mean(axis=0))
        return labelling

    def apply(self, log_parameters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The relabelled parameters, shape (n_draws, n_entries), and which of them were the nearest already."""
        roots = np.exp(0.5 * log_parameters)
        aliases, classes = self.same.aliases, self.same.classes
        if len(classes) == 1:
            products = np.stack([roots[:, alias] @ self.reference for alias in aliases], axis=1)
            best = products.argmax(axis=1)
            return np.take_along_axis(log_parameters, aliases[best], axis=1), best == 0
        products = np.einsum("nke,je->nkj", roots[:, classes], self.reference[classes], optimize=True)
        places = best_assignments(products)
        relabelled = log_parameters.copy()
        relabelled[np.arange(len(roots))[:, None, None], classes[places]] = log_parameters[:, classes]
        return relabelled, (places == np.arange(len(classes))).all(axis=1)


def log_n_relabellings(same: Relabellings) -> float:
    """ln S, nats."""
    return log(len(same.aliases)) + lgamma(len(same.classes) + 1)
