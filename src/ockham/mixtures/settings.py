"""What the file of a study of mixtures has beside what every study has: items, numbers of classes, missing cells."""

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from ockham import contracts
from ockham.errors import ModelError
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.items import binomial, categorical, gaussian, ordered, poisson
from ockham.mixtures.items.item import Item

__all__ = ["MixtureSettings"]


class Repeated(contracts.Settings):
    """Keys that every kind of item has."""

    copies: int = Field(default=1, ge=1, le=1000, description="how many items alike; called <name>_1, <name>_2, ...")


class CategoricalItem(Repeated):
    """Categories without an order."""

    type: Literal["categorical"]
    n_values: int = Field(ge=2, le=categorical.MAX_VALUES, description="states")
    concentration: float = Field(
        default=1.0, ge=categorical.CONCENTRATIONS[0], le=categorical.CONCENTRATIONS[1],
        description="Dirichlet hyperparameter of every state",
    )  # fmt: skip

    def item(self) -> Item:
        return categorical.Categorical(self.n_values, self.concentration)


class OrderedItem(Repeated):
    """Values in an order."""

    type: Literal["ordered"]
    n_values: int = Field(ge=2, le=categorical.MAX_VALUES, description="states")
    concentration: float = Field(
        default=2.0, ge=categorical.CONCENTRATIONS[0], le=categorical.CONCENTRATIONS[1],
        description="cases imagined at every decision to stop at a state or go on",
    )  # fmt: skip

    def item(self) -> Item:
        return ordered.Ordered(self.n_values, self.concentration)


class GaussianItem(Repeated):
    """Numbers, Gaussian in every class."""

    type: Literal["gaussian"]
    centre: float = Field(
        default=0.0, ge=-gaussian.CENTRES, le=gaussian.CENTRES,
        description="of the means of classes, in the item's unit",
    )  # fmt: skip
    deviation: float = Field(
        default=1.0, ge=gaussian.DEVIATIONS[0], le=gaussian.DEVIATIONS[1],
        description="standard deviation expected in a class, in the item's unit",
    )  # fmt: skip
    mean_weight: float = Field(
        default=1 / 3, ge=gaussian.WEIGHTS[0], le=gaussian.WEIGHTS[1],
        description="cells of each class that the centre counts for",
    )  # fmt: skip
    shape: float = Field(
        default=2.0, ge=gaussian.SHAPES[0], le=gaussian.SHAPES[1],
        description="half of the cells of each class that the deviation counts for",
    )  # fmt: skip

    def item(self) -> Item:
        return gaussian.Gaussian(self.centre, self.deviation, self.mean_weight, self.shape)


class PoissonItem(Repeated):
    """Counts without a bound, Poisson in every class."""

    type: Literal["poisson"]
    mean: float = Field(default=1.0, ge=poisson.MEANS[0], le=poisson.MEANS[1], description="of the rates of classes")
    shape: float = Field(
        default=1.0, ge=poisson.SHAPES[0], le=poisson.SHAPES[1], description="of the gamma distribution of rates"
    )

    def item(self) -> Item:
        return poisson.Poisson(self.mean, self.shape)


class BinomialItem(Repeated):
    """Counts out of a total, binomial in every class."""

    type: Literal["binomial"]
    total: int = Field(ge=1, le=poisson.MAX_COUNT, description="largest count that there can be")
    concentration: float = Field(
        default=1.0, ge=binomial.CONCENTRATIONS[0], le=binomial.CONCENTRATIONS[1],
        description="both parameters of the Beta prior of the share of the total",
    )  # fmt: skip

    def item(self) -> Item:
        return binomial.Binomial(self.total, self.concentration)


AnyItem = Annotated[
    CategoricalItem | OrderedItem | GaussianItem | PoissonItem | BinomialItem, Field(discriminator="type")
]


class MixtureSettings(contracts.FamilySettings):
    """Items, numbers of classes to compare, and the number that rows are drawn from."""

    items: dict[Annotated[str, Field(pattern=f"^{contracts.LABEL}$")], AnyItem] = Field(
        min_length=1, description="name to type and prior of an item, or of several alike"
    )
    classes: list[Annotated[int, Field(ge=1, le=99)]] = Field(
        min_length=1, description="numbers of classes to compare, increasing"
    )
    true_classes: int = Field(ge=1, le=99, description="classes of the mixture that rows are drawn from")
    concentration: float = Field(
        default=1.0, ge=categorical.CONCENTRATIONS[0], le=categorical.CONCENTRATIONS[1],
        description="Dirichlet hyperparameter of every class",
    )  # fmt: skip
    missing: float = Field(
        default=0.0, ge=0, lt=1, description="share of the cells that are missing, each with this probability"
    )

    @field_validator("classes")
    @classmethod
    def _ascending(cls, classes: list[int]) -> list[int]:
        if sorted(set(classes)) != classes:
            raise ValueError("numbers of classes must increase")
        return classes

    @model_validator(mode="after")
    def _sound(self) -> "MixtureSettings":
        names = [name for given, about in self.items.items() for name in _names(given, about.copies)]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"items: the name {twice[0]!r} is given twice; rename one")
        try:
            _ = self.truth, self.models
        except ModelError as error:
            raise ValueError(f"items: {error}") from error
        return self

    def check_grid(self, sizes: Sequence[int], published: bool, prior_draws: int) -> None:
        if published or not prior_draws:
            raise ValueError("replicates: give prior_draws: 1 or more, and no published ones")

    @cached_property
    def columns(self) -> dict[str, Item]:
        """Every item by its name."""
        return {name: about.item() for given, about in self.items.items() for name in _names(given, about.copies)}

    @cached_property
    def models(self) -> dict[str, FiniteMixture]:
        """The mixtures to score by label."""
        return {_label(k): FiniteMixture(k, self.columns, self.concentration) for k in self.classes}

    @cached_property
    def truth(self) -> FiniteMixture:
        """The mixture that rows are drawn from."""
        return FiniteMixture(self.true_classes, self.columns, self.concentration)

    @property
    def true_label(self) -> str:
        return _label(self.true_classes)

    @property
    def n_variables(self) -> int:
        return len(self.columns)

    @property
    def n_entries(self) -> int:
        """Log weights of the classes and natural parameters of the true mixture."""
        return self.true_classes * (1 + self.truth.n_statistics)


def _names(given: str, copies: int) -> list[str]:
    return [given] if copies == 1 else [f"{given}_{copy}" for copy in range(1, copies + 1)]


def _label(n_classes: int) -> str:
    return f"classes-{n_classes}"
