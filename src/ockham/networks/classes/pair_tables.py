"""Tables of two items, of the data and as a latent class model expects them: margins and bivariate residuals."""

from dataclasses import dataclass

import numpy as np

from ockham.networks.classes.model import LatentClassModel
from ockham.networks.data.unique_rows import MISSING

__all__ = ["PairTables"]

CHUNK = 2_000_000
"""Numbers in the largest work array, but for one row's, and for the tables of all pairs of items."""


@dataclass(frozen=True, eq=False)
class PairTables:
    """Counts of every two values together.

    Attributes
    ----------
    model : LatentClassModel
    observed : ndarray, shape (n_values, n_values)
        On the diagonal how often each value occurs.
    n_seen : ndarray, shape (n_values, n_values)
        Rows that have both items of the two values.
    """

    model: LatentClassModel
    observed: np.ndarray
    n_seen: np.ndarray

    @classmethod
    def of(cls, model: LatentClassModel, rows: np.ndarray, counts: np.ndarray) -> "PairTables":
        """Of distinct rows, -1 where a cell is missing, and how often each occurs."""
        n_values, n_items = int(model.value_starts[-1]), len(model.cardinalities)
        observed, n_seen = np.zeros((n_values, n_values)), np.zeros((n_items, n_items))
        step = max(1, CHUNK // n_values)
        for first in range(0, len(rows), step):
            part, weights = rows[first : first + step], counts[first : first + step, None]
            indicators, seen = model.indicators(part), (part != MISSING).astype(float)
            observed += indicators.T @ (weights * indicators)
            n_seen += seen.T @ (weights * seen)
        repeats = np.array(model.cardinalities)
        return cls(model, observed, np.repeat(np.repeat(n_seen, repeats, axis=0), repeats, axis=1))

    def margins(self, log_theta: np.ndarray) -> np.ndarray:
        """Of every item, the sum over its values of (O - E)^2 / E, over the values less one; shape (n_items,)."""
        sizes, profiles = np.exp(self.model.log_sizes(log_theta)), np.exp(self.model.log_profiles(log_theta))
        terms = _pearson(np.diag(self.observed), np.diag(self.n_seen) * (sizes @ profiles))
        return np.add.reduceat(terms, self._starts) / self._free

    def residuals(self, log_theta: np.ndarray) -> np.ndarray:
        """Of every pair of items, the same sum over the cells of their table, over both numbers of values less one.

        Shape (n_items, n_items), [OberskiEtAl2013]; 0 on the diagonal, and for items that no row has both of.
        """
        sizes, profiles = np.exp(self.model.log_sizes(log_theta)), np.exp(self.model.log_profiles(log_theta))
        terms = _pearson(self.observed, self.n_seen * (profiles.T @ (sizes[:, None] * profiles)))
        together = np.add.reduceat(np.add.reduceat(terms, self._starts, axis=0), self._starts, axis=1)
        upper: np.ndarray = np.triu(together / np.outer(self._free, self._free), 1)
        return upper + upper.T

    @property
    def seen_together(self) -> np.ndarray:
        """Whether a row has both of two items; bool, shape (n_items, n_items)."""
        return self.n_seen[np.ix_(self._starts, self._starts)] > 0

    @property
    def _starts(self) -> np.ndarray:
        return self.model.value_starts[:-1]

    @property
    def _free(self) -> np.ndarray:
        return np.array(self.model.cardinalities) - 1


def _pearson(observed: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """(O - E)^2 / E, 0 where nothing is expected."""
    return np.divide((observed - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0)
