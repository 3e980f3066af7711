"""Binary data reduced to their distinct rows and how often each occurs."""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ockham.arguments import table
from ockham.errors import DataError

__all__ = ["BinaryRows"]


@dataclass(frozen=True, eq=False)
class BinaryRows:
    """Distinct rows of a data set of zeros and ones, in lexicographic order.

    Attributes
    ----------
    rows : ndarray of float64, shape (n_rows, n_visible)
        0 and 1, as matrix products take them.
    counts : ndarray of int64, shape (n_rows,)
    """

    rows: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, data, source: str = "the data") -> "BinaryRows":
        """The distinct rows of an array of zeros and ones, shape (n, n_visible).

        Raises
        ------
        DataError
            For anything else; the message names ``source``, the first offending row and column, and the remedy.
        """
        array = table(data, source, "visible unit")
        if array.dtype.kind not in "biuf":
            raise DataError(f"{source}: values must be 0 or 1, got dtype {array.dtype}; code the states as 0 and 1")
        bad = (array != 0) & (array != 1)
        if bad.any():
            row, column = np.argwhere(bad)[0]
            raise DataError(f"{source}: row {row}, column {column} holds {array[row, column]}; a value must be 0 or 1")
        bits = np.packbits(array.astype(bool), axis=1)
        words = np.zeros((len(bits), -(-bits.shape[1] // 8)), dtype=">u8")  # in big-endian words, order is that of rows
        words.view("u1").reshape(len(bits), -1)[:, : bits.shape[1]] = bits
        if words.shape[1] == 1:
            distinct, counts = np.unique(words.ravel().astype("u8"), return_counts=True)
            distinct = distinct.astype(">u8")[:, None]
        else:
            distinct, counts = np.unique(words.astype("u8"), axis=0, return_counts=True)
            distinct = distinct.astype(">u8")
        found = np.unpackbits(distinct.view("u1").reshape(len(distinct), -1), axis=1, count=array.shape[1])
        return cls(found.astype(np.float64), counts)

    @cached_property
    def n(self) -> int:
        """Number of rows of the data set, repeats included."""
        return int(self.counts.sum())

    @cached_property
    def sparse(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What kernels take: starts of rows in the list of units that are 1, that list and one more, and the counts."""
        row, unit = np.nonzero(self.rows)
        starts = np.searchsorted(row, np.arange(len(self.rows) + 1))
        return starts.astype(np.int32), np.append(unit, 0).astype(np.int32), self.counts.astype(np.float64)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the data set as a multiset of rows: the order of rows cannot change a score."""
        shape = np.array(self.rows.shape, dtype="<i8").tobytes()
        return hashlib.sha256(
            shape + self.rows.astype("u1").tobytes() + self.counts.astype("<i8").tobytes()
        ).hexdigest()
