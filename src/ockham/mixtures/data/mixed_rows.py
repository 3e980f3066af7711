"""Rows of mixed items reduced to the distinct ones and how often each occurs."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ockham.errors import DataError
from ockham.estimation.given_rows import GivenRows
from ockham.io.arguments import flag, in_order, table, text
from ockham.mixtures.items.item import Item, checked_items

__all__ = ["MixedRows", "cells_of"]

MAX_ROWS = 2**31 - 1


@dataclass(frozen=True, eq=False)
class MixedRows:
    """Distinct rows in lexicographic order, so that the order of the data set cannot change a score.

    Attributes
    ----------
    rows : ndarray of float64, shape (n_rows, n_items)
        NaN where a cell is missing.
    counts : ndarray of int64, shape (n_rows,)
    given : GivenRows, optional
        Where the rows of the table are that they were read from, which only memberships of its rows need.
    """

    rows: np.ndarray
    counts: np.ndarray
    given: GivenRows | None = None

    @classmethod
    def of(
        cls, data: Any, items: Mapping[str, Item], source: str = "the data", weights: Any = None, *, empty: bool = False
    ) -> "MixedRows":
        """The distinct rows of an array of numbers, shape (n, n_items), NaN or masked where a cell is missing.

        With ``weights``, whole numbers of shape (n,), a row occurs as often as its weight says. Where items may be
        ``empty``, as in a few rows that were drawn, one without any value, or with one value alone, is not refused.

        Raises
        ------
        DataError
            For cells that are none of their items, and items without any value; the message names ``source``, the item
            and the remedy.
        """
        items, source, empty = checked_items(items), text(source, "source", DataError), flag(empty, "empty", DataError)
        array = cells_of(data, items, source)
        counts = np.ones(len(array), dtype=np.int64) if weights is None else _frequencies(weights, len(array))
        array, counts = array[counts > 0], counts[counts > 0]
        for column, (name, item) in zip(array.T, items.items(), strict=True):
            place = f"{source}: item {name!r}"
            if np.isnan(column).all() and not empty:
                raise DataError(f"{place}: has no value in any row; leave it out")
            item.check(column, place)
            if not empty and (problem := item.uninformative(column[~np.isnan(column)])):
                raise DataError(f"{place}: {problem}")
        return cls.distinct(array, counts)[0]

    @classmethod
    def distinct(cls, array: np.ndarray, counts: np.ndarray) -> tuple["MixedRows", np.ndarray]:
        """The distinct ones of sound rows, missing cells last, and which of them each row is."""
        order = np.lexsort(array.T[::-1])
        array, counts = array[order], counts[order]
        same = (array[1:] == array[:-1]) | (np.isnan(array[1:]) & np.isnan(array[:-1]))
        differs = ~same.all(axis=1)
        first = np.append(0, 1 + np.flatnonzero(differs))
        which = np.empty(len(order), dtype=np.int64)
        which[order] = np.append(0, np.cumsum(differs))
        return cls(array[first], np.add.reduceat(counts, first)), which

    def __post_init__(self) -> None:
        sound = all(isinstance(array, np.ndarray) for array in (self.rows, self.counts))
        sound = sound and self.rows.dtype == np.float64 and self.counts.dtype == np.int64 and self.rows.ndim == 2
        if not (sound and self.rows.size and self.counts.shape == (len(self.rows),) and self.counts.min() > 0):
            raise DataError(
                "rows: must be float64 with a count of 1 or more, int64, for each; make them with MixedRows.of"
            )

    @cached_property
    def n(self) -> int:
        """Number of rows of the data set, repeats included."""
        return int(self.counts.sum())

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the data set as a multiset of rows."""
        rows = np.where(np.isnan(self.rows), np.nan, self.rows).astype("<f8")  # NaN of one kind
        shape = np.array(rows.shape, dtype="<i8").tobytes()
        return hashlib.sha256(shape + rows.tobytes() + self.counts.astype("<i8").tobytes()).hexdigest()

    def check_fits(self, items: Mapping[str, Item]) -> None:
        """Raise a DataError unless these are rows of such items."""
        if self.rows.shape[1] != len(items):
            raise DataError(f"the data have {self.rows.shape[1]} columns, the model has {len(items)} items")
        for column, (name, item) in zip(self.rows.T, items.items(), strict=True):
            item.check(column, f"the data: item {name!r}")


def cells_of(data: Any, items: Mapping[str, Item], source: str) -> np.ndarray:
    """An array of numbers as cells, shape (n, n_items), NaN where one is missing; a DataError for anything else."""
    if isinstance(data, np.ma.MaskedArray):
        _check_numbers(data, source, "biuf")
        data = np.where(np.ma.getmaskarray(data), np.nan, data.filled(0))
    array = table(in_order(data, list(items), source), source, "item")
    _check_numbers(array, source, "iuf")
    array = array.astype(np.float64) + 0.0  # of the two zeros the positive one
    if array.shape[1] != len(items):
        raise DataError(
            f"{source}: has {array.shape[1]} columns, the model {len(items)} items; give one column per item, in "
            "the model's order"
        )
    return array


def _check_numbers(array: np.ndarray, source: str, kinds: str) -> None:
    if array.dtype.kind not in kinds:
        raise DataError(f"{source}: cells must be numbers, got dtype {array.dtype}; code categories as 0, 1, ...")


def _frequencies(weights: Any, n: int) -> np.ndarray:
    given = table([weights], "weights", "row")[0]
    whole_ones = given.dtype.kind in "iu" and given.shape == (n,) and given.min() >= 0
    if not whole_ones or not 0 < given.sum(dtype=np.float64) <= MAX_ROWS:
        raise DataError(f"weights: must be {n} whole numbers from 0 on, one a row, with a sum of 1 to {MAX_ROWS:,}")
    return given.astype(np.int64)
