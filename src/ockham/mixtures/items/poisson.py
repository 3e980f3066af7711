"""Items whose cells are counts without a bound, Poisson in every class, with a gamma prior."""

from dataclasses import dataclass
from math import log
from typing import ClassVar

import numpy as np

from ockham.errors import ModelError
from ockham.estimation.special_functions import log_gamma
from ockham.io.arguments import real
from ockham.mixtures.items.item import Conjugate, Item
from ockham.mixtures.special import log_factorial, sample_log_gamma

__all__ = ["MAX_COUNT", "Poisson", "refusal_of_counts"]

MAX_COUNT = 1_000_000
"""Of a cell; beyond, ln Gamma of sums of counts loses digits that evidences are made of."""
MEANS, SHAPES = (1e-6, 1e6), (1e-3, 1e6)


@dataclass(frozen=True)
class Poisson(Item):
    """Counts; rates are gamma distributed around ``mean``. t(x) is 1 and x, and phi are minus the rate and its log.

    Attributes
    ----------
    mean : float
        Of the rates of classes, in counts.
    shape : float
        Of their gamma distribution: with 1, rates have a standard deviation of ``mean``.

    Notes
    -----
    The prior's density is in the basis of the log rate, in which its mode is the mean.
    """

    kind: ClassVar[str] = "poisson"
    mean: float = 1.0
    shape: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", real(self.mean, "mean", *MEANS, ModelError))
        object.__setattr__(self, "shape", real(self.shape, "shape", *SHAPES, ModelError))

    @property
    def n_statistics(self) -> int:
        return 2

    @property
    def n_parameters(self) -> int:
        return 1

    @property
    def smallest_hyperparameter(self) -> float:
        return self.shape

    @property
    def conjugate(self) -> tuple[Conjugate, tuple[float, ...]]:
        return Conjugate.POISSON, (self.shape, self._rate)

    def refusal(self, cells: np.ndarray) -> str | None:
        return refusal_of_counts(cells, MAX_COUNT, "take it as a number, which is Gaussian in every class")

    def statistics(self, cells: np.ndarray) -> np.ndarray:
        return np.stack([np.ones(len(cells)), cells], axis=-1)

    def log_base(self, cells: np.ndarray) -> np.ndarray:
        return -log_factorial(cells)

    def log_marginal(self, sums: np.ndarray) -> np.ndarray:
        shape, rate = self._updated(sums)
        before = self.shape * log(self._rate) - log_gamma(np.array(self.shape))
        found: np.ndarray = before - shape * np.log(rate) + log_gamma(shape)
        return found

    def mode(self, sums: np.ndarray) -> np.ndarray:
        shape, rate = self._updated(sums)
        return np.stack([-shape / rate, np.log(shape / rate)], axis=-1)

    def log_prior(self, natural: np.ndarray) -> np.ndarray:
        constant = self.shape * log(self._rate) - log_gamma(np.array(self.shape))
        return np.asarray(constant + self.shape * natural[..., 1] + self._rate * natural[..., 0])

    def jacobian(self, natural: np.ndarray) -> np.ndarray:
        return np.stack([natural[..., 0], np.ones(natural.shape[:-1])], axis=-1)[..., None]

    def information(self, natural: np.ndarray, sums: np.ndarray) -> np.ndarray:
        _, rate = self._updated(sums)
        found: np.ndarray = (-natural[..., 0] * rate)[..., None, None]
        return found

    def sample(self, sums: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        shape, rate = self._updated(sums)
        log_rate = sample_log_gamma(shape, rng) - np.log(rate)
        return np.stack([-np.exp(log_rate), log_rate], axis=-1)

    def sample_cells(self, natural: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return rng.poisson(-natural[:, 0]).astype(np.float64)

    @property
    def _rate(self) -> float:
        """Of the prior's gamma distribution."""
        return self.shape / self.mean

    def _updated(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Shape and rate after cells with these sums."""
        return self.shape + sums[..., 1], self._rate + sums[..., 0]


def refusal_of_counts(cells: np.ndarray, most: int, remedy: str) -> str | None:
    """Why cells are no counts from 0 to ``most``; None where they are."""
    if (cells < 0).any() or (cells != np.floor(cells)).any():
        bad = (cells < 0) | (cells != np.floor(cells))
        return f"holds {cells[bad][0]:g}, which is no count; give whole numbers from 0 on, or take it as a number"
    if (cells > most).any():
        return f"holds {cells[cells > most][0]:g}, and counts go to {most:,}; {remedy}"
    return None
