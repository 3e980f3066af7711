"""The numbers that papers print: CSV files beside what reproduces them, read strictly, for tables to show."""

import csv
from collections import Counter
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from ockham.contracts import Paper
from ockham.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["check_published", "printed_texts", "read_published"]


def check_published(paper: Paper) -> None:
    """Read every file of a paper's numbers, and raise a DataError as ``read_published`` does."""
    for name in paper.numbers:
        _rows(paper, name)


def printed_texts(paper: Paper, name: str) -> dict[str, list[str]]:
    """The cells of one file as they stand in it, by column; raises a DataError as ``read_published`` does."""
    names, rows = _rows(paper, name)
    return {column: [row[i] for row in rows] for i, column in enumerate(names)}


def read_published(paper: Paper, name: str) -> "pd.DataFrame":
    """One file of a paper's numbers.

    Parameters
    ----------
    paper : Paper
    name : str
        The file's name, of ``paper.numbers``.

    Returns
    -------
    pandas.DataFrame
        Its columns, in the file's order; NaN for a number that is left out.

    Raises
    ------
    DataError
        When the file cannot be read, lacks a column, has a row twice, or text in the place of a number.
    """
    import pandas as pd  # slow to import, and the workflow checks the files at every start

    names, rows = _rows(paper, name)
    frame = pd.DataFrame(rows, columns=names, dtype=str)
    for column in _columns(paper, name)[1]:
        frame[column] = pd.to_numeric(frame[column], errors="coerce")
    return frame


def _rows(paper: Paper, name: str) -> tuple[list[str], list[list[str]]]:
    """Names and cells of a file, when they are what they should be."""
    path = paper.folder / name
    (key, numbers), texts = _columns(paper, name), paper.numbers[name].texts.split()
    names, numbered = _text(path)
    if missing := [column for column in (*key, *texts, *numbers) if column not in names]:
        raise DataError(f"{path}: has no column {missing[0]!r}; add it, or take the file from Ockham's repository")
    seen = set()
    for line, row in numbered:
        cells = dict(zip(names, row, strict=True))
        for column in numbers:
            if not _is_number(cells[column]) and (cells[column] or column in key):
                raise DataError(f"{path}: line {line}: column {column!r} has {cells[column]!r}; give a number")
        own = tuple(float(cells[column]) if column in numbers else cells[column] for column in key)
        if own in seen:
            raise DataError(f"{path}: line {line}: has the {', '.join(key)} of a line above; remove one")
        seen.add(own)
    return names, [row for _, row in numbered]


def _columns(paper: Paper, name: str) -> tuple[Sequence[str], Sequence[str]]:
    """The columns that tell rows apart, and those of numbers."""
    columns = paper.numbers[name]
    key, texts = columns.key.split(), columns.texts.split()
    return key, [column for column in dict.fromkeys((*key, *columns.numbers.split())) if column not in texts]


def _is_number(cell: str) -> bool:
    try:
        return isfinite(float(cell)) and "_" not in cell
    except ValueError:
        return False


def _text(path: Path) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The names of a CSV file, and its cells by the number of their line; lines that begin with # are remarks."""
    try:
        lines = path.read_text("utf-8").splitlines(keepends=True)
        reader = csv.reader(("\n" if line.startswith("#") else line for line in lines), strict=True)
        numbered = [(reader.line_num, row) for row in reader if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: not a readable CSV file ({error}); take it from Ockham's repository") from error
    names = numbered[0][1] if numbered else []
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise DataError(f"{path}: the name {twice[0]!r} is given twice; rename one")
    for line, row in numbered[1:]:
        if len(row) != len(names):
            raise DataError(f"{path}: line {line}: has {len(row)} cells for {len(names)} names; add or remove cells")
    return names, numbered[1:]
