"""A study's configuration: read, composed with every scorer's settings, and validated once."""

import re
from functools import cached_property
from inspect import signature
from itertools import pairwise, product
from math import prod
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, Field, ValidationError, field_validator, model_validator

from ockham import contracts
from ockham.datasets.real import DATA_SETS
from ockham.errors import ConfigError, ModelError
from ockham.models import structure_space
from ockham.models.discrete_network import MAX_HYPERPARAMETER, MIN_HYPERPARAMETER, DiscreteNetwork
from ockham.scorers import SCORERS
from ockham.study_files import DISCRETE_NETWORK, NAME, StudyFile, StudyName, error_lines, load_as

__all__ = ["Block", "Grid", "Replicates", "Study", "Workflow", "load_study", "load_workflow", "schema"]

Cardinality = Annotated[int, Field(ge=2, le=32_767)]
Size = Annotated[int, Field(ge=1, le=2**31 - 1)]
Hyperparameter = Annotated[float, Field(ge=MIN_HYPERPARAMETER, le=MAX_HYPERPARAMETER)]
Folder = Annotated[str, Field(min_length=1, max_length=1000)]
Index = Annotated[int, Field(ge=0, le=999_999)]


RESERVED = ("schedules", "structure", "n_parameters", "log_aliases", "separation", "replicate", "n", "run")
"""What the store of scores has beside the entries of the scorers."""
MAX_DATA_CELLS = 10**9
MAX_CELLS = 10**7
"""Of one job."""
MAX_JOBS = 10**6
"""Of one entry of the scorers."""


class Bipartite(contracts.Settings):
    """Every bipartite graph up to permutation of equal hidden variables."""

    space: Literal["bipartite"]
    hidden_cardinalities: list[Cardinality] = Field(min_length=1, description="values of each hidden variable")
    observed_cardinalities: list[Cardinality] = Field(min_length=1, description="values of each observed variable")
    prior: Hyperparameter = Field(default=1.0, description="Dirichlet hyperparameter of every entry")

    def networks(self, data_cardinalities: list[int] | None = None) -> dict[str, DiscreteNetwork]:
        return structure_space.bipartite(self.hidden_cardinalities, self.observed_cardinalities, self.prior)


class Repeated(contracts.Settings):
    """Many features alike."""

    features: int = Field(ge=1, le=100_000, description="how many")
    values: Cardinality = Field(description="values of each")


class NaiveBayes(contracts.Settings):
    """Mixtures: one hidden class that is the only parent of every feature; with one class, independent features."""

    space: Literal["naive_bayes"]
    classes: list[Annotated[int, Field(ge=1, le=32_767)]] = Field(
        min_length=1, description="numbers of classes to compare"
    )
    feature_cardinalities: Annotated[list[Cardinality], Field(min_length=1)] | Repeated | Literal["data"] = Field(
        description="values of each feature, or how many features of how many values, or those of a real data set"
    )
    prior: Hyperparameter = Field(default=1.0, description="Dirichlet hyperparameter of every entry")
    prior_divided: bool = Field(
        default=False, description="whether the prior is divided by the number of entries of each variable, r q"
    )

    def networks(self, data_cardinalities: list[int] | None = None) -> dict[str, DiscreteNetwork]:
        features = self.feature_cardinalities
        if isinstance(features, Repeated):
            features = [features.values] * features.features
        elif features == "data":
            if data_cardinalities is None:
                raise ModelError("feature_cardinalities: only a real data set has them; list them, or set data")
            features = data_cardinalities
        return structure_space.naive_bayes(self.classes, features, self.prior, divided=self.prior_divided)


class ListedStructure(contracts.Settings):
    """One network by name."""

    cardinalities: dict[str, Cardinality] = Field(min_length=1, description="values of each variable")
    parents: dict[str, list[str]] = Field(default={}, description="parents of each variable")
    hidden: list[str] = Field(default=[], description="the hidden variables")
    prior: Hyperparameter | dict[str, Hyperparameter] = Field(
        default=1.0, description="Dirichlet hyperparameter of every entry, or one per variable"
    )


