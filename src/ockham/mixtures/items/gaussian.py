"""Items whose cells are numbers, Gaussian in every class, with a normal-inverse-gamma prior."""

from dataclasses import dataclass
from math import log, pi
from typing import ClassVar

import numpy as np

from ockham.errors import ModelError
from ockham.estimation.special_functions import log_gamma
from ockham.io.arguments import real
from ockham.mixtures.items.item import Conjugate, Item
from ockham.mixtures.special import sample_log_gamma

__all__ = ["Gaussian"]

DEVIATIONS, CENTRES = (1e-150, 1e150), 1e300
SHAPES, WEIGHTS = (0.1, 1e6), (1e-6, 1e6)
FARTHEST = 1e5
"""Deviations from the centre, beyond which sums of squares lose the digits that variances in classes are made of."""


@dataclass(frozen=True)
class Gaussian(Item):
    """Numbers, in units of their own: mu | s2 ~ N(centre, s2 / mean_weight), s2 ~ IG(shape, shape deviation^2).

    Inside, cells are z = (x - centre) / deviation: t(x) is 1, z and z^2, and phi are -mu^2 / 2 s2 - ln(2 pi s2) / 2,
    mu / s2 and -1 / 2 s2.

    Attributes
    ----------
    centre : float
        Where the means of classes lie around.
    deviation : float
        What the standard deviation inside a class is expected to be, as the precision's mean is 1 / deviation^2.
    mean_weight : float
        Cells in each class that the centre counts for; with 1/3, the means of classes have three times the variance
        that is inside of a class, and the item as a whole twice the ``deviation``.
    shape : float
        Half of the cells in each class that ``deviation`` counts for.

    Notes
    -----
    The prior's density is in the basis of mu and ln s2, in units of ``deviation``.
    """

    kind: ClassVar[str] = "gaussian"
    centre: float = 0.0
    deviation: float = 1.0
    mean_weight: float = 1 / 3
    shape: float = 2.0

    def __post_init__(self) -> None:
        bounds = {"centre": (-CENTRES, CENTRES), "deviation": DEVIATIONS, "mean_weight": WEIGHTS, "shape": SHAPES}
        for name, (least, most) in bounds.items():
            object.__setattr__(self, name, real(getattr(self, name), name, least, most, ModelError))

    @property
    def standard(self) -> "Gaussian":
        return Gaussian(0.0, 1.0, self.mean_weight, self.shape)

    @property
    def n_statistics(self) -> int:
        return 3

    @property
    def n_parameters(self) -> int:
        return 2

    @property
    def smallest_hyperparameter(self) -> float:
        return self.shape

    @property
    def conjugate(self) -> tuple[Conjugate, tuple[float, ...]]:
        return Conjugate.GAUSSIAN, (self.mean_weight, self.shape, self.shape, self.shape + 0.5)

    def refusal(self, cells: np.ndarray) -> str | None:
        if not np.isfinite(cells).all():
            return "holds an infinite number; make it missing, or correct it"
        scaled = np.abs(self._scaled(cells))
        if (scaled > FARTHEST).any():
            return (
                f"holds {cells[scaled > FARTHEST][0]:g}, more than {FARTHEST:g} times the deviation {self.deviation:g} "
                f"away from the centre {self.centre:g}; give centre and deviation in the unit of the item, or take "
                "logarithms"
            )
        return None

    def uninformative(self, cells: np.ndarray) -> str | None:
        if len(cells) > 1 and np.ptp(cells) <= np.abs(cells).max() * 8 * np.finfo(float).eps:
            return f"is constant, {cells[0]:g} in every row, so it says nothing of classes; leave it out"
        return None

    def statistics(self, cells: np.ndarray) -> np.ndarray:
        scaled = self._scaled(cells)
        return np.stack([np.ones(len(cells)), scaled, scaled**2], axis=-1)

    def log_base(self, cells: np.ndarray) -> np.ndarray:
        return np.full(len(cells), -log(self.deviation))

    def log_marginal(self, sums: np.ndarray) -> np.ndarray:
        weight, _, shape, rate = self._updated(sums)
        found: np.ndarray = (
            0.5 * np.log(self.mean_weight / weight) - 0.5 * log(2 * pi) * sums[..., 0]
            + self.shape * log(self.shape) - shape * np.log(rate)
            + log_gamma(shape) - log_gamma(np.array(self.shape))
        )  # fmt: skip
        return found

    def mode(self, sums: np.ndarray) -> np.ndarray:
        _, mean, shape, rate = self._updated(sums)
        return _natural(mean, np.log(shape + 0.5) - np.log(rate))

    def log_prior(self, natural: np.ndarray) -> np.ndarray:
        mean, precision = _mean_and_precision(natural)
        of_mean = 0.5 * (log(self.mean_weight / (2 * pi)) + np.log(precision) - self.mean_weight * precision * mean**2)
        of_precision = self.shape * (log(self.shape) + np.log(precision) - precision) - log_gamma(np.array(self.shape))
        return np.asarray(of_mean + of_precision)

    def jacobian(self, natural: np.ndarray) -> np.ndarray:
        mean, precision = _mean_and_precision(natural)
        one, product = np.ones_like(mean), mean * precision
        by_mean = np.stack([-product, precision, 0 * one], axis=-1)
        by_log_variance = np.stack([0.5 * (mean * product - one), -product, 0.5 * precision], axis=-1)
        return np.stack([by_mean, by_log_variance], axis=-1)

    def information(self, natural: np.ndarray, sums: np.ndarray) -> np.ndarray:
        mean, precision = _mean_and_precision(natural)
        weight, total, squares = (sums[..., 0] + self.mean_weight, sums[..., 1], sums[..., 2] + 2 * self.shape)
        of_mean = precision * weight
        of_both = precision * (total - weight * mean)
        of_log_variance = 0.5 * precision * (weight * mean**2 - 2 * total * mean + squares)
        rows = [np.stack([of_mean, of_both], axis=-1), np.stack([of_both, of_log_variance], axis=-1)]
        return np.stack(rows, axis=-2)

    def sample(self, sums: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        weight, mean, shape, rate = self._updated(sums)
        log_precision = sample_log_gamma(shape, rng) - np.log(rate)
        drawn = mean + rng.standard_normal(shape.shape) * np.exp(-0.5 * log_precision) / np.sqrt(weight)
        return _natural(drawn, log_precision)

    def sample_cells(self, natural: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        precision = -2 * natural[:, 2]
        scaled = natural[:, 1] / precision + rng.standard_normal(len(natural)) / np.sqrt(precision)
        found: np.ndarray = self.centre + self.deviation * scaled
        return found

    def _scaled(self, cells: np.ndarray) -> np.ndarray:
        """In deviations from the centre; twice inf where that is beyond all numbers."""
        with np.errstate(over="ignore"):
            found: np.ndarray = (cells - self.centre) / self.deviation
        return found

    def _updated(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Weight and mean of mu, and shape and rate of the precision, after cells with these sums."""
        weight = self.mean_weight + sums[..., 0]
        mean = sums[..., 1] / weight
        squares = np.maximum(sums[..., 2] - sums[..., 1] * mean, 0.0)  # at least 0 but for rounding
        return weight, mean, self.shape + 0.5 * sums[..., 0], self.shape + 0.5 * squares


def _mean_and_precision(natural: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    precision = -2 * natural[..., 2]
    return natural[..., 1] / precision, precision


def _natural(mean: np.ndarray, log_precision: np.ndarray) -> np.ndarray:
    precision = np.exp(log_precision)
    first = 0.5 * (log_precision - log(2 * pi) - mean**2 * precision)
    return np.stack([first, mean * precision, -0.5 * precision], axis=-1)
