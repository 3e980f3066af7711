"""Data reduced to its distinct rows and how often each occurs: all that a likelihood of independent rows needs."""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ockham.errors import DataError
from ockham.estimation.given_rows import GivenRows
from ockham.estimation.row_layout import MISSING
from ockham.io.arguments import flag, sequence, table, text, whole
from ockham.networks.discrete_network import DiscreteNetwork

__all__ = ["MISSING", "UniqueRows"]

LARGEST = 2**31 - 1
"""Number of values of a variable, and of rows by their weights."""


@dataclass(frozen=True, eq=False)
class UniqueRows:
    """Distinct rows of a data set of observed states, in lexicographic order.

    Attributes
    ----------
    rows : ndarray of int64, shape (n_rows, n_observed)
        ``MISSING`` for a cell without a value.
    counts : ndarray of int64, shape (n_rows,)
    given : GivenRows, optional
        Where the rows of the table are that they were read from, which only memberships of its rows need.
    """

    rows: np.ndarray
    counts: np.ndarray
    given: GivenRows | None = None
    _projections: dict = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, data, cardinalities, source: str = "the data", *, missing: bool = False, weights=None) -> "UniqueRows":
        """The unique rows of an array of states ``0 .. cardinality - 1``, shape (n, n_observed).

        With ``missing``, cells may be missing: masked, NaN or -1. With ``weights``, whole numbers of shape (n,), a row
        occurs as often as its weight says.

        Raises
        ------
        DataError
            For anything but a non-empty two-dimensional array of integers of the right width and range; the message
            names ``source``, the first offending row and column, and the remedy.
        """
        mask, source = None, text(source, "source", DataError)
        missing = flag(missing, "missing", DataError)
        if isinstance(data, np.ma.MaskedArray):
            if not missing:
                raise DataError(f"{source}: is a masked array; give missing=True if masked cells are missing")
            mask, data = np.ma.getmaskarray(data), data.filled(0)
        array = table(data, source, "observed variable")
        cardinalities = [whole(r, f"{source}: cardinalities", 1, LARGEST, DataError) for r in
                         sequence(cardinalities, f"{source}: cardinalities", DataError)]  # fmt: skip
        if array.shape[1] != len(cardinalities):
            raise DataError(
                f"{source}: has {array.shape[1]} columns, the model observes {len(cardinalities)} variables; "
                "give one column per observed variable, in the model's order"
            )
        if array.dtype.kind not in "iuf":
            raise DataError(f"{source}: states must be integers, got dtype {array.dtype}; code the states as 0, 1, ...")
        if array.dtype.kind == "f":
            if missing:
                array = np.where(np.isnan(array), MISSING, array)
            bad = ~np.isfinite(array) | (array != np.floor(array))
            if bad.any():
                row, column = np.argwhere(bad)[0]
                raise DataError(
                    f"{source}: row {row}, column {column} holds {array[row, column]}; states must be integers"
                    + ("" if missing else " (missing=True takes NaN for a missing cell)")
                )
        bad = (array < (MISSING if missing else 0)) | (array >= np.asarray(cardinalities))
        if bad.any():
            row, column = np.argwhere(bad)[0]
            raise DataError(
                f"{source}: row {row}, column {column} holds state {array[row, column]}; the model allows "
                f"0 to {cardinalities[column] - 1} there" + (", and -1 where missing" if missing else "")
            )
        states = array.astype(np.int64) if mask is None else np.where(mask, MISSING, array.astype(np.int64))
        if weights is None:
            return cls(*np.unique(states, axis=0, return_counts=True))
        weights = _checked_weights(weights, len(states))
        rows, which = np.unique(states[weights > 0], axis=0, return_inverse=True)
        counts = np.zeros(len(rows), dtype=np.int64)
        np.add.at(counts, which.ravel(), weights[weights > 0])
        return cls(rows, counts)

    def __post_init__(self) -> None:
        for name in ("rows", "counts"):
            array = getattr(self, name)
            if not isinstance(array, np.ndarray) or isinstance(array, np.ma.MaskedArray) or array.dtype != np.int64:
                raise DataError(f"{name}: must be an array of int64; make them with UniqueRows.of")
        if self.rows.ndim != 2 or self.counts.shape != (len(self.rows),) or not self.rows.size:
            raise DataError("unique rows need a non-empty table of states and one count per row")
        if self.rows.min() < MISSING or self.counts.min() < 1:
            raise DataError("states must be 0 or more (-1 where missing), and counts 1 or more")

    def check_fits(self, network: DiscreteNetwork) -> None:
        """Raise a DataError unless these are states of the network's observed variables."""
        cardinalities = [network.cardinalities[i] for i in network.observed]
        if self.rows.shape[1] != len(cardinalities) or (self.largest >= cardinalities).any():
            raise DataError(
                f"the data have {self.rows.shape[1]} columns with states up to {self.largest.tolist()}; "
                f"the network observes {len(cardinalities)} variables with {list(cardinalities)} values"
            )

    @cached_property
    def n(self) -> int:
        """Number of rows of the data set, repeats included."""
        return int(self.counts.sum())

    @cached_property
    def largest(self) -> np.ndarray:
        """The largest state in each column; shape (n_observed,)."""
        return self.rows.max(axis=0)

    @cached_property
    def with_missing(self) -> tuple[int, ...]:
        """The columns that have missing cells."""
        return tuple(np.flatnonzero((self.rows == MISSING).any(axis=0)).tolist())

    @cached_property
    def known(self) -> np.ndarray:
        """Which unique rows have a value at all; bool, shape (n_rows,)."""
        known: np.ndarray = (self.rows != MISSING).any(axis=1)
        return known

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the data set as a multiset of rows: the order of rows cannot change a score."""
        shape = np.array(self.rows.shape, dtype="<i8").tobytes()
        return hashlib.sha256(
            shape + self.rows.astype("<i8").tobytes() + self.counts.astype("<i8").tobytes()
        ).hexdigest()

    def project(self, columns: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Distinct configurations of some columns, and which of them each unique row has."""
        if columns not in self._projections:
            if columns:
                configurations, which = np.unique(self.rows[:, list(columns)], axis=0, return_inverse=True)
                self._projections[columns] = configurations, which.ravel()
            else:
                self._projections[columns] = np.zeros((1, 0), dtype=np.int64), np.zeros(len(self.rows), dtype=np.int64)
        return self._projections[columns]

    def marginal(self, columns: tuple[int, ...]) -> "UniqueRows":
        """The data of some columns; these themselves where they are all."""
        if columns == tuple(range(self.rows.shape[1])):
            return self
        rows, which = self.project(columns)
        counts = np.zeros(len(rows), dtype=np.int64)
        np.add.at(counts, which, self.counts)
        return UniqueRows(rows, counts)


def _checked_weights(weights, n_rows: int) -> np.ndarray:
    array = table([weights], "weights", "row")[0]
    whole_ones = array.dtype.kind in "iu" and array.shape == (n_rows,) and array.min() >= 0
    if not whole_ones or not 0 < array.sum(dtype=np.float64) <= LARGEST:
        raise DataError(f"weights: must be {n_rows} whole numbers from 0 on, one a row, with a sum of 1 to {LARGEST:,}")
    return array.astype(np.int64)