class Listed(contracts.Settings):
    """An explicit list of structures over the same observed variables."""

    space: Literal["listed"]
    structures: dict[str, ListedStructure] = Field(min_length=1, description="label to structure")

    def networks(self, data_cardinalities: list[int] | None = None) -> dict[str, DiscreteNetwork]:
        return structure_space.listed({label: s.model_dump() for label, s in self.structures.items()})


class PriorParameters(contracts.Settings):
    """True parameters are draws of the prior, or published ones."""

    source: Literal["prior"] = "prior"


class MixtureParameters(contracts.Settings):
    """True parameters of a mixture; [ChickeringHeckerman1997], sections 4.2 to 4.5."""

    source: Literal["mixture"]
    class_sizes: Literal["drawn", "equal"] = Field(
        default="drawn", description="probabilities of the classes: uniformly distributed, or all the same"
    )
    deviation: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = Field(
        default=None,
        description="eta, standard deviation of a class's natural parameters around those of the first; by default "
        "the classes are independent",
    )
    zeros: float = Field(default=0.0, ge=0, lt=1, description="probability that a parameter of a feature is set to 0")


class RealData(contracts.Settings):
    """A data set of the UCI repository."""

    source: Literal["data_set"]
    name: Literal[tuple(DATA_SETS)] = Field(description="which one")


class Replicates(contracts.Settings):
    """The data sets: replicate 0 is drawn from the published parameters, 1, 2, ... from draws of the prior."""

    published: bool = Field(default=False, description="whether to include replicate 0")
    prior_draws: int = Field(default=0, ge=0, le=999_999, description="how many replicates from prior draws")

    def indices(self) -> list[int]:
        return ([0] if self.published else []) + list(range(1, self.prior_draws + 1))


