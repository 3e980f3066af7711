"""The numbers that papers print: CSV files beside what reproduces them, read strictly, for tables to show."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd

from ockham.contracts import Paper
from ockham.errors import DataError

__all__ = ["read_published"]


def read_published(paper: Paper, name: str) -> pd.DataFrame:
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
    path, columns = paper.folder / name, paper.numbers[name]
    key, texts, numbers = columns.key.split(), columns.texts.split(), columns.numbers.split()
    frame = _text(path)
    if missing := [column for column in dict.fromkeys((*key, *texts, *numbers)) if column not in frame]:
        raise DataError(f"{path}: has no column {missing[0]!r}; add it, or take the file from Ockham's repository")
    for column in dict.fromkeys((*key, *numbers)):
        if column in texts:
            continue
        value = pd.to_numeric(frame[column], errors="coerce").replace([np.inf, -np.inf], np.nan)
        wrong = value.isna() & (frame[column].ne("") | (column in key))
        if wrong.any():
            found = frame[column][wrong]
            raise DataError(f"{path}: line {found.index[0]}: column {column!r} has {found.iloc[0]!r}; give a number")
        frame[column] = value
    twice = frame.index[frame.duplicated(key)]
    if len(twice):
        raise DataError(f"{path}: line {twice[0]}: has the {', '.join(key)} of a line above; remove one")
    return frame.reset_index(drop=True)


def _text(path: Path) -> pd.DataFrame:
    """The cells of a CSV file as text, by the number of their line; lines that begin with # are remarks."""
    try:
        lines = path.read_text("utf-8").splitlines(keepends=True)
        reader = csv.reader(("\n" if line.startswith("#") else line for line in lines), strict=True)
        numbered = [(reader.line_num, row) for row in reader if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: not a readable CSV file ({error}); take it from Ockham's repository") from error
    names = numbered[0][1] if numbered else []
    if twice := [name for name in names if names.count(name) > 1]:
        raise DataError(f"{path}: the name {twice[0]!r} is given twice; rename one")
    for line, row in numbered[1:]:
        if len(row) != len(names):
            raise DataError(f"{path}: line {line}: has {len(row)} cells for {len(names)} names; add or remove cells")
    return pd.DataFrame.from_dict(dict(numbered[1:]), orient="index", columns=names, dtype=str)
