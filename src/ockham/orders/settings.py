"""A study of node orders: data, family scores, and the samplers that estimate evidence and arc posteriors."""

from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from ockham import contracts
from ockham.orders.data.structure_data import DATA_SETS
from ockham.orders.inference.sums import Method
from ockham.orders.parent_sets import MAX_NODES
from ockham.studies.study_files import StudyFile, load_as

__all__ = ["NODE_ORDER", "RANDOM_NETWORK", "Annealing", "OrderBlock", "OrderStudy", "Tempering", "load_order_study"]

NODE_ORDER = "node_order"
RANDOM_NETWORK = "random_network"
N_BLOCKS = 100

Count = Annotated[int, Field(ge=1, le=10**12)]


class Table(contracts.Settings):
    """The data: rows and variables of a data set of [NiinimakiKoivisto2013], or of a random network."""

    name: Literal[(*DATA_SETS, RANDOM_NETWORK)] = Field(description="which one")
    rows: Annotated[int, Field(ge=1)] = Field(description="m, how many rows")
    variables: Annotated[int, Field(ge=1, le=MAX_NODES)] = Field(description="n, how many of its first variables")


class Sums(contracts.Settings):
    """How the sum over the graphs of an order is found."""

    method: Method = Field(default="auto", description="full tables, lists of parent sets, or what should cost less")
    memory_limit: float = Field(default=2.0, gt=0, le=1e4, description="GB that full tables may take")
    dropped: float = Field(
        default=1.0e-9, ge=0, le=1e-3, description="part of a node's sum that its list of parent sets may lack"
    )


class Exact(contracts.Settings):
    """Which exact values the figures show."""

    orders: bool = Field(default=False, description="those of the order-modular prior; the cost grows as n 2^n")
    graphs: bool = Field(default=False, description="those of the uniform prior over graphs; the cost grows as 3^n")
    max_seconds: float = Field(default=600.0, gt=0, description="predicted time of each that is allowed")
    max_gigabytes: float = Field(default=6.0, gt=0, description="predicted memory of each that is allowed")


class Annealing(contracts.Settings):
    """Annealed importance sampling: independent runs along a schedule, each with a weight."""

    sampler: Literal["ais"]
    length: Count = Field(description="steps r of the schedule, in units of n m")
    merge: Count = Field(
        default=1,
        description="sampled orders of which one is kept, drawn by weight, with their mean weight: for long runs",
    )
    graphs: Count = Field(default=1, description="graphs drawn from each order that is kept")
    curvature: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="e_tau of a schedule that is not linear"
    )
    steps: Count = Field(description="budget: steps of the chain in one run of the sampler")
    runs: Annotated[int, Field(ge=1, le=999)] = Field(default=9, description="independent runs of the sampler")
    runs_per_job: Annotated[int, Field(ge=1)] = Field(default=1, description="runs that one job and its file take")
    count_every: int = Field(
        default=1,
        ge=0,
        description="linear extensions are counted for the graphs of every so many samples; 0: never",
    )

    def n_samples(self, schedule_steps: int) -> int:
        """How many orders the budget is enough for, of those that are kept."""
        return self.steps // (schedule_steps * self.merge)


class Tempering(contracts.Settings):
    """MC3: chains at several temperatures that exchange their states."""

    sampler: Literal["mc3"]
    ratios: Annotated[int, Field(ge=1, le=10_000)] = Field(description="r: there are r + 1 chains")
    thin: Count = Field(description="sweeps from one record to the next")
    curvature: float | None = Annealing.model_fields["curvature"]
    steps: Count = Field(description="budget: steps of all chains together in one run of the sampler")
    runs: Annotated[int, Field(ge=1, le=999)] = Annealing.model_fields["runs"]
    runs_per_job: Annotated[int, Field(ge=1)] = Annealing.model_fields["runs_per_job"]
    count_every: int = Annealing.model_fields["count_every"]

    @property
    def records_per_block(self) -> int:
        """Records that are summed up in one of the equal blocks of a run."""
        return self.steps // ((self.ratios + 1) * self.thin * N_BLOCKS)


class LinearExtensions(contracts.Settings):
    """Random graphs whose linear extensions are counted, to time it."""

    sizes: list[Annotated[int, Field(ge=1, le=MAX_NODES)]] = Field(min_length=1, description="numbers of nodes")
    indegrees: list[Annotated[int, Field(ge=0, le=MAX_NODES)]] = Field(
        min_length=1, max_length=4, description="largest indegrees"
    )
    graphs: Annotated[int, Field(ge=1, le=1000)] = Field(default=9, description="graphs of each")


class OrderBlock(contracts.Settings):
    """One job and one file: some runs of one entry of the scorers."""

    scorer: str
    name: str
    runs: list[int]

    @property
    def n_cells(self) -> int:
        """How many runs it has."""
        return len(self.runs)


class OrderStudy(StudyFile):
    """A study of the structure of fully observed data by sampling node orders."""

    model: ClassVar[str] = NODE_ORDER
    data: Table
    max_indegree: int = Field(ge=0, le=MAX_NODES - 1, description="k, parents of a node at most")
    sample_size: float = Field(
        default=1.0, gt=0, le=1e6, allow_inf_nan=False, description="equivalent sample size of the BDeu scores"
    )
    sums: Sums = Sums()
    exact: Exact = Exact()
    linear_extensions: LinearExtensions | None = Field(
        default=None, description="what Figure 1 times; the same in every condition"
    )
    scorers: dict[str, Annotated[Annealing | Tempering, Field(discriminator="sampler")]] = Field(
        min_length=1, description="name of an entry to its sampler"
    )

    @model_validator(mode="after")
    def _consistent(self) -> "OrderStudy":
        if self.max_indegree >= self.data.variables:
            raise ValueError(f"max_indegree: {self.data.variables} variables have at most {self.data.variables - 1}")
        for name, entry in self.scorers.items():
            if isinstance(entry, Annealing) and entry.n_samples(self.schedule_steps(entry)) < 2:
                needed = 2 * self.schedule_steps(entry) * entry.merge
                raise ValueError(f"scorers.{name}.steps: not enough for two samples; set it to {needed} or more")
            if isinstance(entry, Tempering) and entry.records_per_block < 1:
                needed = (entry.ratios + 1) * entry.thin * N_BLOCKS
                raise ValueError(f"scorers.{name}.steps: not enough for {N_BLOCKS} records; set it to {needed} or more")
        return self

    def schedule_steps(self, entry: Annealing) -> int:
        """Steps of the annealing schedule of an entry."""
        return entry.length * self.data.variables * self.data.rows

    @cached_property
    def extent(self) -> str:
        """What the study amounts to, for a user's eyes."""
        return f"{self.data.variables} variables, {self.data.rows} rows, indegree {self.max_indegree}"

    def blocks(self, scorer: str) -> dict[str, OrderBlock]:
        """The jobs of one entry by name, that of their first run: runs added at the end leave the others alone."""
        entry = self.scorers[scorer]
        chosen = [
            list(range(first, min(first + entry.runs_per_job, entry.runs)))
            for first in range(0, entry.runs, entry.runs_per_job)
        ]
        return {(name := f"run-{runs[0]:03d}"): OrderBlock(scorer=scorer, name=name, runs=runs) for runs in chosen}


def load_order_study(path: str | Path) -> OrderStudy:
    """The study of a YAML file, or of one of its conditions: ``<file>:<condition>``."""
    return load_as(OrderStudy, path)
