"""A study that scores every structure on data sets of several sizes: its grid, its scorers, and how both make jobs."""

import re
from functools import cached_property, lru_cache
from inspect import signature
from itertools import pairwise, product
from math import prod
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import Field, ValidationError, field_validator, model_validator

from ockham import contracts, families
from ockham.contracts import NAME, RESERVED
from ockham.errors import ConfigError, ModelError
from ockham.io.yaml_files import error_lines
from ockham.studies.study_files import StudyFile

__all__ = ["DIMENSIONS", "MAX_DATA_CELLS", "Block", "Grid", "Replicates", "Study", "study_class"]

Size = Annotated[int, Field(ge=1, le=2**31 - 1)]
Index = Annotated[int, Field(ge=0, le=999_999)]

NAMED: dict[str, Any] = {"propertyNames": {"pattern": f"^{NAME}$"}}
"""In the schema: the keys are names."""
MAX_DATA_CELLS = 10**9
MAX_CELLS = 10**7
"""Of one job."""
MAX_JOBS = 10**6
"""Of one entry of the scorers."""


class Replicates(contracts.Settings):
    """The data sets: replicate 0 is drawn from the published parameters, 1, 2, ... from draws of the prior."""

    published: bool = Field(default=False, description="whether to include replicate 0")
    prior_draws: int = Field(default=0, ge=0, le=999_999, description="how many replicates from prior draws")

    def indices(self) -> list[int]:
        return ([0] if self.published else []) + list(range(1, self.prior_draws + 1))


Split = Literal["replicate", "n", "structure", "run"]
DIMENSIONS = get_args(Split)


class Grid(contracts.Settings):
    """One entry of the scorers: which one, its settings, its part of the grid, and how that is cut into jobs."""

    scorer: str | None = Field(default=None, description="which scorer; the one of the entry's own name by default")
    runs: int = Field(default=1, ge=1, le=999_999, description="independent runs of every cell, such as restarts")
    settings: dict[str, Any] = Field(default={}, description="the scorer's own settings")
    replicates: list[Index] | None = Field(
        default=None, min_length=1, description="replicates to score; all by default"
    )
    sizes: list[Size] | None = Field(default=None, min_length=1, description="sizes to score; all by default")
    structures: list[str] | None = Field(
        default=None, min_length=1, description="labels of the structures to score; all by default"
    )
    split: dict[Split, Annotated[int, Field(ge=1, le=2**31 - 1)]] = Field(
        default={"replicate": 1}, description="dimensions that are cut, and how many of their values one job takes"
    )
    vary: dict[str, list[Any]] | None = Field(
        default=None,
        min_length=1,
        max_length=1,
        description="one setting and its values: stands for an entry for each, under the name <entry>_<value>",
    )
    role: str | None = Field(
        default=None, description="what the entry is for in the paper, if not for its scorer's own numbers"
    )
    from_truth: bool = Field(
        default=False, description="whether runs start from the true parameters; only for the true structure"
    )


