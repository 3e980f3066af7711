"""The page of a study without a paper: its figures and tables in one file, as they stand beside it."""

import base64
import csv
from collections.abc import Mapping
from math import isfinite, nan
from pathlib import Path

from ockham.contracts import Paper
from ockham.io.whole_files import replacing_file
from ockham.table_results.cells import Cell, Rows
from ockham.table_results.pages.rendering import Section, study_page

__all__ = ["write_page"]

MOST_ROWS = 2000
"""Of a table in a page, which a browser is to open at once."""


def write_page(
    path: str | Path,
    study: str,
    record: Paper,
    figures: Mapping[str, str | Path],
    tables: Mapping[str, str | Path],
    rests_on: str = "",
) -> None:
    """The page, from PNG files of figures and CSV files of tables, by their names, under their captions.

    What evidence rests on beside the data stands before them.
    """
    sections = [
        Section(_head(name), [_caption(record, name)], None, _picture(Path(file)), _head(name))
        for name, file in figures.items()
    ]
    for name, file in tables.items():
        rows, n_rows = _rows(Path(file))
        left_out = [f"The first {MOST_ROWS:,} of {n_rows:,} rows; {name}.csv has all."] if n_rows > MOST_ROWS else []
        sections.append(Section(_head(name), [_caption(record, name), *left_out], rows))
    with replacing_file(path) as temporary:
        temporary.write_text(study_page(study, sections, rests_on), encoding="utf-8")


def _head(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _caption(record: Paper, name: str) -> str:
    file = record.folder / f"captions/{name}.rst"
    return " ".join(file.read_text(encoding="utf-8").split()) if file.is_file() else ""


def _picture(file: Path) -> str:
    return f"data:image/png;base64,{base64.b64encode(file.read_bytes()).decode()}"


def _rows(file: Path) -> tuple[Rows, int]:
    """Heads and the first rows of a table, and how many it has; columns of numbers are sorted as such."""
    with file.open(encoding="utf-8", newline="") as content:
        heads, *lines = csv.reader(content)
    shown = lines[:MOST_ROWS]
    columns = []
    for cells in zip(*shown, strict=True):
        numbers = [_number(cell) for cell in cells]
        if any(cells) and None not in numbers:
            columns.append([_cell(cell, number) for cell, number in zip(cells, numbers, strict=True)])
        else:
            columns.append([Cell(cell) for cell in cells])
    return (heads, [list(row) for row in zip(*columns, strict=True)]), len(lines)


def _number(cell: str) -> float | None:
    """NaN for a blank, None for what is no number."""
    try:
        return float(cell) if cell else nan
    except ValueError:
        return None


def _cell(text: str, number: float | None) -> Cell:
    is_whole = text.lstrip("-").isdigit()
    return Cell(text if is_whole or number is None or not isfinite(number) else f"{number:.6g}", number)
