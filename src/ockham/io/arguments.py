"""What a caller gives, checked before anything is computed: numbers, lists of names, and tables."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

import numpy as np

from ockham.errors import DataError, OckhamError

__all__ = [
    "check_same_columns", "file_path", "flag", "in_order", "is_masked", "real", "sequence", "shown", "table", "text",
    "whole",
]  # fmt: skip

LONGEST_NAME = 300


def whole(value: Any, name: str, least: int, most: int, refusal: type[OckhamError]) -> int:
    """A whole number within bounds; neither a truth value nor 1.0 is one.

    Raises
    ------
    OckhamError
        Of the kind ``refusal``, which names the argument.
    """
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
        raise refusal(f"{name}: {shown(value)} must be an integer of at least {least}")
    if value > most:
        raise refusal(f"{name}: {shown(value)} must be an integer of at most {most:,}")
    return int(value)


def real(value: Any, name: str, least: float, most: float, refusal: type[OckhamError]) -> float:
    """A finite number within bounds; as ``whole`` otherwise."""
    is_real = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    number = float(value) if isinstance(value, np.floating) else value  # a narrow one has no room for the bounds
    if not (is_real and least <= number <= most):
        raise refusal(f"{name}: {shown(value)} must be a number from {least:g} to {most:g}")
    return float(number)


def flag(value: Any, name: str, refusal: type[OckhamError]) -> bool:
    """True or False, and nothing that is as good as either."""
    if not isinstance(value, bool | np.bool_):
        raise refusal(f"{name}: {shown(value)} must be True or False")
    return bool(value)


def sequence(value: Any, name: str, refusal: type[OckhamError]) -> tuple[Any, ...]:
    """The members of a list, of anything that has an order; a text is not a list of its letters."""
    if not isinstance(value, Iterable) or isinstance(value, str | bytes | Mapping | Set):
        raise refusal(f"{name}: {shown(value)} must be a list")
    try:
        return tuple(value)
    except TypeError as error:  # such as an array without an axis
        raise refusal(f"{name}: {shown(value)} must be a list") from error


def text(value: Any, name: str, refusal: type[OckhamError]) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value:
        raise refusal(f"{name}: {shown(value)} must be a text")
    return str(value)


def file_path(value: str | os.PathLike[str], refusal: type[OckhamError]) -> Path:
    """The path of a file that is there."""
    try:
        os.stat(value)
    except (OSError, ValueError) as error:  # the latter for what no path can hold, such as a zero byte
        problem = error.strerror if isinstance(error, OSError) else error
        name = str(value)
        name = name if name.isprintable() and len(name) < LONGEST_NAME else shown(name)
        raise refusal(f"{name}: cannot be read ({problem}); give the path of a file") from error
    return Path(value)


def table(data: Any, source: str, columns: str) -> np.ndarray:
    """Data as an array of two axes and no masked cell.

    Raises
    ------
    DataError
        When they are no such thing; the message names ``source``, and what every column is of.
    """
    if isinstance(data, str | os.PathLike):
        raise DataError(
            f"{source}: is a path, {shown(str(data))}; read it: ockham.read_table, or ockham.read_mixed_table"
        )
    if is_masked(data):
        raise DataError(f"{source}: has masked cells or is a masked array; fill them, or leave their rows out")
    try:
        array = np.asarray(data)
        if array.dtype == object and hasattr(data, "columns"):  # whole numbers of pandas that may be missing
            array = _as_floats(array)
    except ValueError as error:
        raise DataError(f"{source}: rows differ in length; give every row one value per {columns}") from error
    except Exception as error:  # of whatever the caller's object does
        raise DataError(f"{source}: is no table ({type(error).__name__}); give an array of numbers") from error
    if array.ndim != 2 or array.size == 0:
        raise DataError(f"{source}: need a non-empty table (rows, {columns}s), got shape {array.shape}")
    return array


def _as_floats(array: np.ndarray) -> np.ndarray:
    """Numbers, NaN where pandas has none; an array that has anything else as it is."""
    cells = [np.nan if type(cell).__name__ == "NAType" else cell for cell in array.ravel().tolist()]
    whole_or_real = all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells)
    return np.array(cells, dtype=np.float64).reshape(array.shape) if whole_or_real else array


def in_order(data: Any, names: Sequence[str], source: str, columns: Iterable[Any] | None = None) -> Any:
    """A data frame as an array with its columns in a model's order; anything else as it is.

    A frame of which no column has the name of a variable is taken as it stands, like an array, unless its ``columns``
    are given.

    Raises
    ------
    DataError
        For a frame that has some of these columns and not all, or others beside them.
    """
    named = getattr(data, "columns", None) if columns is None else columns
    if named is None:
        return data
    given = [str(name) for name in named]
    if columns is None and set(given).isdisjoint(names):
        return data
    check_same_columns(given, names, source)
    return table(data, source, "variable")[:, [given.index(name) for name in names]]


def check_same_columns(given: Sequence[str], names: Collection[str], source: str) -> None:
    """Raise a DataError unless a table has a model's columns, in any order."""
    if sorted(given) != sorted(names):
        raise DataError(
            f"{source}: the table has the columns {', '.join(map(repr, given))[:300]}, and the model "
            f"{', '.join(map(repr, names))[:300]}; give these alone, in any order, or an array in the model's order"
        )


def shown(value: Any) -> str:
    """A value as a message has it, in one short line."""
    try:
        words = " ".join(repr(value).split())
    except Exception:  # of whatever the caller's object does; Python writes out no integer of thousands of digits
        words = f"a value of type {type(value).__name__}"
    return words if len(words) <= 100 else f"{words[:100]}..."


def is_masked(data: Any, depth: int = 3) -> bool:
    """Whether a mask is anywhere in an array, or in lists of so many levels: NumPy would leave it out."""
    if isinstance(data, list | tuple) and depth:
        return any(is_masked(part, depth - 1) for part in data)
    return isinstance(data, np.ma.MaskedArray)
