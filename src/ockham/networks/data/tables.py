"""Tables of the user's own as the data of a study: a replicate each, their rows in a random order."""

import hashlib
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field, PrivateAttr, computed_field, model_validator

from ockham import contracts
from ockham.errors import DataError
from ockham.io.frames import MISSING_TEXTS, CategoricalTable, read_tables

__all__ = ["TableData"]


class TableData(contracts.Settings):
    """CSV files of the user's own, as ``ockham.read_table`` reads them."""

    source: Literal["table"]
    file: str | None = Field(default=None, min_length=1, description="a CSV file, from the folder of the study's file")
    files: list[str] | None = Field(
        default=None, min_length=1, description="several with the same columns, each a replicate"
    )
    missing: list[str] = Field(default=list(MISSING_TEXTS), description="what says that a cell is missing")
    drop: list[str] = Field(default=[], description="columns to leave out")
    weights: str | None = Field(default=None, description="the column that says how often each row occurs")
    header: bool = Field(default=True, description="whether the first row names the columns, or else x1, x2, ...")
    _folder: Path = PrivateAttr(default=Path())

    def model_post_init(self, context: Any) -> None:
        """Take the folder that paths are relative to from what loads the study's file."""
        self._folder = Path((context or {}).get("folder", ""))

    @model_validator(mode="after")
    def _readable(self) -> "TableData":
        if (self.file is None) == (self.files is None):
            raise ValueError("give either file, of one table, or files")
        if len(set(self.paths)) < len(self.paths):
            raise ValueError("files: a file is given twice; a replicate is another table")
        _ = self.contents, self.tables  # read now, so that what cannot be read is refused before any work
        return self

    @property
    def paths(self) -> list[Path]:
        """Of the tables."""
        return [self._folder / name for name in self.files or [str(self.file)]]

    @computed_field  # type: ignore[prop-decorator]
    @cached_property
    def contents(self) -> list[str]:
        """SHA-256 of the files, which are part of what the study's numbers depend on."""
        return [hashlib.sha256(_bytes(path)).hexdigest() for path in self.paths]

    @cached_property
    def tables(self) -> list[CategoricalTable]:
        """What the files hold, with the states that occur in any of them."""
        return read_tables(self.paths, missing=self.missing, drop=self.drop, weights=self.weights, header=self.header)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of their columns."""
        return self.tables[0].names

    @property
    def cardinalities(self) -> tuple[int, ...]:
        """Number of states of each column."""
        return self.tables[0].cardinalities

    def rows(self, replicate: int, columns: tuple[str, ...], n: int, rng: np.random.Generator) -> np.ndarray:
        """States of n rows in a random order, int16, shape (n, len(columns)), -1 where a cell is missing.

        More rows of the same stream begin with these. A row of weight w is one of w rows.
        """
        table = self.tables[replicate - 1]
        order = rng.permutation(table.n)[:n]
        if table.weights is not None:
            order = np.searchsorted(np.cumsum(table.weights), order, side="right")
        places = [table.names.index(name) for name in columns]
        return table.states[order][:, places].astype(np.int16)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}); give the path of a CSV file") from error
