"""The papers' own numbers: CSV files in a folder for each paper, read strictly, for tables to show beside ours."""

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ockham.errors import DataError

__all__ = ["FILES", "read_published"]


class Columns(NamedTuple):
    """What a file has: columns that together tell its rows apart, other text, and other numbers, which may be blank."""

    key: str
    texts: str = ""
    numbers: str = ""


TEXT_KEYS = {"quantity", "condition", "prior"}
FILES = {
    "beal_ghahramani_2006": {
        "numbers.csv": Columns("quantity", "source", "value"),
        "table_2.csv": Columns(
            "n", "", "map bic_uncorrected bicp_uncorrected cheeseman_stutz_uncorrected variational_bayes_uncorrected "
            "bic bicp cheeseman_stutz variational_bayes ais",
        ),
        "table_3.csv": Columns(
            "n", "", "ais_1_below_vb_uncorrected ais_1_below_vb rejected ais_5_below_vb_uncorrected ais_5_below_vb"
        ),
    },
    "chickering_heckerman_1997": {
        "table_1.csv": Columns(
            "features classes n", "", "laplace laplace_sd block block_sd diagonal diagonal_sd cs_map cs_map_sd cs_ml "
            "cs_ml_sd bic_map bic_map_sd bic_ml bic_ml_sd",
        ),
        "table_2.csv": Columns("features classes n", "", "c_1 l_1 c_2 l_2 c_3 l_3 c_4 l_4 c_5 l_5"),
        "table_3.csv": Columns("condition", "candidate laplace block diagonal cs_map bic_ml", "features n"),
    },
    "niinimaki_koivisto_2013": {"lower_bounds.csv": Columns("condition prior", "", "factor least")},
}  # fmt: skip
"""Paper to its files to their columns."""


def read_published(folder: str | Path, paper: str, name: str) -> pd.DataFrame:
    """One file of a paper's numbers.

    Parameters
    ----------
    folder : path
        The paper's folder.
    paper, name : str
        The paper, and the file's name, of ``FILES``.

    Returns
    -------
    pandas.DataFrame
        Its columns, in the file's order; NaN for a number that is left out.

    Raises
    ------
    DataError
        When the file cannot be read, lacks a column, has a row twice, or text in the place of a number.
    """
    path = Path(folder, name)
    key, texts, numbers = (names.split() for names in FILES[paper][name])
    frame = _text(path)
    if missing := [column for column in (*key, *texts, *numbers) if column not in frame]:
        raise DataError(f"{path}: has no column {missing[0]!r}; add it, or take the file from Ockham's repository")
    for column in (*key, *numbers):
        if column in TEXT_KEYS:
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
