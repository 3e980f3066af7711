"""Finite mixtures: rows of latent classes, whose items, of whatever kinds, are independent given the class."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from math import factorial, inf
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ockham.contracts import NO_DOUBT, Doubt
from ockham.errors import ModelError
from ockham.estimation.completion_annealing import SPARSER
from ockham.estimation.doubting import SPARSE
from ockham.estimation.special_functions import log_gamma
from ockham.io.arguments import real, whole
from ockham.mixtures import dirichlet
from ockham.mixtures.items.categorical import CONCENTRATIONS
from ockham.mixtures.items.item import Item, checked_items

__all__ = ["MAX_CLASSES", "FiniteMixture", "Parameters", "Sums"]

MAX_CLASSES = 1000
MAX_STATISTICS = 10**6
"""Of all items together times the classes."""


class Sums(NamedTuple):
    """Sufficient statistics of completed rows, of any leading shape.

    Attributes
    ----------
    cases : ndarray, shape (..., n_classes)
        Rows in each class.
    items : ndarray, shape (..., n_classes, n_statistics)
        Sums of the statistics of the items, one item after another.
    """

    cases: np.ndarray
    items: np.ndarray


class Parameters(NamedTuple):
    """Parameters of a mixture, of any leading shape.

    Attributes
    ----------
    log_weights : ndarray, shape (..., n_classes)
        Logs of the probabilities of the classes.
    natural : ndarray, shape (..., n_classes, n_statistics)
        Natural parameters of the items in each class, one item after another.
    """

    log_weights: np.ndarray
    natural: np.ndarray


@dataclass(frozen=True)
class FiniteMixture:
    """How many classes, the items with their priors, and the prior of the probabilities of the classes.

    Attributes
    ----------
    n_classes : int
        K.
    items : mapping of str to Item
        By name, in the order of the columns of the data.
    concentration : float
        Dirichlet hyperparameter of every class.
    """

    family_name: ClassVar[str] = "finite_mixture"
    n_classes: int
    items: Mapping[str, Item]
    concentration: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_classes", whole(self.n_classes, "n_classes", 1, MAX_CLASSES, ModelError))
        given = real(self.concentration, "concentration", *CONCENTRATIONS, ModelError)
        object.__setattr__(self, "concentration", given)
        object.__setattr__(self, "items", MappingProxyType(checked_items(self.items)))
        if self.n_classes * self.n_statistics > MAX_STATISTICS:
            raise ModelError(
                f"{self.n_classes:,} classes of {self.n_statistics:,} statistics, over {MAX_STATISTICS:,} together: "
                "take fewer classes or items"
            )

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all that the evidence depends on; names of items are no part of it."""
        about = self.n_classes, self.concentration, [repr(item) for item in self.items.values()]
        return hashlib.sha256(repr(about).encode()).hexdigest()

    @property
    def n_parameters(self) -> int:
        """Free parameters d(m)."""
        return self.n_classes - 1 + self.n_classes * sum(item.n_parameters for item in self.items.values())

    @property
    def n_aliases(self) -> int:
        """S, relabellings of the classes, which leave likelihood and prior as they are: K!."""
        return factorial(self.n_classes)

    @cached_property
    def n_statistics(self) -> int:
        """Of all items together."""
        return sum(item.n_statistics for item in self.items.values())

    @cached_property
    def smallest_hyperparameter(self) -> float:
        """Of the priors of classes and items; inf for one class, whose evidence has a closed form."""
        of_items = (item.smallest_hyperparameter for item in self.items.values())
        return min(self.concentration, *of_items) if self.n_classes > 1 else inf

    @property
    def doubt_of_chains(self) -> Doubt:
        """What speaks against all that rests on chains: under sparse priors hardly any comes to modes in corners."""
        return Doubt.NOT_MIXED if self.smallest_hyperparameter < SPARSE else NO_DOUBT

    @property
    def doubt_of_completions(self) -> Doubt:
        """What speaks against all that moves classes of rows alone: hardly any come to a class that one row is in."""
        return Doubt.NOT_MIXED if self.smallest_hyperparameter < SPARSER else NO_DOUBT

    @cached_property
    def slices(self) -> tuple[tuple[Item, slice], ...]:
        """Every item with the place of its statistics."""
        ends = np.cumsum([item.n_statistics for item in self.items.values()]).tolist()
        starts = [0, *ends[:-1]]
        return tuple((item, slice(a, b)) for item, a, b in zip(self.items.values(), starts, ends, strict=True))

    @cached_property
    def groups(self) -> tuple[tuple[Item, np.ndarray], ...]:
        """Items alike in standard units, with the places of their statistics, shape (n_alike, n_statistics_of_each)."""
        found: dict[Item, list[np.ndarray]] = {}
        for item, at in self.slices:
            found.setdefault(item.standard, []).append(np.arange(at.start, at.stop))
        return tuple((item, np.array(places)) for item, places in found.items())

    @cached_property
    def weights_prior(self) -> np.ndarray:
        """Hyperparameters of the classes, shape (n_classes,)."""
        return np.full(self.n_classes, self.concentration)

    @property
    def nothing(self) -> Sums:
        """The sums of no row."""
        return Sums(np.zeros(self.n_classes), np.zeros((self.n_classes, self.n_statistics)))

    def log_marginal(self, sums: Sums) -> np.ndarray:
        """Evidence of completed rows but for the base measures of their cells, nats, shape (...,)."""
        of_classes = self.log_marginal_of_class(sums.cases, sums.items).sum(axis=-1)
        return of_classes + self.log_marginal_of_weights(sums.cases.sum(axis=-1))

    def log_marginal_of_class(self, cases: np.ndarray, items: np.ndarray) -> np.ndarray:
        """What a class with so many rows, shape (...,), and the sums of its items contribute to it, nats, (...,)."""
        found = log_gamma(self.concentration + cases) - log_gamma(np.array(self.concentration))
        for item, places in self.groups:
            found = found + item.log_marginal(items[..., places]).sum(axis=-1)
        return found

    def log_marginal_of_weights(self, n: np.ndarray | float) -> np.ndarray:
        """What the number of all rows contributes to it, nats."""
        total = np.array(self.n_classes * self.concentration)
        return log_gamma(total) - log_gamma(total + n)

    def log_prior(self, parameters: Parameters) -> np.ndarray:
        """Log density of the prior in the bases of the items, nats, shape (...,)."""
        found = dirichlet.log_density(self.weights_prior, parameters.log_weights)
        for item, places in self.groups:
            found = found + item.log_prior(parameters.natural[..., places]).sum(axis=(-2, -1))
        return found

    def mode(self, sums: Sums) -> Parameters:
        """Parameters at the mode of the prior updated by the sums, in the bases of the items."""
        return self._parameters(dirichlet.mode(self.weights_prior, sums.cases), sums, lambda item: item.mode)

    def sample(self, sums: Sums, rng: np.random.Generator) -> Parameters:
        """One draw from the prior updated by each of the sums."""
        log_weights = dirichlet.sample(self.weights_prior, sums.cases, rng)
        return self._parameters(log_weights, sums, lambda item: partial(item.sample, rng=rng))

    def log_joint(self, parameters: Parameters, sums: Sums) -> np.ndarray:
        """ln p(completed rows | parameters) but for base measures, nats: parameters times sums."""
        cases = (parameters.log_weights * sums.cases).sum(axis=-1)
        found: np.ndarray = cases + (parameters.natural * sums.items).sum(axis=(-2, -1))
        return found

    def _parameters(
        self, log_weights: np.ndarray, sums: Sums, method: Callable[[Item], Callable[[np.ndarray], np.ndarray]]
    ) -> Parameters:
        """What a method of the items makes of their sums."""
        natural = np.empty(sums.items.shape)
        for item, places in self.groups:
            natural[..., places] = method(item)(sums.items[..., places])
        return Parameters(log_weights, natural)

    def __reduce__(self) -> tuple[Any, ...]:  # a mapping proxy cannot be pickled
        return FiniteMixture, (self.n_classes, dict(self.items), self.concentration)