Split = Literal["replicate", "n", "run"]


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
    split: dict[Split, Annotated[int, Field(ge=1)]] = Field(
        default={"replicate": 1}, description="dimensions that are cut, and how many of their values one job takes"
    )
    vary: dict[str, list[Any]] | None = Field(
        default=None,
        min_length=1,
        max_length=1,
        description="one setting and its values: stands for an entry for each, under the name <entry>_<value>",
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


class Study(StudyFile):
    """A study of discrete networks with hidden variables: data, structures, scorers."""

    model: ClassVar[str] = DISCRETE_NETWORK
    structures: Annotated[Bipartite | NaiveBayes | Listed, Field(discriminator="space")]
    only: list[str] | None = Field(
        default=None, min_length=1, description="labels to score; every structure by default"
    )
    data: Annotated[PriorParameters | MixtureParameters | RealData, Field(discriminator="source")] = Field(
        default=PriorParameters(), description="where the true parameters or the data are from"
    )
    true_structure: str | None = Field(
        default=None, description="label of the structure that the data are drawn from; none for a real data set"
    )
    replicates: Replicates
    sizes: list[Size] = Field(min_length=1, description="data set sizes, increasing; each is a prefix of the next")
    scorers: dict[str, Grid] = Field(min_length=1, description="scorer name to what it computes")

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
                rest = {"scorer": label} | {field: value for field, value in given.items() if field != "vary"}
                entries = [
                    (f"{label}_{value}", rest | {"settings": given.get("settings", {}) | {setting: value}})
                    for value in values
                ]
            for name, entry in entries:
                if name in expanded:
                    raise ValueError(f"{label}: the entry {name} is there twice; names are <entry>_<value> with vary")
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
        try:
            space = self.space
        except ModelError as error:
            raise ValueError(f"structures: {error}") from error
        if (self.true_structure is None) != isinstance(self.data, RealData):
            raise ValueError("true_structure: needed for drawn data, and there is none for a real data set")
        for label in [*([self.true_structure] if self.true_structure else []), *(self.only or ())]:
            if label not in space:
                raise ValueError(
                    f"structure {label!r} is not in the space of {len(space)} structures; labels look like "
                    f"{next(reversed(space))!r} (the canonical one of each set of equivalent graphs)"
                )
        observed = {tuple((s.names[i], s.cardinalities[i]) for i in s.observed) for s in space.values()}
        if () in observed:
            raise ValueError("structures: every structure needs an observed variable")
        if len(observed) > 1:
            raise ValueError("structures: all of them must have the same observed variables")
        if max(self.sizes) * self.truth.n_variables > MAX_DATA_CELLS:
            raise ValueError(
                f"sizes: {max(self.sizes)} rows of {self.truth.n_variables} variables are more than {MAX_DATA_CELLS:,} "
                "cells; give smaller ones"
            )
        if self.only and len(set(self.only)) < len(self.only):
            raise ValueError("only: a label is given twice")
        self._check_data()
        if not self.replicates.indices():
            raise ValueError("replicates: give published: true, prior_draws: 1 or more, or both")
        for name, grid in self.scorers.items():
            self._check_scorer(name, grid)
        return self

    def _check_data(self) -> None:
        if isinstance(self.data, PriorParameters):
            return
        if self.replicates.published:
            raise ValueError("replicates.published: only with data from the prior; leave it out")
        if isinstance(self.data, RealData):
            if not isinstance(self.structures, NaiveBayes):
                raise ValueError("data: a real data set needs structures of the space naive_bayes")
            if self.replicates.prior_draws != 1 or self.sizes != [DATA_SETS[self.data.name].n]:
                raise ValueError(
                    f"data: {self.data.name} is one data set of {DATA_SETS[self.data.name].n} rows; set sizes to "
                    f"[{DATA_SETS[self.data.name].n}] and prior_draws to 1"
                )
        elif not isinstance(self.structures, NaiveBayes):
            raise ValueError("data: parameters of a mixture need structures of the space naive_bayes")

    def _check_scorer(self, name: str, grid: Grid) -> None:
        if not re.fullmatch(NAME, name):
            raise ValueError(
                f"scorers.{name}: names of entries have small letters, digits and _ only, 100 at most; "
                "instead of varying a setting with such values, write an entry for each"
            )
        if (scorer := grid.scorer or name) not in SCORERS:
            raise ValueError(f"scorers.{name}: unknown scorer {scorer!r}; known are {', '.join(SCORERS)}")
        if name in RESERVED or (name in SCORERS and scorer != name):
            raise ValueError(f"scorers.{name}: the name means something else; choose another for this entry")
        try:
            SCORERS[scorer].Settings(**grid.settings)
        except ValidationError as error:
            raise ValueError("; ".join(error_lines(error, f"scorers.{name}.settings."))) from error
        if unknown := sorted(set(grid.sizes or ()) - set(self.sizes)):
            raise ValueError(f"scorers.{name}.sizes: {unknown} not among the study's sizes")
        if unknown := sorted(set(grid.replicates or ()) - set(self.replicates.indices())):
            raise ValueError(f"scorers.{name}.replicates: {unknown} not among the study's replicates")
        if unknown := sorted(set(grid.structures or ()) - set(self.networks)):
            raise ValueError(f"scorers.{name}.structures: {unknown} not among the structures that the study scores")
        if grid.from_truth and grid.structures != [self.true_structure]:
            raise ValueError(f"scorers.{name}.from_truth: set structures to [{self.true_structure}], the true one")
        if grid.from_truth and "start" not in signature(SCORERS[scorer].score).parameters:
            raise ValueError(f"scorers.{name}.from_truth: {scorer} does not take a starting point")
        for field in ("sizes", "replicates", "structures"):
            values = getattr(grid, field) or ()
            if len(set(values)) < len(values):
                raise ValueError(f"scorers.{name}.{field}: a value is given twice")
        whole = self.entry(name)
        extents = {"replicate": len(whole.replicates), "n": len(whole.sizes), "run": len(whole.runs)}
        taken = {dimension: min(grid.split.get(dimension, extent), extent) for dimension, extent in extents.items()}
        if (n_cells := prod(taken.values()) * len(whole.structures)) > MAX_CELLS:
            raise ValueError(f"scorers.{name}.split: a job has {n_cells:,} cells, over {MAX_CELLS:,}; cut it smaller")
        if (n_jobs := prod(-(-extents[dimension] // size) for dimension, size in taken.items())) > MAX_JOBS:
            raise ValueError(f"scorers.{name}.split: makes {n_jobs:,} jobs, over {MAX_JOBS:,}; cut it larger")

    @cached_property
    def space(self) -> dict[str, DiscreteNetwork]:
        """Every structure of the space by label."""
        cardinalities = DATA_SETS[self.data.name].cardinalities if isinstance(self.data, RealData) else None
        return self.structures.networks(cardinalities)

    @cached_property
    def networks(self) -> dict[str, DiscreteNetwork]:
        """The structures to score by label."""
        return {label: self.space[label] for label in self.only} if self.only else self.space

    @property
    def truth(self) -> DiscreteNetwork:
        """The structure that the data are drawn from; for a real data set, its variables alone."""
        if isinstance(self.data, RealData):
            return structure_space.naive_bayes([1], DATA_SETS[self.data.name].cardinalities)["classes-1"]
        return self.space[self.true_structure]

    def scorer_module(self, name: str) -> ModuleType:
        """The scorer of an entry."""
        return SCORERS[self.scorers[name].scorer or name]

    @cached_property
    def scorer_settings(self) -> dict[str, BaseModel]:
        """Every entry's settings, its scorer's defaults filled in."""
        return {name: self.scorer_module(name).Settings(**grid.settings) for name, grid in self.scorers.items()}

    @property
    def extent(self) -> str:
        """What the study amounts to, for a user's eyes."""
        sizes, replicates = len(self.sizes), len(self.replicates.indices())
        return f"{len(self.networks)} structures, {sizes} sizes, {replicates} replicates"

    def entry(self, scorer: str) -> Block:
        """Every cell of one entry of the scorers."""
        grid = self.scorers[scorer]
        return Block(
            scorer=scorer,
            name="all",
            replicates=sorted(grid.replicates or self.replicates.indices()),
            sizes=sorted(grid.sizes or self.sizes),
            structures=grid.structures or list(self.networks),
            runs=list(range(grid.runs)),
        )

    def blocks(self, scorer: str) -> dict[str, Block]:
        """The jobs of one entry by name, that of their first cell: values added at the end leave the others alone."""
        return self._blocks[scorer]

    @cached_property
    def _blocks(self) -> dict[str, dict[str, Block]]:  # the workflow asks for every job
        return {scorer: self._cut(self.entry(scorer), grid.split) for scorer, grid in self.scorers.items()}

    def _cut(self, whole: Block, split: dict[Split, int]) -> dict[str, Block]:
        extents = {"replicate": whole.replicates, "n": whole.sizes, "run": whole.runs}
        digits = {"replicate": 3, "n": 5, "run": 2}
        choices = [_chunks(values, split.get(d, len(values))) for d, values in extents.items()]
        blocks = {}
        for chosen in product(*choices):
            named = [f"{d}-{values[0]:0{digits[d]}d}" for d, values in zip(extents, chosen, strict=True) if d in split]
            name = "_".join(named) or "all"
            replicates, sizes, runs = chosen
            blocks[name] = whole.model_copy(
                update={"name": name, "replicates": replicates, "sizes": sizes, "runs": runs}
            )
        return blocks


class Workflow(contracts.Settings):
    """What the workflow runs and where it reads and writes."""

    studies: list[StudyName] = Field(min_length=1, description="names of the studies to run")
    config: Folder = Field(description="folder of the studies' files")
    published: Folder = Field(description="folder of the papers' numbers")
    pathvars: dict[Literal["results", "figures", "logs", "benchmarks"], Folder] = Field(
        min_length=4, description="folders that the workflow writes to"
    )

    @field_validator("studies")
    @classmethod
    def _once(cls, studies: list[str]) -> list[str]:
        for name in studies:
            if studies.count(name) > 1:
                raise ValueError(f"{name!r} is given twice")
        return studies


def load_workflow(content: dict) -> Workflow:
    """The workflow's configuration, from what Snakemake read."""
    try:
        return Workflow.model_validate(content)
    except ValidationError as error:
        lines = (f"workflow configuration: {line}" for line in error_lines(error))
        raise ConfigError("\n".join(lines)) from error


def load_study(path: str | Path) -> Study:
    """The study of a YAML file, or of one of its conditions: ``<file>:<condition>``."""
    return load_as(Study, path)


def schema() -> dict:
    """JSON schema of a study's configuration."""
    return Study.model_json_schema()


def _chunks(values: list[int], size: int) -> list[list[int]]:
    return [values[i : i + size] for i in range(0, len(values), size)]
