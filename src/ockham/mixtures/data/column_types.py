"""What the columns of a table are: as a user says, or as they look."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from ockham.errors import DataError, ModelError
from ockham.io.arguments import shown
from ockham.io.categories import as_number, coded
from ockham.io.frames import RawTable, check_column, kept_columns
from ockham.mixtures.items import Binomial, Categorical, Gaussian, Ordered, Poisson
from ockham.mixtures.items.item import Item

__all__ = ["ColumnType", "check_there", "checked_types", "column_types", "inferred", "numbers"]

KINDS = {kind.kind: kind for kind in (Categorical, Ordered, Gaussian, Poisson, Binomial)}
WORDS = {"nominal": "categorical", "ordinal": "ordered", "continuous": "gaussian", "count": "poisson"}
"""Other words of the field for kinds."""
FEW_VALUES = 10
"""Whole numbers of so many different values are taken for codes of categories."""
LARGE_COUNTS = 30
"""Whole numbers of such a mean without any 0 are taken for measurements, such as ages."""


class ColumnType(NamedTuple):
    """What a column is.

    Attributes
    ----------
    kind : str
        Of items.
    total : int or None
        That was given to a binomial one.
    item : Item or None
        With its own hyperparameters, where they were given.
    """

    kind: str
    total: int | None = None
    item: Item | None = None


def checked_types(types: Any, name: str) -> dict[str, ColumnType]:
    """Types by column; a DataError, which names the argument, for what is none."""
    if types is None:
        return {}
    if not isinstance(types, Mapping):
        raise DataError(f"{name}: {shown(types)} must map names of columns to types, such as 'ordered'")
    return {
        column: _checked(kind, f"{name}: {shown(kind)} of column {shown(column)}") for column, kind in types.items()
    }


def _checked(given: Any, place: str) -> ColumnType:
    if isinstance(given, Item):
        return ColumnType(given.kind, getattr(given, "total", None), given)
    word, colon, total = given.partition(":") if isinstance(given, str) else ("", "", "")
    kind = WORDS.get(word, word)
    if kind not in KINDS or (colon and kind != "binomial"):
        raise DataError(f"{place} is none of {', '.join(KINDS)}, {', '.join(WORDS)} or as binomial:20, and no item")
    if not colon:
        return ColumnType(kind)
    try:
        return ColumnType(kind, Binomial(int(total)).total)
    except (ValueError, ModelError) as error:
        raise DataError(f"{place}: the total must be a whole number, as in binomial:20 ({error})") from None


def column_types(
    raw: RawTable, types: Mapping[str, ColumnType], missing: Any, drop: Any, weights: Any, name: str
) -> dict[str, ColumnType]:
    """The type of every column that has two values or more, given as the argument of this name, or inferred.

    Raises
    ------
    DataError
        For columns that are not there, and weights that are no frequencies.
    """
    kept, nothing, counts, _ = kept_columns(raw, missing, drop, weights)
    check_there(raw, types, kept, name)
    found = {}
    for column, cells in kept.items():
        order = raw.orders.get(column, ())
        labels, states = coded(cells, nothing, order)
        if len(labels) > 1:
            found[column] = types.get(column) or inferred(labels, states, counts, order)
    return found


def check_there(raw: RawTable, types: Mapping[str, Any], kept: Mapping[str, Any], name: str) -> None:
    """Raise a DataError for types, given as the argument of this name, of columns that are not kept."""
    for column in types:
        check_column(raw, column)
        if column not in kept:
            raise DataError(f"{name}: column {column!r} is left out, or has the weights; give no type for it")


def numbers(labels: Sequence[str]) -> np.ndarray | None:
    """The numbers that labels are, or None where one is none."""
    found = _numbers_among(labels)
    return np.array(found) if len(found) == len(labels) else None


def _numbers_among(labels: Sequence[str]) -> list[float]:
    return [value for label in labels if (value := _number(label)) is not None]


def _number(label: str) -> float | None:
    value = as_number(label)
    return value if value is not None and isfinite(value) else None


def inferred(
    labels: Sequence[str], states: np.ndarray, counts: np.ndarray | None, order: Sequence[str] = ()
) -> ColumnType:
    """The type of a column with these different labels, in rows that have these states, and occur so often.

    Where most labels are numbers it is that of these, whatever texts are among them.
    """
    known = states >= 0
    how_often = np.bincount(states[known], None if counts is None else counts[known], len(labels))
    return ColumnType(_kind(labels, how_often, order))


def _kind(labels: Sequence[str], how_often: np.ndarray, order: Sequence[str]) -> str:
    if order and len(labels) > 2:
        return "ordered"
    found = _numbers_among(labels)
    if 2 * len(found) <= len(labels) or len(found) <= 2:
        return "categorical"
    values = np.array(found)
    if (values != np.floor(values)).any():
        return "gaussian"
    if len(values) <= FEW_VALUES:
        return "categorical"
    weights = [n for label, n in zip(labels, how_often, strict=True) if _number(label) is not None]
    mean = float(np.average(values, weights=weights))
    return "gaussian" if values.min() < 0 or (values.min() > 0 and mean > LARGE_COUNTS) else "poisson"
