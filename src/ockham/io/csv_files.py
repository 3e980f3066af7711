"""Tables of text in CSV files: bounded, rectangular, with a name for every column."""

import csv
import os
from pathlib import Path
from typing import NamedTuple

from ockham.errors import DataError
from ockham.io.download import MAX_CELL

__all__ = ["Cells", "check_names", "check_text", "read_cells"]

MAX_BYTES = 500_000_000
"""Of a user's table."""
SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}
"""That are not the comma."""


class Cells(NamedTuple):
    """The cells of a table, without white space around them.

    Attributes
    ----------
    names : list of str
        Of the columns.
    rows : list of list of str
    lines : list of int
        Where in the file each row ends.
    """

    names: list[str]
    rows: list[list[str]]
    lines: list[int]


def read_cells(path: Path, *, header: bool = True, or_else: str = "") -> Cells:
    """The cells of a CSV file: a row of names, then one row for each case; empty lines are skipped.

    Without a ``header`` the first row is a case as well, and the columns are called x1, x2, ... ``or_else`` says how a
    user can ask for that, where names are refused.

    Raises
    ------
    DataError
        That names the file, the line and the column, when a name is missing or given twice, a row has another number
        of cells, a cell is too long or cannot be printed, or something else separates the cells.
    """
    known: dict[str, str] = {}  # each text is kept once
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            if os.fstat(file.fileno()).st_size > MAX_BYTES:
                raise DataError(f"{path}: has more than {MAX_BYTES:,} bytes, which are allowed; leave rows out")
            reader = csv.reader(file, strict=True)
            read = [(reader.line_num, [known.setdefault(c.strip(), c.strip()) for c in row]) for row in reader if row]
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}); give the path of a CSV file") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise DataError(f"{path}: not a CSV file in UTF-8 ({error}); save the table as CSV") from error
    if len(read) < 1 + header:
        needed = "a row of names and at least one row of states" if header else "at least one row of states"
        raise DataError(f"{path}: has {len(read)} rows; need {needed}")
    lines, rows = [line for line, _ in read], [row for _, row in read]
    _check_separator(f"{path}: line {lines[0]}", rows[0])
    if header:
        check_names(rows[0], f"{path}: line {lines[0]}", or_else)
        names, lines, rows = rows[0], lines[1:], rows[1:]
        given = f"the first row names {len(names)} variables"
    else:
        names = [f"x{column + 1}" for column in range(len(rows[0]))]
        given = f"the first row has {len(names)}"
    for line, row in zip(lines, rows, strict=True):
        if len(row) != len(names):
            raise DataError(f"{path}: line {line}: has {len(row)} cells, {given}; give every row one cell for each")
        for name, cell in zip(names, row, strict=True):
            check_text(cell, f"{path}: line {line}, column {name!r}")
    return Cells(names, rows, lines)


def check_names(names: list[str], place: str, or_else: str = "") -> None:
    """Refuse names of columns that are missing, given twice, or would not do in a table or figure.

    ``or_else`` is what can be done instead of writing other names.
    """
    seen: set[str] = set()
    for column, name in enumerate(names, start=1):
        check_text(name, f"{place}, column {column}")
        if not name:
            raise DataError(f"{place}, column {column}: has no name; name every variable in the first row{or_else}")
        if name in seen:
            raise DataError(f"{place}, column {column}: the name {name!r} is given twice; rename one{or_else}")
        seen.add(name)


def check_text(text: str, place: str) -> None:
    """Refuse a name that would not do in a table or figure."""
    if len(text) > MAX_CELL:
        raise DataError(f"{place}: has {len(text)} characters, {MAX_CELL} are allowed; write a shorter name")
    if not text.isprintable():
        raise DataError(f"{place}: {text!r} cannot be printed; write another name")


def _check_separator(place: str, row: list[str]) -> None:
    """Refuse a table that would have one column because its cells are separated by something else."""
    for separator, plural in SEPARATORS.items():
        if len(row) == 1 and separator in row[0]:
            raise DataError(f"{place}: has one cell, with {plural} in it; save the table with commas between cells")
