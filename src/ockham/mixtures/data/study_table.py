"""A table of the user's own, of mixed items, as the data of a study: one replicate, its rows in a random order."""

from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from ockham.io.frames import read_columns
from ockham.io.study_tables import StudyTables, shuffled
from ockham.mixtures.data.priors import MixedPrior
from ockham.mixtures.data.tables import MixedTable, mixed_table

__all__ = ["MixedTableData"]


class MixedTableData(StudyTables):
    """A CSV file of the user's own, as ``ockham.read_mixed_table`` reads it."""

    source: Literal["table"]
    file: str = Field(min_length=1, description="a CSV file, from the folder of the study's file")
    types: dict[str, str] = Field(
        default={},
        description="what columns are where it is not what they look like: categorical, ordered, gaussian, count or "
        "binomial, with another total than the largest count as in binomial:20",
    )
    prior: Annotated[float, Field(gt=0, le=1.0e6)] | str = Field(
        default=1.0,
        description="of the items, in their units: the Dirichlet hyperparameter, or a text such as within=0.25,rates=2",
    )

    @model_validator(mode="after")
    def _readable(self) -> "MixedTableData":
        _ = self.contents, self.table  # read now, so that what cannot be read is refused before any work
        return self

    @property
    def paths(self) -> list[Path]:
        return [self._folder / self.file]

    @cached_property
    def table(self) -> MixedTable:
        """What the file holds."""
        return mixed_table(
            read_columns(self.paths[0], self.header), self.types, "data.types", missing=self.missing, drop=self.drop,
            weights=self.weights, prior=MixedPrior.of(self.prior),
        )  # fmt: skip

    def rows(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Cells of n rows in a random order, shape (n, n_items), NaN where one is missing."""
        found: np.ndarray = self.table.cells[shuffled(len(self.table.cells), self.table.counts, n, rng)]
        return found