class Block(contracts.Settings):
    """The cells of one job and one file: some replicates, sizes, structures and runs of one entry of the scorers."""

    scorer: str
    name: str
    replicates: list[int]
    sizes: list[int]
    structures: list[str]
    runs: list[int]

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Extent of the arrays of its cells."""
        return len(self.replicates), len(self.sizes), len(self.structures), len(self.runs)

    @property
    def n_cells(self) -> int:
        """How many values it has of each score."""
        return prod(self.shape)


class Study(StudyFile, contracts.FamilySettings):
    """A study; that of a family has its settings too (``study_class``)."""

    family: ClassVar[contracts.Family]
    replicates: Replicates
    sizes: list[Size] = Field(min_length=1, description="data set sizes, increasing; each is a prefix of the next")
    scorers: dict[str, Grid] = Field(
        min_length=1, description="name of an entry to what it computes", json_schema_extra=NAMED
    )
    measurements: dict[str, dict[str, Any]] = Field(
        default={}, description="what figures show beside scores: name to its settings", json_schema_extra=NAMED
    )

    @field_validator("scorers", mode="before")
    @classmethod
    def _expand(cls, scorers: Any) -> Any:
        """Replace an entry that varies a setting by one for each of its values."""
        if not isinstance(scorers, dict):
            return scorers
        expanded: dict[str, Any] = {}
        for label, given in scorers.items():
            vary = given.get("vary") if isinstance(given, dict) else None
            if not isinstance(vary, dict) or not isinstance(given.get("settings", {}), dict):
                entries = [(label, given)]  # nothing to vary, or what the checks of an entry refuse
            elif [*map(type, vary.values())] != [list] or not all(vary.values()):
                raise ValueError(f"{label}.vary: give one setting with a list of one or more values")
            else:
                ((setting, values),) = vary.items()
                if setting in given.get("settings", {}):
                    raise ValueError(f"{label}.vary: {setting} has a value in settings as well; leave one of them out")
                rest = {"scorer": label} | {field: value for field, value in given.items() if field != "vary"}
                entries = [
                    (f"{label}_{value}", rest | {"settings": given.get("settings", {}) | {setting: value}})
                    for value in values
                ]
            for name, entry in entries:
                if name in expanded:
                    raise ValueError(f"{label}: the entry {name} is given twice; names are <entry>_<value> with vary")
                expanded[name] = entry
        return expanded

    @field_validator("sizes")
    @classmethod
    def _increasing(cls, sizes: list[int]) -> list[int]:
        for before, after in pairwise(sizes):
            if after <= before:
                raise ValueError(f"sizes must increase: {after} follows {before}")
        return sizes

    @model_validator(mode="after")
    def _consistent(self) -> "Study":
        for label in self.models:
            contracts.check_label(label)
        self.check_grid(self.sizes, self.replicates.published, self.replicates.prior_draws)
        if not self.replicates.indices():
            raise ValueError("replicates: give published: true, prior_draws: 1 or more, or both")
        if max(self.sizes) * self.n_variables > MAX_DATA_CELLS:
            raise ValueError(
                f"sizes: {max(self.sizes)} rows of {self.n_variables} variables are more than {MAX_DATA_CELLS:,} "
                "cells; give smaller ones"
            )
        for name, grid in self.scorers.items():
            self._check_scorer(name, grid)
        for name, settings in self.measurement_settings.items():
            if check := getattr(families.measurement(self.family.name, name), "check", None):
                check(self, settings)
        return self

    def _check_scorer(self, name: str, grid: Grid) -> None:
        if not re.fullmatch(NAME, name):
            raise ValueError(
                f"scorers.{name}: names of entries consist of at most 100 small letters, digits and _; "
                "instead of varying a setting with such values, write an entry for each"
            )
        known = families.scorer_names(self.family.name)
        if (scorer := grid.scorer or name) not in known:
            raise ValueError(f"scorers.{name}: unknown scorer {scorer!r}; known are {', '.join(known)}")
        if name in (*RESERVED, *self.family.beside_scores) or (name in known and scorer != name):
            raise ValueError(f"scorers.{name}: the name means something else; choose another for this entry")
        try:
            module = families.scorer(self.family.name, scorer)
        except ConfigError as error:
            raise ValueError(f"scorers.{name}: {error}") from error
        try:
            module.Settings(**grid.settings)
        except ValidationError as error:
            raise ValueError("; ".join(error_lines(error, f"scorers.{name}.settings."))) from error
        if unknown := sorted(set(grid.sizes or ()) - set(self.sizes)):
            raise ValueError(f"scorers.{name}.sizes: {unknown} not among the study's sizes")
        if unknown := sorted(set(grid.replicates or ()) - set(self.replicates.indices())):
            raise ValueError(f"scorers.{name}.replicates: {unknown} not among the study's replicates")
        if strange := sorted(set(grid.structures or ()) - set(self.models)):
            raise ValueError(f"scorers.{name}.structures: {strange} not among the structures that the study scores")
        if grid.from_truth and self.true_label is None:
            raise ValueError(f"scorers.{name}.from_truth: the study's data have no true structure; leave it out")
        if grid.from_truth and grid.structures != [self.true_label]:
            raise ValueError(f"scorers.{name}.from_truth: set structures to [{self.true_label}], the true one")
        if grid.from_truth and "start" not in signature(module.score).parameters:
            raise ValueError(f"scorers.{name}.from_truth: {scorer} does not take a starting point")
        for field in ("sizes", "replicates", "structures"):
            values = getattr(grid, field) or ()
            if len(set(values)) < len(values):
                raise ValueError(f"scorers.{name}.{field}: a value is given twice")
        if isinstance(module, contracts.CheckedScorer):
            n, settings = max(grid.sizes or self.sizes), module.Settings(**grid.settings)
            for label in grid.structures or self.models:
                try:
                    module.check(self.models[label], n, settings)
                except ModelError as error:
                    raise ValueError(f"scorers.{name}.settings: {error}") from error
        whole = self.entry(name)
        extents = dict(zip(DIMENSIONS, whole.shape, strict=True))
        taken = {dimension: min(grid.split.get(dimension, extent), extent) for dimension, extent in extents.items()}
        if (n_cells := prod(taken.values())) > MAX_CELLS:
            raise ValueError(
                f"scorers.{name}.split: a job has {n_cells:,} cells, over {MAX_CELLS:,}; give smaller parts"
            )
        if (n_jobs := prod(-(-extents[dimension] // size) for dimension, size in taken.items())) > MAX_JOBS:
            raise ValueError(f"scorers.{name}.split: makes {n_jobs:,} jobs, over {MAX_JOBS:,}; give larger parts")

    def scorer_name(self, entry: str) -> str:
        """The scorer of an entry, by its name."""
        return self.scorers[entry].scorer or entry

    def scorer_module(self, entry: str) -> contracts.Scorer:
        """The scorer of an entry."""
        return families.scorer(self.family.name, self.scorer_name(entry))

    @cached_property
    def scorer_settings(self) -> dict[str, contracts.Settings]:
        """Every entry's settings, its scorer's defaults filled in."""
        return {name: self.scorer_module(name).Settings(**grid.settings) for name, grid in self.scorers.items()}

    @cached_property
    def measurement_settings(self) -> dict[str, contracts.Settings]:
        """The settings of every measurement, its defaults filled in."""
        found = {}
        for name, given in self.measurements.items():
            try:
                found[name] = families.measurement(self.family.name, name).Settings(**given)
            except ValidationError as error:
                raise ValueError("; ".join(error_lines(error, f"measurements.{name}."))) from error
        return found

    @property
    def measured_replicate(self) -> int:
        """The replicate that measurements take: the first that is not published, so that others can be added."""
        indices = self.replicates.indices()
        return next((replicate for replicate in indices if replicate), indices[0])

    @property
    def extent(self) -> str:
        """What the study amounts to, for a user's eyes."""
        return f"{super().extent}, {len(self.sizes)} sizes, {len(self.replicates.indices())} replicates"

    @property
    def rests_on(self) -> str:
        """What its evidences rest on beside the data, where the family has something to say of that."""
        return "; ".join(dict.fromkeys(said for model in self.models.values() if (said := self.family.rests_on(model))))

    def entry(self, scorer: str) -> Block:
        """Every cell of one entry of the scorers."""
        grid = self.scorers[scorer]
        return Block(
            scorer=scorer,
            name="all",
            replicates=sorted(grid.replicates or self.replicates.indices()),
            sizes=sorted(grid.sizes or self.sizes),
            structures=grid.structures or list(self.models),
            runs=list(range(grid.runs)),
        )

    def blocks(self, scorer: str) -> dict[str, Block]:
        """The jobs of one entry by name, that of their first cell: values added at the end leave the others alone."""
        return self._blocks[scorer]

    @cached_property
    def _blocks(self) -> dict[str, dict[str, Block]]:  # the workflow asks for every job
        return {scorer: self._cut(self.entry(scorer), grid.split) for scorer, grid in self.scorers.items()}

    def _cut(self, whole: Block, split: dict[Split, int]) -> dict[str, Block]:
        extents: dict[Split, list[Any]] = {
            "replicate": whole.replicates, "n": whole.sizes, "structure": whole.structures, "run": whole.runs
        }  # fmt: skip
        digits = {"replicate": "03", "n": "05", "structure": "", "run": "02"}
        choices = [_chunks(values, split.get(d, len(values))) for d, values in extents.items()]
        blocks = {}
        for chosen in product(*choices):
            named = [f"{d}-{values[0]:{digits[d]}}" for d, values in zip(extents, chosen, strict=True) if d in split]
            name = "_".join(named) or "all"
            parts = dict(zip(("replicates", "sizes", "structures", "runs"), chosen, strict=True))
            blocks[name] = whole.model_copy(update={"name": name} | parts)
        return blocks


def _chunks(values: list[Any], size: int) -> list[list[Any]]:
    return [values[i : i + size] for i in range(0, len(values), size)]


@lru_cache
def study_class(family: contracts.Family) -> type[Study]:
    """The studies of a family: the keys of every study, and the family's own.

    Raises
    ------
    ConfigError
        When the family has a key of every study.
    """
    if twice := sorted({"model", "conditions", *Study.model_fields} & set(family.settings.model_fields)):
        raise ConfigError(f"family {family.name}: settings: every study has a key {twice[0]!r}; rename the family's")
    return type(f"{type(family).__name__}Study", (Study, family.settings), {"family": family, "__module__": __name__})
