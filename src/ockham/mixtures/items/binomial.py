"""Items whose cells are counts out of a total, binomial in every class, with a symmetric Beta prior."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ockham.errors import ModelError
from ockham.io.arguments import real, whole
from ockham.mixtures.items.dirichlet_item import DirichletItem
from ockham.mixtures.items.item import Conjugate
from ockham.mixtures.items.poisson import MAX_COUNT, refusal_of_counts
from ockham.mixtures.special import log_factorial

__all__ = ["Binomial"]

CONCENTRATIONS = 1e-3, 1e6


@dataclass(frozen=True)
class Binomial(DirichletItem):
    """Counts out of ``total``, the same in every row; t(x) is x and total - x, and phi are ln p and ln(1 - p).

    Attributes
    ----------
    total : int
    concentration : float
        Both parameters of the Beta prior of p in each class; with 1 it is uniform.
    """

    kind: ClassVar[str] = "binomial"
    total: int
    concentration: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", whole(self.total, "total", 1, MAX_COUNT, ModelError))
        given = real(self.concentration, "concentration", *CONCENTRATIONS, ModelError)
        object.__setattr__(self, "concentration", given)

    @property
    def n_statistics(self) -> int:
        return 2

    @property
    def n_parameters(self) -> int:
        return 1

    @property
    def conjugate(self) -> tuple[Conjugate, tuple[float, ...]]:
        return Conjugate.DIRICHLET, (self.concentration,)

    def refusal(self, cells: np.ndarray) -> str | None:
        return refusal_of_counts(cells, self.total, "give the item's total, or take it as poisson")

    def statistics(self, cells: np.ndarray) -> np.ndarray:
        return np.stack([cells, self.total - cells], axis=-1)

    def log_base(self, cells: np.ndarray) -> np.ndarray:
        return log_factorial(np.array(self.total)) - log_factorial(cells) - log_factorial(self.total - cells)

    def sample_cells(self, natural: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return rng.binomial(self.total, np.exp(natural[:, 0])).astype(np.float64)

    @property
    def prior(self) -> np.ndarray:
        return np.full(2, self.concentration)
