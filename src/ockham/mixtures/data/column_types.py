"""What the columns of a table are: as a user says, or as they look."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from ockham.errors import DataError, ModelError
from ockham.io.arguments import shown
from ockham.io.categories import as_number, coded
from ockham.io.frames import RawTable, check_column, kept_columns
from ockham.mixtures.items import Binomial, Categorical, Gaussian, Ordered, Poisson
from ockham.mixtures.items.item import Item

__all__ = ["check_there", "checked_types", "column_types", "inferred", "kind_of", "numbers", "total_of"]

KINDS = {kind.kind: kind for kind in (Categorical, Ordered, Gaussian, Poisson, Binomial)}
WORDS = {"nominal": "categorical", "ordinal": "ordered", "continuous": "gaussian", "count": "poisson"}
"""Other words of the field for kinds."""
FEW_VALUES = 10
"""Whole numbers of so many different values are taken for codes of categories."""
LARGE_COUNTS = 30
"""Whole numbers of such a mean without any 0 are taken for measurements, such as ages."""


def checked_types(types: Any, name: str) -> dict[str, str | Item]:
    """Types by column, in our own words; a DataError, which names the argument, for what is none."""
    if types is None:
        return {}
    if not isinstance(types, Mapping):
        raise DataError(f"{name}: {shown(types)} must map names of columns to types, such as 'ordered'")
    return {
        column: _checked(kind, f"{name}: {shown(kind)} of column {shown(column)}") for column, kind in types.items()
    }


def _checked(given: Any, place: str) -> str | Item:
    if isinstance(given, Item):
        return given
    word, colon, total = given.partition(":") if isinstance(given, str) else ("", "", "")
    kind = WORDS.get(word, word)
    if kind not in KINDS or (colon and kind != "binomial"):
        raise DataError(f"{place} is none of {', '.join(KINDS)}, {', '.join(WORDS)} or as binomial:20, and no item")
    if not colon:
        return kind
    try:
        return f"binomial:{Binomial(int(total)).total}"
    except (ValueError, ModelError) as error:
        raise DataError(f"{place}: the total must be a whole number, as in binomial:20 ({error})") from None


def kind_of(given: str | Item) -> str:
    """The kind of an item that a type says."""
    return given.partition(":")[0] if isinstance(given, str) else given.kind


def total_of(given: str | Item) -> int | None:
    """The total that a type says; None where it says none."""
    total = given.partition(":")[2] if isinstance(given, str) else getattr(given, "total", None)
    return int(total) if total else None


def column_types(
    raw: RawTable, types: Mapping[str, str | Item], missing: Any, drop: Any, weights: Any
) -> dict[str, str | Item]:
    """The type of every column that has two values or more, given or inferred.

    Raises
    ------
    DataError
        For columns that are not there, and weights that are no frequencies.
    """
    kept, nothing, *_ = kept_columns(raw, missing, drop, weights)
    check_there(raw, types, kept)
    orders = {name: raw.orders.get(name, ()) for name in kept}
    labels = {name: coded(cells, nothing, orders[name])[0] for name, cells in kept.items()}
    return {name: types.get(name) or inferred(found, orders[name]) for name, found in labels.items() if len(found) > 1}


def check_there(raw: RawTable, types: Mapping[str, Any], kept: Mapping[str, Any]) -> None:
    """Raise a DataError for types of columns that are not among those that are kept."""
    for name in types:
        check_column(raw, name)
        if name not in kept:
            raise DataError(f"types: column {name!r} is left out, or has the weights; give no type for it")


def numbers(labels: Sequence[str]) -> np.ndarray | None:
    """The numbers that labels are, or None where one is none."""
    found = _numbers_among(labels)
    return np.array(found) if len(found) == len(labels) else None


def _numbers_among(labels: Sequence[str]) -> list[float]:
    return [value for label in labels if (value := as_number(label)) is not None and isfinite(value)]


def inferred(labels: Sequence[str], order: Sequence[str] = ()) -> str:
    """The type of a column with these different labels.

    Where most are numbers it is that of these, whatever texts are among them.
    """
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
    return "gaussian" if values.min() < 0 or (values.min() > 0 and values.mean() > LARGE_COUNTS) else "poisson"
