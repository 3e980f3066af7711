"""Cells of tables that studies have written: numbers with their errors, text, or what is not known."""

import csv
import re
from collections.abc import Callable
from math import hypot, isnan, nan
from pathlib import Path
from statistics import median
from typing import NamedTuple

from ockham.errors import StoreError
from ockham.papers.claims.stored import Label

__all__ = ["Cell", "Find", "Row", "absolute", "apart", "is_label", "parse", "ratio", "read_rows", "taken"]

NUMBER = re.compile(
    r"(?P<value>[-+]?[0-9]+(?:\.(?P<decimals>[0-9]+))?(?:[eE][-+]?[0-9]+)?)"
    r"(?: ?\((?P<sd>[0-9.]+)\))?(?: ± (?P<range>[0-9.]+))?(?P<doubt> ?[*?]?(?: \?)?)"
)
"""A number as tables write it: with its error in brackets or after a sign, and a mark where it is doubted."""
UNKNOWN = re.compile(r"|\?|unknown.*|at least .*|at most .*|nan")

Find = Callable[[str, str], Path | None]
"""The CSV file of a study's table, by their names; None where it has not been made."""


class Cell(NamedTuple):
    """What stands in a table.

    Attributes
    ----------
    value : float or str or None
        None where it is blank, unknown, or no more than a bound.
    error : float
        The error that stands beside the value, NaN if there is none.
    decimals : int
        Of the number as written.
    doubted : bool
        Whether a mark says that it is not to be trusted.
    """

    value: float | str | None
    error: float = nan
    decimals: int = 0
    doubted: bool = False

    @property
    def number(self) -> float | None:
        """The value, where it is a number."""
        return self.value if isinstance(self.value, float) else None


class Row(NamedTuple):
    """Cells of a row, and what tells it from the other rows, by column."""

    keys: dict[str, str]
    cells: list[Cell]

    @property
    def label(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self.keys.items())


def parse(text: str) -> Cell:
    """The cell that a text stands for."""
    text = text.strip()
    if UNKNOWN.fullmatch(text):
        return Cell(None)
    found = NUMBER.fullmatch(text)
    if not found:
        return Cell(text)
    error = found["sd"] or found["range"]
    decimals = len(found["decimals"] or "")
    return Cell(float(found["value"]), float(error) if error else nan, decimals, bool(found["doubt"].strip()))


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table that a study has written."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            names, *rows = csv.reader(file, strict=True)
            return [dict(zip(names, row, strict=True)) for row in rows]
    except (OSError, ValueError, csv.Error) as error:
        raise StoreError(f"{path}: not a readable table ({error}); run the workflow again") from error


def is_label(text: str, label: Label) -> bool:
    """Whether a cell has a label."""
    found = parse(text).value
    return found == float(label) if isinstance(label, int | float) else text == label


def absolute(cell: Cell) -> Cell:
    """A number without its sign."""
    return cell if cell.number is None else cell._replace(value=abs(cell.number))


def apart(one: Cell, other: Cell) -> Cell:
    """A difference; its error is that of independent values."""
    if one.number is None or other.number is None:
        return Cell(None)
    known = [cell.error for cell in (one, other) if not isnan(cell.error)]
    decimals = max(one.decimals, other.decimals)
    value = round(one.number - other.number, decimals)
    return Cell(value, hypot(*known) if known else nan, decimals, one.doubted or other.doubted)


def ratio(one: Cell, other: Cell) -> Cell:
    """One value divided by another; unknown where that is 0."""
    if one.number is None or not other.number:
        return Cell(None)
    return Cell(one.number / other.number, doubted=one.doubted or other.doubted)


TAKEN: dict[str, Callable[[list[float]], float]] = {"largest": max, "smallest": min, "median": median, "sum": sum}


def taken(cells: list[Cell], what: str) -> Cell:
    """The largest, smallest, median or sum of all cells that are known."""
    values = [x for cell in cells if (x := cell.number) is not None]
    if not values:
        return Cell(None)
    return Cell(TAKEN[what](values), decimals=max(cell.decimals for cell in cells))
