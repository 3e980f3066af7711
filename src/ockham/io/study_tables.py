"""Tables of the user's own as the data of a study: what its file says of how they are read, and their random order."""

import hashlib
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field, PrivateAttr, computed_field

from ockham import contracts
from ockham.errors import DataError
from ockham.io.frames import MISSING_TEXTS

__all__ = ["StudyTables", "shuffled"]


class StudyTables(contracts.Settings):
    """How CSV files are read, as ``ockham.read_table`` has it, and what they hold."""

    missing: list[str] = Field(default=list(MISSING_TEXTS), description="what says that a cell is missing")
    drop: list[str] = Field(default=[], description="columns to leave out")
    weights: str | None = Field(default=None, description="the column that says how often each row occurs")
    header: bool = Field(default=True, description="whether the first row names the columns, or else x1, x2, ...")
    _folder: Path = PrivateAttr(default=Path())

    def model_post_init(self, context: Any) -> None:
        """Take the folder that paths are relative to from what loads the study's file."""
        self._folder = Path((context or {}).get("folder", ""))

    @property
    def paths(self) -> list[Path]:
        """Of the tables."""
        raise NotImplementedError

    @computed_field  # type: ignore[prop-decorator]
    @cached_property
    def contents(self) -> list[str]:
        """SHA-256 of the files, which are part of what the study's numbers depend on."""
        return [hashlib.sha256(_bytes(path)).hexdigest() for path in self.paths]


def shuffled(n_rows: int, counts: np.ndarray | None, n: int, rng: np.random.Generator) -> np.ndarray:
    """Places of n rows of a table in a random order; of a row that occurs w times there are w.

    More rows of the same stream begin with these.
    """
    if counts is None:
        return rng.permutation(n_rows)[:n]
    ends = np.cumsum(counts)
    found: np.ndarray = np.searchsorted(ends, rng.permutation(int(ends[-1]))[:n], side="right")
    return found


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}); give the path of a CSV file") from error
