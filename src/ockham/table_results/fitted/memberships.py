"""Which class each row belongs to, and how sure that is."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log

import numpy as np

from ockham.table_results.fitted.models import ClassModel, in_chunks

__all__ = ["Memberships", "log_predictive", "memberships", "predicted_memberships"]

FEWEST_DRAWS = 50
"""Effective draws that the classes of a further row must be known from."""


@dataclass(frozen=True, eq=False)
class Memberships:
    """Posterior probabilities of the classes of rows.

    Attributes
    ----------
    probabilities : ndarray, shape (n_rows, n_classes)
        p(class | row, data), where the data are the rows that the classes were fitted to; NaN for a class that is not
        known, and for a further row of which only a few of the posterior draws know.
    counts : ndarray of int, shape (n_rows,)
        How often each row occurs.
    """

    probabilities: np.ndarray
    counts: np.ndarray

    @property
    def assigned(self) -> np.ndarray:
        """The most probable class of each row, from 1; 0 where it may be one that is not known. Shape (n_rows,)."""
        known = np.nan_to_num(self.probabilities, nan=0.0)
        others = np.where(np.isnan(self.probabilities).any(axis=1), 1 - known.sum(axis=1), 0.0)
        return np.where(known.max(axis=1) > others, known.argmax(axis=1) + 1, 0)

    @property
    def relative_entropy(self) -> float:
        """1 for rows that are each surely of one class, 0 for rows that nothing is known of; [RamaswamyEtAl1993].

        1 minus the mean entropy of the probabilities over its largest value; NaN for one class, or one not known.
        """
        n_classes = self.probabilities.shape[1]
        if n_classes == 1:
            return float("nan")
        logs = np.log(np.where(self.probabilities == 0, 1.0, self.probabilities))
        entropy = -(self.probabilities * logs).sum(axis=1)
        return float(1 - self.counts @ entropy / self.counts.sum() / log(n_classes))

    @property
    def average_probability(self) -> np.ndarray:
        """Mean probability of each class over the rows assigned to it, NaN where there is none; shape (n_classes,).

        [Nagin2005] asks for .7 of every class.
        """
        own = self.assigned[:, None] == np.arange(self.probabilities.shape[1]) + 1
        weights = self.counts[:, None] * own
        n_own = weights.sum(axis=0)
        total = np.where(own, weights * self.probabilities, 0.0).sum(axis=0)
        return np.divide(total, n_own, out=np.full(len(n_own), np.nan), where=n_own > 0)

    def __repr__(self) -> str:
        n_rows, n_classes = self.probabilities.shape
        return f"Memberships of {n_rows} rows in {n_classes} classes, relative entropy {self.relative_entropy:.2f}"


def memberships(model: ClassModel, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
    """p(class | row, data) of rows that are among the data, shape (n_rows, n_classes).

    It is p(class | row, theta) averaged over points, which are draws of the posterior given these rows, too.
    """
    total = np.zeros((len(rows), model.n_classes))
    for joint in _joints(model, rows, points):
        joint -= joint.max(axis=2, keepdims=True)
        np.exp(joint, out=joint)
        joint /= joint.sum(axis=2, keepdims=True)
        total += joint.sum(axis=0)
    return total / len(points)


def predicted_memberships(model: ClassModel, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
    """p(class | row, data) of further rows, each by itself, shape (n_rows, n_classes).

    It is p(row, class | theta) averaged over points, draws of the posterior given the data, and normalized: a point
    counts as much as it makes the row probable. NaN where the effective number of points is below ``FEWEST_DRAWS``.
    """
    by_class, few = _averaged(model, rows, points)
    probabilities: np.ndarray = np.exp(by_class - np.logaddexp.reduce(by_class, axis=1)[:, None])
    probabilities[few] = np.nan
    return probabilities


def log_predictive(model: ClassModel, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
    """ln of p(row | theta) averaged over points, nats, shape (n_rows,).

    NaN where the effective number of points, which count as much as they make the row probable, is below
    ``FEWEST_DRAWS``.
    """
    by_class, few = _averaged(model, rows, points)
    return np.where(few, np.nan, np.logaddexp.reduce(by_class, axis=1))


def _averaged(model: ClassModel, rows: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """ln of p(row, class | theta) averaged over points, shape (n_rows, n_classes), and which rows few of them know."""
    found = [
        (np.logaddexp.reduce(joint, axis=0), np.logaddexp.reduce(2 * np.logaddexp.reduce(joint, axis=2), axis=0))
        for joint in _joints(model, rows, points)
    ]
    by_class, squares = (np.logaddexp.reduce(parts, axis=0) for parts in zip(*found, strict=True))
    few = 2 * np.logaddexp.reduce(by_class, axis=1) - squares < log(FEWEST_DRAWS)
    return by_class - log(len(points)), few


def _joints(model: ClassModel, rows: np.ndarray, points: np.ndarray) -> Iterator[np.ndarray]:
    """ln p(row, class | point) of some points at a time, as ``ClassModel.log_joint`` has it."""
    for part in in_chunks(points, len(rows) * model.n_classes):
        yield model.log_joint(rows, part)
