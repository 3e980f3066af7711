"""Rows as the statistics of their items, and what they say of classes: products of matrices for items of all kinds."""

from dataclasses import dataclass

import numpy as np

from ockham.estimation.memory import check_memory
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums

__all__ = ["Design", "check_design"]

N_COPIES = 4
"""Of the matrix of rows and classes, and of that of rows and statistics."""
AT_ONCE = 2**24
"""Numbers of points, classes and rows that are held at one time."""


@dataclass(frozen=True, eq=False)
class Design:
    """The rows that have any value.

    Attributes
    ----------
    statistics : ndarray, shape (n_rows, n_statistics)
        0 for all statistics of a missing cell, which so drops out of every sum: it is summed out.
    counts : ndarray of float64, shape (n_rows,)
    log_base : float
        Sum of the logs of the base measures of all cells, nats.
    """

    statistics: np.ndarray
    counts: np.ndarray
    log_base: float

    @classmethod
    def of(cls, model: FiniteMixture, data: MixedRows) -> "Design":
        """Those of a data set.

        Raises
        ------
        DataError
            When the data are none of the model's items.
        ModelError
            When they would take more memory than allowed.
        """
        data.check_fits(model.items)
        check_design(model, len(data.rows))
        with_value = ~np.isnan(data.rows).all(axis=1)
        rows, counts = data.rows[with_value], data.counts[with_value].astype(np.float64)
        statistics = np.zeros((len(rows), model.n_statistics))
        log_base = 0.0
        for column, (item, at) in zip(rows.T, model.slices, strict=True):
            known = ~np.isnan(column)
            statistics[known, at] = item.statistics(column[known])
            log_base += float(counts[known] @ item.log_base(column[known]))
        return cls(statistics, counts, log_base)

    def log_joint(self, parameters: Parameters) -> np.ndarray:
        """ln p(row, class | parameters) but for base measures, nats, shape (..., n_classes, n_rows)."""
        found: np.ndarray = parameters.natural @ self.statistics.T
        found += parameters.log_weights[..., None]
        return found

    def log_likelihood(self, parameters: Parameters) -> np.ndarray:
        """ln p(rows | parameters) but for base measures, nats, shape (...,)."""
        *shape, n_classes = parameters.log_weights.shape
        points = Parameters(*(part.reshape(-1, *part.shape[len(shape) :]) for part in parameters))
        found = np.empty(len(points.log_weights))
        n_at_once = max(1, AT_ONCE // (n_classes * max(1, len(self.counts))))
        for first in range(0, len(found), n_at_once):
            part = slice(first, first + n_at_once)
            log_rows, _ = _log_sum(self.log_joint(Parameters(points.log_weights[part], points.natural[part])))
            found[part] = log_rows @ self.counts
        return found.reshape(shape)

    def members(self, parameters: Parameters) -> np.ndarray:
        """Probability of every class given each row, shape (..., n_classes, n_rows)."""
        return _log_sum(self.log_joint(parameters))[1]

    def complete(self, parameters: Parameters, rng: np.random.Generator) -> Sums:
        """The sums of one draw of the classes of all rows, for each set of parameters."""
        if self.counts.max(initial=0) <= 1:
            return self.sums(self.draw_classes(parameters, rng), parameters.log_weights.shape[-1])
        shares = np.moveaxis(self.members(parameters), -2, -1)
        shares /= shares.sum(axis=-1, keepdims=True)
        drawn = np.moveaxis(rng.multinomial(self.counts.astype(np.int64), shares), -1, -2).astype(np.float64)
        return Sums(drawn.sum(axis=-1), drawn @ self.statistics)

    def draw_classes(self, parameters: Parameters, rng: np.random.Generator) -> np.ndarray:
        """One draw of the class of every distinct row, shape (..., n_rows)."""
        members = self.members(parameters)
        below = np.cumsum(members[..., :-1, :], axis=-2)
        uniform = rng.random((*members.shape[:-2], 1, members.shape[-1]))
        found: np.ndarray = (uniform > below).sum(axis=-2)
        return found

    def sums(self, classes: np.ndarray, n_classes: int) -> Sums:
        """Those of rows in given classes, shape (..., n_rows), each taken once."""
        among = (np.arange(n_classes)[:, None] == classes[..., None, :]).astype(np.float64)
        return Sums(among.sum(axis=-1), among @ self.statistics)

    def by_case(self) -> "Design":
        """With one row a case."""
        statistics = np.repeat(self.statistics, self.counts.astype(np.int64), axis=0)
        return Design(statistics, np.ones(len(statistics)), self.log_base)

    def part(self, rows: np.ndarray) -> "Design":
        """That of some rows by their places, which may come again; without base measures."""
        counts = np.bincount(rows, minlength=len(self.counts)).astype(np.float64)
        return Design(self.statistics[counts > 0], counts[counts > 0], 0.0)


def check_design(model: FiniteMixture, n_rows: int) -> None:
    """Raise a ModelError for more rows than memory has room for."""
    check_memory(
        N_COPIES * n_rows * (model.n_statistics + model.n_classes),
        f"{n_rows:,} distinct rows of {model.n_statistics:,} statistics in {model.n_classes:,} classes",
        "take fewer rows, items or classes",
    )


def _log_sum(log_joint: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Logs of the sums over classes, shape (..., n_rows), and the shares, written over what was given."""
    highest = log_joint.max(axis=-2, keepdims=True)
    log_joint -= highest
    shares = np.exp(log_joint, out=log_joint)
    total = shares.sum(axis=-2, keepdims=True)
    shares /= total
    return (np.log(total) + highest)[..., 0, :], shares
