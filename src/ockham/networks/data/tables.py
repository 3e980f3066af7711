"""Tables of the user's own as the data of a study: a replicate each, their rows in a random order."""

from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from ockham.io.frames import CategoricalTable, read_tables
from ockham.io.study_tables import StudyTables, shuffled

__all__ = ["TableData"]


class TableData(StudyTables):
    """CSV files of the user's own, as ``ockham.read_table`` reads them."""

    source: Literal["table"]
    file: str | None = Field(default=None, min_length=1, description="a CSV file, from the folder of the study's file")
    files: list[str] | None = Field(
        default=None, min_length=1, description="several with the same columns, each a replicate"
    )

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
        order = shuffled(len(table.states), table.weights, n, rng)
        places = [table.names.index(name) for name in columns]
        return table.states[order][:, places].astype(np.int16)
