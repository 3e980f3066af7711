"""Which class each row belongs to, and how sure that is."""

from dataclasses import dataclass
from math import log

import numpy as np

from ockham.table_results.fitted.models import ClassModel, in_chunks

__all__ = ["Memberships", "log_predictive", "memberships"]


@dataclass(frozen=True, eq=False)
class Memberships:
    """Posterior probabilities of the classes of rows.

    Attributes
    ----------
    probabilities : ndarray, shape (n_rows, n_classes)
        p(class | row, theta) averaged over the posterior draws of theta; NaN for a class that is not known.
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
    """p(class | row, theta) averaged over points, shape (n_rows, n_classes)."""
    total = np.zeros((len(rows), model.n_classes))
    for part in in_chunks(points, total.size):
        joint = model.log_joint(rows, part)
        joint -= joint.max(axis=2, keepdims=True)
        np.exp(joint, out=joint)
        joint /= joint.sum(axis=2, keepdims=True)
        total += joint.sum(axis=0)
    return total / len(points)


def log_predictive(model: ClassModel, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
    """ln of p(row | theta) averaged over points, nats, shape (n_rows,)."""
    parts = in_chunks(points, len(rows) * model.n_classes)
    found = [np.logaddexp.reduce(model.log_joint(rows, part), axis=(0, 2)) for part in parts]
    averaged: np.ndarray = np.logaddexp.reduce(found, axis=0) - log(len(points))
    return averaged
