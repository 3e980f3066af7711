"""Priors of classes and items in units of the items, from what a table has."""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from ockham.errors import ConfigError, DataError, ModelError
from ockham.estimation.wording import in_digits
from ockham.io.arguments import real, shown
from ockham.mixtures.items import Binomial, Categorical, Gaussian, Ordered, Poisson
from ockham.mixtures.items.gaussian import SHAPES
from ockham.mixtures.items.item import Item
from ockham.mixtures.items.poisson import MAX_COUNT, refusal_of_counts

__all__ = ["DEFAULT", "MixedPrior", "described", "panel"]

BOUNDS = {"concentration": (1e-6, 1e6), "within": (0.001, 0.999), "rates": (1e-3, 1e6), "shape": SHAPES}
OF_KINDS = {"within": ("gaussian",), "rates": ("poisson",), "shape": ("gaussian",)}
"""Hyperparameters that are of some kinds of items alone."""
OF_CONCENTRATION = "categorical", "ordered", "binomial"
AS_NUMBER = "take it as a number, which is Gaussian in every class (--items NAME=gaussian)"
OTHER_UNIT = "give the column in another unit, such as thousands, or take logarithms"


class MixedPrior(NamedTuple):
    """Hyperparameters of class sizes and of items of every kind; those of kinds that a table lacks count for nothing.

    Attributes
    ----------
    concentration : float
        Cases imagined in every class, and for every category or outcome of an item in every class; at every decision
        of an ordered item two times as many, so that two values are those of a category.
    within : float
        Standard deviation expected inside a class, as a share of the item's. The means of classes have what is left of
        its variance, so that at the expected precision a table from the prior is as wide as the one that is given.
    rates : float
        Shape of the gamma distribution of rates around the item's mean; their standard deviation is the mean over the
        root of the shape.
    shape : float
        Of the inverse gamma distribution of the variance of numbers in a class: half of the cells in each class that
        ``within`` counts for.
    """

    concentration: float = 1.0
    within: float = 0.5
    rates: float = 1.0
    shape: float = 2.0

    @classmethod
    def of(cls, given: object) -> "MixedPrior":
        """From a number, which is the concentration, or a text such as ``within=0.25,rates=2``.

        Raises
        ------
        ConfigError
            For anything else.
        """
        if isinstance(given, MixedPrior):
            return cls(*(real(value, name, *BOUNDS[name], ConfigError) for name, value in given._asdict().items()))
        parts = given.split(",") if isinstance(given, str) else [given]
        found: dict[str, float] = {}
        for part in parts:
            name, value = "concentration", part
            if isinstance(part, str):
                first, equals, last = part.partition("=")
                name, value = (first.strip(), last) if equals else (name, first)
                try:
                    value = float(value)
                except ValueError:
                    value = None
            if name not in BOUNDS or name in found or value is None:
                raise ConfigError(
                    f"prior: {shown(given)} is no number and no text such as 'within=0.25,rates=2', of "
                    f"{', '.join(BOUNDS)}, which a table with numbers or counts takes"
                )
            found[name] = real(value, f"prior: {name}", *BOUNDS[name], ConfigError)
        return cls(**found)

    @property
    def name(self) -> str:
        """As results have it."""
        return ", ".join(f"{name} {in_digits(value)}" for name, value in self._asdict().items())

    @classmethod
    def named(cls, name: str) -> "MixedPrior":
        """That has this name.

        Raises
        ------
        ConfigError
            Where none has.
        """
        found = cls.of(",".join("=".join(part.rsplit(" ", 1)) for part in name.split(", ")))
        if found.name != name:
            raise ConfigError(f"prior: {shown(name)} is the name of none")
        return found

    def item(
        self, kind: str, column: np.ndarray, counts: np.ndarray, n_values: int, place: str, total: int | None = None
    ) -> Item:
        """An item of this kind for a column, NaN where a cell is missing, of rows that occur so often.

        The ``total`` of a binomial one is by default the largest count.

        Raises
        ------
        DataError
            With the place and the remedy, for a column that is none of this kind.
        ConfigError
            For a concentration that items of this kind do not take.
        """
        known = ~np.isnan(column)
        cells, weights = column[known], counts[known]
        problem = None
        if kind in ("poisson", "binomial"):
            problem = refusal_of_counts(cells, MAX_COUNT, AS_NUMBER)
        if problem:
            raise DataError(f"{place}: {problem}")
        try:
            if kind == "categorical":
                return Categorical(n_values, self.concentration)
            if kind == "ordered":
                return Ordered(n_values, 2 * self.concentration)
            if kind == "binomial":
                return Binomial(int(cells.max()) if total is None else total, self.concentration)
            centre, deviation = _moments(cells, weights)
            if kind == "poisson":
                return Poisson(centre, self.rates)
            return Gaussian(centre, self.within * deviation, self.within**2 / (1 - self.within**2), self.shape)
        except ModelError as error:
            if kind in OF_CONCENTRATION:
                raise ConfigError(
                    f"prior: concentration {self.concentration:g} is none for {place}, which is {kind} ({error})"
                ) from None
            raise DataError(
                f"{place}: is too large or too small for a prior in its unit ({error}); {OTHER_UNIT}"
            ) from None


DEFAULT = MixedPrior()


def panel(kinds: Collection[str], first: MixedPrior = DEFAULT) -> list[MixedPrior]:
    """One, and others that differ in one hyperparameter of those that these kinds of items have."""
    others = {"concentration": (0.5,), "within": (0.25, 0.75), "rates": (2.0,), "shape": (1.0,)}
    return [first] + [
        first._replace(**{name: value})
        for name, values in others.items()
        if name not in OF_KINDS or set(OF_KINDS[name]) & set(kinds)
        for value in values
        if getattr(first, name) != value
    ]


def described(item: Item) -> str:
    """An item's prior in the unit of the item."""
    if isinstance(item, Gaussian):
        of_means = item.deviation / item.mean_weight**0.5
        return (
            f"means of classes around {item.centre:.4g} with a standard deviation of about {of_means:.3g}, standard "
            f"deviation inside a class about {item.deviation:.3g} (shape {item.shape:g})"
        )
    if isinstance(item, Poisson):
        return f"rates of classes around {item.mean:.4g} with a standard deviation of {item.mean / item.shape**0.5:.3g}"
    if isinstance(item, Binomial):
        return f"counts out of {item.total:,}, Beta parameters {item.concentration:g}"
    return f"{item.n_statistics} states, concentration {getattr(item, 'concentration', 1.0):g}"


def _moments(cells: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    """Mean and standard deviation of cells that occur so often, also where their squares are beyond all numbers."""
    unit = float(np.abs(cells).max()) or 1.0
    scaled = cells / unit
    mean = float(np.average(scaled, weights=weights))
    return unit * mean, unit * float(np.sqrt(np.average((scaled - mean) ** 2, weights=weights)))
