"""What the file of a study of mixtures has beside what every study has: items, numbers of classes, missing cells."""

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from ockham import contracts
from ockham.errors import ModelError
from ockham.mixtures import items
from ockham.mixtures.data.study_table import MixedTableData
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.items import binomial, categorical, gaussian, poisson
from ockham.mixtures.items.item import Item

__all__ = ["MixtureSettings"]

KINDS: dict[str, type[Item]] = {
    kind.kind: kind for kind in (items.Binomial, items.Categorical, items.Gaussian, items.Ordered, items.Poisson)
}


def _within(bounds: tuple[float, float], default: float, description: str) -> Any:
    """A number of an item's prior."""
    return Field(default=default, ge=bounds[0], le=bounds[1], description=description)


class Repeated(contracts.Settings):
    """Keys that every kind of item has; the others are the arguments of the kind."""

    copies: int = Field(default=1, ge=1, le=1000, description="how many items alike; called <name>_1, <name>_2, ...")

    def item(self) -> Item:
        """The item that the keys describe."""
        about = self.model_dump(exclude={"copies"})
        return KINDS[about.pop("type")](**about)


class CategoricalItem(Repeated):
    """Categories without an order."""

    type: Literal["categorical"]
    n_values: int = Field(ge=2, le=categorical.MAX_VALUES, description="states")
    concentration: float = _within(categorical.CONCENTRATIONS, 1.0, "Dirichlet hyperparameter of every state")


class OrderedItem(Repeated):
    """Values in an order."""

    type: Literal["ordered"]
    n_values: int = Field(ge=2, le=categorical.MAX_VALUES, description="states")
    concentration: float = _within(
        categorical.CONCENTRATIONS, 2.0, "cases imagined at every decision to stop at a state or go on"
    )


class GaussianItem(Repeated):
    """Numbers, Gaussian in every class."""

    type: Literal["gaussian"]
    centre: float = _within((-gaussian.CENTRES, gaussian.CENTRES), 0.0, "of the means of classes, in the item's unit")
    deviation: float = _within(gaussian.DEVIATIONS, 1.0, "standard deviation expected in a class, in the item's unit")
    mean_weight: float = _within(gaussian.WEIGHTS, 1 / 3, "cells of each class that the centre counts for")
    shape: float = _within(gaussian.SHAPES, 2.0, "half of the cells of each class that the deviation counts for")


class PoissonItem(Repeated):
    """Counts without a bound, Poisson in every class."""

    type: Literal["poisson"]
    mean: float = _within(poisson.MEANS, 1.0, "of the rates of classes")
    shape: float = _within(poisson.SHAPES, 1.0, "of the gamma distribution of rates")


class BinomialItem(Repeated):
    """Counts out of a total, binomial in every class."""

    type: Literal["binomial"]
    total: int = Field(ge=1, le=poisson.MAX_COUNT, description="largest count that there can be")
    concentration: float = _within(
        binomial.CONCENTRATIONS, 1.0, "both parameters of the Beta prior of the share of the total"
    )


AnyItem = Annotated[
    CategoricalItem | OrderedItem | GaussianItem | PoissonItem | BinomialItem, Field(discriminator="type")
]


class MixtureSettings(contracts.FamilySettings):
    """Items, numbers of classes to compare, and the number that rows are drawn from."""

    items: dict[Annotated[str, Field(pattern=f"^{contracts.LABEL}$")], AnyItem] | None = Field(
        default=None, min_length=1, description="name to type and prior of an item, or of several alike, of drawn rows"
    )
    data: MixedTableData | None = Field(
        default=None, description="a table of one's own, whose columns are the items; by default rows are drawn"
    )
    classes: list[Annotated[int, Field(ge=1, le=99)]] = Field(
        min_length=1, description="numbers of classes to compare, increasing"
    )
    true_classes: Annotated[int, Field(ge=1, le=99)] | None = Field(
        default=None, description="classes of the mixture that rows are drawn from; none for a table"
    )
    concentration: float = _within(categorical.CONCENTRATIONS, 1.0, "Dirichlet hyperparameter of every class")
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
        for name, given in (("items", self.items), ("true_classes", self.true_classes)):
            if (given is None) != (self.data is not None):
                raise ValueError(f"{name}: needed for drawn rows, and not allowed with a table, which has its own")
        if self.data is not None and self.missing:
            raise ValueError("missing: is of drawn rows; a table has its own missing cells, leave it out")
        names = [name for given, about in (self.items or {}).items() for name in _names(given, about.copies)]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"items: the name {twice[0]!r} is given twice; rename one")
        try:
            _ = self.truth, self.models
        except ModelError as error:
            raise ValueError(f"items: {error}") from error
        return self

    def check_grid(self, sizes: Sequence[int], published: bool, prior_draws: int) -> None:
        if self.data is not None:
            if published or prior_draws != 1:
                raise ValueError("replicates: data names one table, which is one replicate; give prior_draws: 1")
            if max(sizes) > self.data.table.rows.n:
                n = self.data.table.rows.n
                raise ValueError(f"sizes: {max(sizes)} is more than the {n} rows of {self.data.file}; give up to {n}")
        elif published or not prior_draws:
            raise ValueError("replicates: give prior_draws: 1 or more, and no published ones")

    @cached_property
    def columns(self) -> dict[str, Item]:
        """Every item by its name."""
        if self.data is not None:
            return self.data.table.items
        items = self.items or {}
        return {name: about.item() for given, about in items.items() for name in _names(given, about.copies)}

    @cached_property
    def models(self) -> dict[str, FiniteMixture]:
        """The mixtures to score by label."""
        return {_label(k): FiniteMixture(k, self.columns, self.concentration) for k in self.classes}

    @cached_property
    def truth(self) -> FiniteMixture:
        """The mixture that rows are drawn from; of a table one class."""
        return FiniteMixture(self.true_classes or 1, self.columns, self.concentration)

    @property
    def true_label(self) -> str | None:
        return None if self.true_classes is None else _label(self.true_classes)

    @property
    def n_variables(self) -> int:
        return len(self.columns)

    @property
    def n_entries(self) -> int:
        """Log weights of the classes and natural parameters of the true mixture."""
        return self.truth.n_classes * (1 + self.truth.n_statistics)


def _names(given: str, copies: int) -> list[str]:
    return [given] if copies == 1 else [f"{given}_{copy}" for copy in range(1, copies + 1)]


def _label(n_classes: int) -> str:
    return f"classes-{n_classes}"
