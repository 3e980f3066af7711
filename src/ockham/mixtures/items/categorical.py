"""Items whose cells are categories without an order, with a symmetric Dirichlet prior."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ockham.errors import ModelError
from ockham.io.arguments import real, whole
from ockham.mixtures.items.dirichlet_item import DirichletItem
from ockham.mixtures.items.item import Conjugate

__all__ = ["Categorical", "sample_states"]

MAX_VALUES = 1000
CONCENTRATIONS = 1e-10, 1e6


@dataclass(frozen=True)
class Categorical(DirichletItem):
    """States 0 to ``n_values`` - 1; t(x) says which it is, and phi are the logs of their probabilities.

    Attributes
    ----------
    n_values : int
    concentration : float
        Dirichlet hyperparameter of every state: cases that are imagined in each, in each class.
    """

    kind: ClassVar[str] = "categorical"
    n_values: int
    concentration: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_values", whole(self.n_values, "n_values", 2, MAX_VALUES, ModelError))
        given = real(self.concentration, "concentration", *CONCENTRATIONS, ModelError)
        object.__setattr__(self, "concentration", given)

    @property
    def n_statistics(self) -> int:
        return self.n_values

    @property
    def n_parameters(self) -> int:
        return self.n_values - 1

    @property
    def conjugate(self) -> tuple[Conjugate, tuple[float, ...]]:
        return Conjugate.DIRICHLET, (self.concentration,)

    def refusal(self, cells: np.ndarray) -> str | None:
        bad = (cells < 0) | (cells >= self.n_values) | (cells != np.floor(cells))
        if not bad.any():
            return None
        return f"holds {cells[bad][0]:g}, which is no state from 0 to {self.n_values - 1}; code the states as 0, 1, ..."

    def statistics(self, cells: np.ndarray) -> np.ndarray:
        found: np.ndarray = (cells[:, None] == np.arange(self.n_values)).astype(np.float64)
        return found

    def log_base(self, cells: np.ndarray) -> np.ndarray:
        return np.zeros(len(cells))

    def sample_cells(self, natural: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return sample_states(natural, rng)

    @property
    def prior(self) -> np.ndarray:
        return np.full(self.n_values, self.concentration)


def sample_states(natural: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A state by the logs of its probabilities in each row, shape (n,)."""
    below = np.cumsum(np.exp(natural[:, :-1]), axis=1)
    found: np.ndarray = (rng.random(len(natural))[:, None] > below).sum(axis=1).astype(np.float64)
    return found
