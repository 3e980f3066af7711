"""Predictions averaged over the number of classes, so that none has to be chosen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ockham.contracts import NO_DOUBT, Doubt
from ockham.errors import ConfigError, DataError
from ockham.io.arguments import real, sequence, shown
from ockham.table_results.fitted.classes import FittedClasses

__all__ = ["AveragedClasses", "average_classes"]


@dataclass(frozen=True, eq=False)
class AveragedClasses:
    """Fits with different numbers of classes, and how much each counts.

    Attributes
    ----------
    fits : tuple of FittedClasses
    weights : ndarray, shape (n_fits,)
        p(K | data) of each; they sum to 1.
    """

    fits: tuple[FittedClasses, ...]
    weights: np.ndarray

    @property
    def doubt(self) -> Doubt:
        """Of the draws of the fits that count."""
        doubt = NO_DOUBT
        for fit, weight in zip(self.fits, self.weights, strict=True):
            doubt |= fit.doubt if weight > 0 else NO_DOUBT
        return doubt

    def log_predictive(self, rows: Any) -> np.ndarray:
        """ln p(row | data), nats, of each row by itself, averaged over draws and numbers of classes; shape (n_rows,).

        NaN where it is by any fit that counts, as ``FittedClasses.log_predictive`` has it.

        Raises
        ------
        DataError
            For rows that do not fit the items.
        """
        used = self.weights > 0
        found = [fit.log_predictive(rows) for fit, use in zip(self.fits, used, strict=True) if use]
        averaged: np.ndarray = np.logaddexp.reduce(np.log(self.weights[used, None]) + found, axis=0)
        return averaged

    def __repr__(self) -> str:
        shares = ", ".join(
            f"p(K = {fit.n_classes}) = {weight:.2g}" for fit, weight in zip(self.fits, self.weights, strict=True)
        )
        return f"AveragedClasses: {shares}"


def average_classes(fits: Sequence[FittedClasses], weights: Sequence[float]) -> AveragedClasses:
    """Fits of the same data with weights p(K | data).

    Parameters
    ----------
    fits : sequence of FittedClasses
        By ``ockham.fit_classes``, usually with different numbers of classes.
    weights : sequence of float
        Posterior probability of each number of classes; they sum to 1.

    Raises
    ------
    ConfigError
        For what are no fits, or weights that are no probabilities.
    DataError
        For fits of different data.
    """
    chosen = sequence(fits, "fits", ConfigError)
    for fit in chosen:
        if not isinstance(fit, FittedClasses):
            raise ConfigError(f"fits: {shown(fit)} is no FittedClasses; ockham.fit_classes makes them")
    given = sequence(weights, "weights", ConfigError)
    numbers = np.array([real(weight, "weights", 0.0, 1.0, ConfigError) for weight in given])
    if not len(chosen) or len(numbers) != len(chosen) or abs(numbers.sum() - 1) > 1e-6:
        raise ConfigError(f"weights: {shown(list(given))} must be {len(chosen)} probabilities that sum to 1")
    for fit in chosen[1:]:
        if (fit.items, fit.data.digest) != (chosen[0].items, chosen[0].data.digest):
            raise DataError("fits: are of different data; fit all of them to the same rows of the same items")
    return AveragedClasses(chosen, numbers / numbers.sum())
