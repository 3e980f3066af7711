"""What the file of a study of node orders has beside what every study has: a table, and the largest indegree."""

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, model_validator

from ockham import contracts
from ockham.orders.data.structure_data import EXTENTS, DataSetName
from ockham.orders.parent_sets import MAX_NODES
from ockham.orders.space import SAMPLE_SIZES, OrderSpace

__all__ = ["OrderSettings", "RandomNetwork", "Table"]

Variables = Annotated[int, Field(ge=1, le=MAX_NODES)]


class Table(contracts.Settings):
    """Rows of a data set of [NiinimakiKoivisto2013]."""

    source: Literal["data_set"]
    name: DataSetName = Field(description="which one")
    variables: Variables = Field(description="n, how many of its first variables")


class RandomNetwork(contracts.Settings):
    """Rows sampled from a random network of binary variables."""

    source: Literal["random_network"]
    variables: Variables = Field(description="n, how many variables")


class OrderSettings(contracts.FamilySettings):
    """The structures of fully observed data up to a largest indegree, and the table."""

    data: Annotated[Table | RandomNetwork, Field(discriminator="source")] = Field(description="where rows are from")
    max_indegree: int = Field(ge=0, le=MAX_NODES - 1, description="k, parents of a node at most")
    equivalent_sample_size: float = Field(
        default=1.0, ge=SAMPLE_SIZES[0], le=SAMPLE_SIZES[1], description="of the BDeu scores"
    )

    @model_validator(mode="after")
    def _check_indegree(self) -> "OrderSettings":
        if self.max_indegree >= self.data.variables:
            raise ValueError(f"max_indegree: {self.data.variables} variables have at most {self.data.variables - 1}")
        return self

    def check_grid(self, sizes: Sequence[int], published: bool, prior_draws: int) -> None:
        if published or not prior_draws:
            raise ValueError("replicates: give prior_draws: 1 or more, and no published ones")
        if isinstance(self.data, Table):
            n_rows, n_variables = EXTENTS[self.data.name]
            if self.data.variables > n_variables:
                raise ValueError(f"data.variables: {self.data.name} has {n_variables}; give that or fewer")
            if n_rows is not None and max(sizes) > n_rows:
                raise ValueError(f"sizes: {self.data.name} has {n_rows} rows; give that or fewer")
            if self.data.name == "promoters" and prior_draws > 1:
                raise ValueError("replicates: promoters is one table, not drawn at random; set prior_draws to 1")

    @cached_property
    def models(self) -> dict[str, OrderSpace]:
        """The one space of structures, by label."""
        return {
            f"indegree-{self.max_indegree}": OrderSpace(
                self.data.variables, self.max_indegree, self.equivalent_sample_size
            )
        }

    @property
    def n_variables(self) -> int:
        return self.data.variables

    @property
    def extent(self) -> str:
        """What they amount to, for a user's eyes."""
        return f"{self.data.variables} variables, indegree {self.max_indegree}"
