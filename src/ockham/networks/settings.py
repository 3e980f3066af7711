"""What the file of a study of networks has beside what every study has: structures, and where data are from."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from ockham import contracts
from ockham.errors import ModelError
from ockham.networks import structure_space
from ockham.networks.data.random_networks import LEAST_ROWS, MAX_OBSERVED, Kind
from ockham.networks.data.real import DATA_SETS, DataSetName
from ockham.networks.data.tables import TableData
from ockham.networks.discrete_network import MAX_HYPERPARAMETER, MIN_HYPERPARAMETER, DiscreteNetwork

__all__ = ["MixtureParameters", "NetworkSettings", "PriorParameters", "RandomNetworks", "RealData", "TableData"]

Cardinality = Annotated[int, Field(ge=2, le=32_767)]
Hyperparameter = Annotated[float, Field(ge=MIN_HYPERPARAMETER, le=MAX_HYPERPARAMETER)]


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
        default="data",
        description="values of each feature, or how many features of how many values, or those of a real data set or "
        "of a table",
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
                raise ModelError(
                    "feature_cardinalities: only a real data set or a table has them; list them, or set data"
                )
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
    structures: dict[Annotated[str, AfterValidator(contracts.check_label)], ListedStructure] = Field(
        min_length=1,
        description="label to structure",
        json_schema_extra={"propertyNames": {"pattern": f"^{contracts.LABEL}$"}},
    )

    def networks(self, data_cardinalities: list[int] | None = None) -> dict[str, DiscreteNetwork]:
        return structure_space.listed({label: s.model_dump() for label, s in self.structures.items()})


class RandomNetworks(contracts.Settings):
    """Another random network for every replicate, with rows of its own."""

    space: Literal["random"]
    kind: Kind = Field(description="what networks, priors and rows are like")

    def networks(self, data_cardinalities: list[int] | None = None) -> dict[str, DiscreteNetwork]:
        """The smallest, under the label that every one of them has."""
        return {"random": structure_space.naive_bayes_network(2, {"item0": 2})}


class PriorParameters(contracts.Settings):
    """True parameters are draws of the prior, or published ones."""

    source: Literal["prior"] = "prior"


class MixtureParameters(contracts.Settings):
    """True parameters of a mixture; [ChickeringHeckerman1997], sections 4.2 to 4.5."""

    source: Literal["mixture"]
    class_sizes: Literal["drawn", "equal"] = Field(
        default="drawn", description="probabilities of the classes: uniformly distributed, or all the same"
    )
    deviation: Annotated[float, Field(ge=0, le=1e6)] | None = Field(
        default=None,
        description="eta, standard deviation of a class's natural parameters around those of the first; by default "
        "the classes are independent",
    )
    zeros: float = Field(default=0.0, ge=0, lt=1, description="probability that a parameter of a feature is set to 0")


class RealData(contracts.Settings):
    """A data set of the UCI repository."""

    source: Literal["data_set"]
    name: DataSetName = Field(description="which one")


class NetworkSettings(contracts.FamilySettings):
    """Structures of discrete networks with hidden variables, and the data that they are scored on."""

    structures: Annotated[Bipartite | NaiveBayes | Listed | RandomNetworks, Field(discriminator="space")]
    only: list[str] | None = Field(
        default=None, min_length=1, description="labels to score; every structure by default"
    )
    data: Annotated[PriorParameters | MixtureParameters | RealData | TableData, Field(discriminator="source")] = Field(
        default=PriorParameters(), description="where the true parameters or the data are from"
    )
    true_structure: str | None = Field(
        default=None,
        description="label of the structure that the data are drawn from; none for a real data set or a table",
    )

    @model_validator(mode="after")
    def _check_structures(self) -> "NetworkSettings":
        try:
            space = self.space
        except ModelError as error:
            raise ValueError(f"structures: {error}") from error
        if (self.true_structure is None) != (isinstance(self.data, RealData | TableData) or self.random is not None):
            raise ValueError(
                "true_structure: needed for drawn data, and not allowed with real data, a table or random networks"
            )
        if self.random is not None and not isinstance(self.data, PriorParameters):
            raise ValueError("data: random networks bring their rows; leave it out")
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
        if self.only and len(set(self.only)) < len(self.only):
            raise ValueError("only: a label is given twice")
        if isinstance(self.data, TableData):
            self._check_columns(self.data)
        elif not isinstance(self.data, PriorParameters) and not isinstance(self.structures, NaiveBayes):
            what = "a real data set needs" if isinstance(self.data, RealData) else "parameters of a mixture need"
            raise ValueError(f"data: {what} structures of the space naive_bayes")
        return self

    def _check_columns(self, data: TableData) -> None:
        """Refuse structures whose observed variables are no columns of the tables."""
        if isinstance(self.structures, Bipartite):
            raise ValueError("data: a table needs structures of the space naive_bayes or listed")
        if isinstance(self.structures, NaiveBayes):
            if self.structures.feature_cardinalities != "data":
                raise ValueError("structures.feature_cardinalities: a table has them; leave them out")
            return
        n_states = dict(zip(data.columns, data.cardinalities, strict=True))
        for name, r in zip(self.truth.names, self.truth.cardinalities, strict=True):
            if name not in n_states:
                raise ValueError(
                    f"structures: {name!r} is no column of {data.paths[0]}, which has "
                    f"{', '.join(map(repr, n_states))[:500]}; name a column, or list the variable under hidden"
                )
            if r < n_states[name]:
                raise ValueError(
                    f"structures: {name!r} has {r} values, and its column in {data.paths[0]} has {n_states[name]}; set "
                    f"its cardinality to {n_states[name]}"
                )

    def check_grid(self, sizes: Sequence[int], published: bool, prior_draws: int) -> None:
        if published and (self.random is not None or not isinstance(self.data, PriorParameters)):
            raise ValueError("replicates.published: only with data from the prior; leave it out")
        if self.random is not None:
            least = LEAST_ROWS.get(self.random.kind, 2)
            if len(sizes) > 1 or sizes[0] < least:
                raise ValueError(f"sizes: random networks have a number of rows of their own; set one, from {least} on")
        if isinstance(self.data, RealData):
            n = DATA_SETS[self.data.name].n
            if prior_draws != 1 or list(sizes) != [n]:
                raise ValueError(
                    f"data: {self.data.name} is one data set of {n} rows; set sizes to [{n}] and prior_draws to 1"
                )
        if isinstance(self.data, TableData):
            if prior_draws != (n_files := len(self.data.paths)):
                raise ValueError(
                    f"replicates.prior_draws: is {prior_draws}, and data names {n_files} "
                    f"{'table' if n_files == 1 else 'tables'}, each a replicate; set it to {n_files}"
                )
            for path, table in zip(self.data.paths, self.data.tables, strict=True):
                if max(sizes) > table.n:
                    raise ValueError(
                        f"sizes: {max(sizes)} is more than the {table.n} rows of {path}; give sizes up to {table.n}"
                    )

    def check_published(self, parameters: Mapping[str, np.ndarray]) -> None:
        truth = self.truth
        given = {name: table.shape for name, table in parameters.items()}
        needed = {name: (truth.n_configurations[i], truth.cardinalities[i]) for i, name in enumerate(truth.names)}
        if given != needed:
            raise ValueError(
                f"true_structure: {self.true_structure} needs tables of shape {needed}, the published parameters have "
                f"{given}"
            )

    @property
    def random(self) -> RandomNetworks | None:
        """Which networks are drawn with the data, if any are."""
        return self.structures if isinstance(self.structures, RandomNetworks) else None

    @property
    def cardinalities(self) -> tuple[int, ...] | None:
        """How many values each variable of a draw can take, hidden ones included; every random network has its own."""
        return None if self.random is not None else self.truth.cardinalities

    @property
    def n_variables(self) -> int:
        return MAX_OBSERVED if self.random is not None else self.truth.n_variables

    @property
    def n_entries(self) -> int:
        """Parameters of the true structure; of a random network the number that it is drawn by."""
        return 1 if self.random is not None else self.truth.n_entries

    @cached_property
    def space(self) -> dict[str, DiscreteNetwork]:
        """Every structure of the space by label."""
        cardinalities = None
        if isinstance(self.data, RealData):
            cardinalities = DATA_SETS[self.data.name].cardinalities
        elif isinstance(self.data, TableData):
            cardinalities = list(self.data.cardinalities)
        return self.structures.networks(cardinalities)

    @cached_property
    def models(self) -> dict[str, DiscreteNetwork]:
        """The structures to score by label."""
        return {label: self.space[label] for label in self.only} if self.only else self.space

    @property
    def columns(self) -> tuple[str, ...]:
        """What the variables of a draw are called; the features of a mixture as the columns of its table."""
        is_mixture = isinstance(self.structures, NaiveBayes)
        return self.data.columns if isinstance(self.data, TableData) and is_mixture else self.truth.names

    @property
    def true_label(self) -> str | None:
        return self.true_structure

    @property
    def truth(self) -> DiscreteNetwork:
        """The structure that the data are drawn from; of data that were not drawn, the observed variables alone."""
        if self.true_structure is None:
            first = next(iter(self.space.values()))
            observed = {first.names[i]: first.cardinalities[i] for i in first.observed}
            return structure_space.naive_bayes_network(1, observed)
        return self.space[str(self.true_structure)]
