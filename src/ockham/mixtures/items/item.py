"""What a kind of item is: an exponential family with a conjugate prior whose integrals have closed forms.

A cell x has ln p(x | phi) = t(x) . phi + ln h(x), with statistics t of x and natural parameters phi. Completed data
enter as sums S of the statistics over the cells of a class, and a prior updated by S is a distribution of the same
form. So rows times classes are one matrix product for items of all kinds, and everything below takes arrays of any
leading shape, such as (n_classes,) or (n_chains, n_classes), whose last axis has the statistics.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from enum import IntEnum
from typing import Any, ClassVar

import numpy as np

from ockham.errors import DataError, ModelError
from ockham.io.arguments import shown, text

__all__ = ["Conjugate", "Item", "checked_items"]


class Conjugate(IntEnum):
    """What a prior is updated like, as kernels/mixture.pxd numbers it."""

    DIRICHLET = 0
    ORDERED = 1
    GAUSSIAN = 2
    POISSON = 3


class Item(ABC):
    """A kind of item with the hyperparameters of its prior.

    Attributes
    ----------
    kind : str
        As study files have it in ``type``.
    """

    kind: ClassVar[str]

    @property
    def standard(self) -> "Item":
        """The item in units in which its statistics are: items that share it are computed at once."""
        return self

    @property
    @abstractmethod
    def n_statistics(self) -> int:
        """Numbers in t(x), and in phi."""

    @property
    @abstractmethod
    def n_parameters(self) -> int:
        """Free parameters in one class."""

    @property
    @abstractmethod
    def smallest_hyperparameter(self) -> float:
        """Of the Dirichlet, beta or gamma prior; the smaller, the more of its mass lies in corners."""

    @property
    @abstractmethod
    def conjugate(self) -> tuple[Conjugate, tuple[float, ...]]:
        """How the prior is updated, and its hyperparameters, as kernels/conjugate.pxd has them."""

    @abstractmethod
    def refusal(self, cells: np.ndarray) -> str | None:
        """Why cells that are not missing, shape (n,), are none of this item, and the remedy; None where they are."""

    def uninformative(self, cells: np.ndarray) -> str | None:
        """Why cells of a whole table, shape (n,), say nothing of classes, and the remedy; None where they may."""
        return None

    @abstractmethod
    def statistics(self, cells: np.ndarray) -> np.ndarray:
        """t(x) of cells that are not missing, shape (n, n_statistics)."""

    @abstractmethod
    def log_base(self, cells: np.ndarray) -> np.ndarray:
        """ln h(x), nats, shape (n,)."""

    @abstractmethod
    def log_marginal(self, sums: np.ndarray) -> np.ndarray:
        """ln of the integral of exp(S . phi) over the prior, nats: the evidence of the cells but for ln h."""

    @abstractmethod
    def mode(self, sums: np.ndarray) -> np.ndarray:
        """phi at the mode of the prior updated by S, in the basis of ``log_prior``, where there is always one."""

    @abstractmethod
    def log_prior(self, natural: np.ndarray) -> np.ndarray:
        """Log prior density of phi, in a basis without bounds, in which the kind of item says its density is; nats."""

    @abstractmethod
    def jacobian(self, natural: np.ndarray) -> np.ndarray:
        """Derivatives of phi by the coordinates of this basis, shape (..., n_statistics, n_parameters)."""

    @abstractmethod
    def information(self, natural: np.ndarray, sums: np.ndarray) -> np.ndarray:
        """Minus the Hessian of ``log_prior`` plus S . phi in this basis, shape (..., n_parameters, n_parameters)."""

    @abstractmethod
    def sample(self, sums: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """One draw of phi from the prior updated by each S."""

    @abstractmethod
    def sample_cells(self, natural: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """A cell for each phi, shape (n, n_statistics); more of the same stream begin with the fewer."""

    def check(self, cells: np.ndarray, place: str) -> None:
        """Raise a DataError, which names the place, for cells that are none of this item; NaN is missing."""
        known = cells[~np.isnan(cells)]
        problem = None if not known.size else self.refusal(known)
        if problem:
            raise DataError(f"{place}: {problem}")


def checked_items(items: Any) -> dict[str, Item]:
    """Items by name, at least one; a ModelError for anything else."""
    if not isinstance(items, Mapping) or not items:
        raise ModelError(f"items: {shown(items)} must map at least one name to an item, such as Gaussian()")
    for name, item in items.items():
        text(name, "items: a name", ModelError)
        if not isinstance(item, Item):
            raise ModelError(f"items.{name}: {shown(item)} is no item, such as Categorical(3) or Gaussian()")
    return dict(items)
