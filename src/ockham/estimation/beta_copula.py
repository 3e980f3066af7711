"""A distribution of rows of probabilities with a density: Gaussian dependence between fractions with Beta margins.

Row by row, the fraction of entry k is theta_k / (theta_k + ... + theta_r). Under a Dirichlet distribution the fractions
are independent Beta variables; under the posterior of a model with hidden variables they are nearly Beta, and depend on
each other. So every fraction gets the Beta distribution that fits its draws, is carried to a normal score by it, and
the scores get a joint normal distribution, or a mixture of some. Logs throughout: a fraction may underflow.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from math import erfc, log, log1p, sqrt

import numpy as np

from ockham.estimation.covariances import shrunk_covariance
from ockham.estimation.normal_mixture import NormalMixture
from ockham.estimation.special_functions import beta_logits, digamma, trigamma

__all__ = ["BetaCopula"]

SCORES = np.linspace(-8.0, 8.0, 129)
"""Normal scores between which the score of a fraction's logit is interpolated, and beyond which it goes on straight."""
LOG_PROBABILITIES = np.array(
    [log(0.5 * erfc(-s / sqrt(2))) if s < 0 else log1p(-0.5 * erfc(s / sqrt(2))) for s in SCORES]
)
"""That a normal variate is below each."""
NEWTON_STEPS, CONVERGED = 60, 1e-10
"""At the most; and the relative change of a step after which the next would be rounding, which of tiny parameters can
lead away again."""
LEAST, MOST = 1e-12, 1e15
"""Beta parameters."""


@dataclass(frozen=True, eq=False)
class BetaCopula:
    """The distribution, as fitted to draws. Densities are in the softmax basis: theta ** a, not theta ** (a - 1).

    Attributes
    ----------
    row_starts : ndarray of int, shape (n_rows + 1,)
    knots : ndarray, shape (n_fractions, 129)
        Logits of the fractions at ``SCORES``, ascending.
    mean : ndarray, shape (n_fractions,)
        Of the scores.
    factor : ndarray, shape (n_fractions, n_fractions)
        Lower triangle of Cholesky of their covariance.
    shrinkage : float
        How far the covariance was drawn to its diagonal, 0 to 1.
    mixture : NormalMixture, optional
        Of the scores, in place of one normal distribution, where their dependence is no linear one.
    """

    row_starts: np.ndarray
    knots: np.ndarray
    mean: np.ndarray
    factor: np.ndarray
    shrinkage: float
    mixture: NormalMixture | None = None

    @classmethod
    def fit(cls, row_starts: np.ndarray, log_parameters: np.ndarray, n_components: int = 1) -> "BetaCopula":
        """The distribution that fits draws, logs of shape (n_draws, n_entries), each row of entries normalised.

        The scores are a mixture of so many normal distributions.
        """
        logits = _logits(row_starts, log_parameters)
        knots = _knots(*_fit_beta(logits))
        scores, _ = _scores(knots, logits)
        mean = scores.mean(axis=0)
        covariance, shrinkage = shrunk_covariance(scores - mean)
        mixture = NormalMixture.fit(scores, n_components) if n_components > 1 else None
        return cls(row_starts, knots, mean, np.linalg.cholesky(covariance), shrinkage, mixture)

    def widened(self, factor: float) -> "BetaCopula":
        """With the standard deviations of all scores multiplied."""
        return replace(self, factor=factor * self.factor)

    def log_density(self, log_parameters: np.ndarray) -> np.ndarray:
        """Nats, shape (n_draws,)."""
        if self.mixture:
            scores, log_slopes = _scores(self.knots, _logits(self.row_starts, log_parameters))
            return log_slopes + self.mixture.log_density(scores)
        normals, log_slopes = self._normals(log_parameters)
        return self._log_density(log_slopes, normals)

    def normals(self, log_parameters: np.ndarray) -> np.ndarray:
        """The inverse of ``at``: normal variates, shape (n_draws, n_fractions)."""
        return np.ascontiguousarray(self._normals(log_parameters)[0].T)

    def _normals(self, log_parameters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Normal variates, shape (n_fractions, n_draws), and ln of the product of the slopes of their scores."""
        scores, log_slopes = _scores(self.knots, _logits(self.row_starts, log_parameters))
        return np.linalg.inv(self.factor) @ (scores - self.mean).T, log_slopes

    def draw(self, rng: np.random.Generator, n_draws: int) -> np.ndarray:
        """Logs of parameters, shape (n_draws, n_entries)."""
        if self.mixture:
            return self._parameters(self.mixture.draw(rng, n_draws))[0]
        return self.at(rng.standard_normal((n_draws, len(self.mean))))[0]

    def at(self, normals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What independent standard normal variates, shape (n_draws, n_fractions), are carried to, without a mixture.

        Logs of parameters, shape (n_draws, n_entries), and their log density in nats, shape (n_draws,).
        """
        log_parameters, log_slopes = self._parameters(self.mean + normals @ self.factor.T)
        return log_parameters, self._log_density(log_slopes, normals.T)

    def _parameters(self, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Logs of parameters, and ln of the product of the slopes of their scores."""
        step = SCORES[1] - SCORES[0]
        below = np.clip(np.floor((scores - SCORES[0]) / step).astype(int), 0, len(SCORES) - 2)
        fraction = np.arange(len(self.mean))
        left, right = self.knots[fraction, below], self.knots[fraction, below + 1]
        logits = left + (scores - SCORES[below]) / step * (right - left)
        return _parameters(self.row_starts, logits), np.log(step / (right - left)).sum(axis=1)

    def _log_density(self, log_slopes: np.ndarray, normals: np.ndarray) -> np.ndarray:
        """At normal variates, shape (n_fractions, n_draws), of scores whose slopes in the logits have this product."""
        constant = np.log(np.diag(self.factor)).sum() + 0.5 * len(self.mean) * np.log(2 * np.pi)
        found: np.ndarray = log_slopes - 0.5 * (normals**2).sum(axis=0) - constant
        return found


def _logits(row_starts: np.ndarray, log_parameters: np.ndarray) -> np.ndarray:
    """ln v - ln(1 - v) of every fraction v, shape (n_draws, n_fractions)."""
    found = []
    for first, end in pairwise(row_starts):
        rest = np.logaddexp.accumulate(log_parameters[:, end - 1 : first : -1], axis=1)[:, ::-1]
        found.append(log_parameters[:, first : end - 1] - rest)
    return np.concatenate(found, axis=1)


def _parameters(row_starts: np.ndarray, logits: np.ndarray) -> np.ndarray:
    """The inverse of ``_logits``."""
    log_parameters = np.empty((len(logits), row_starts[-1]))
    column = 0
    for first, end in pairwise(row_starts):
        own = logits[:, column : column + end - first - 1]
        left = np.cumsum(-np.logaddexp(0, own), axis=1)  # ln(1 - v_1) + ... + ln(1 - v_k)
        log_parameters[:, first : end - 1] = -np.logaddexp(0, -own)
        log_parameters[:, first + 1 : end - 1] += left[:, :-1]
        log_parameters[:, end - 1] = left[:, -1]
        column += end - first - 1
    return log_parameters


def _fit_beta(logits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Maximum likelihood of Beta distributions, by Newton's method from the fit by moments; both (n_fractions,)."""
    log_fraction, log_rest = -np.logaddexp(0, -logits).mean(axis=0), -np.logaddexp(0, logits).mean(axis=0)
    fractions = 1 / (1 + np.exp(-np.clip(logits, -700, 700)))
    mean, variance = fractions.mean(axis=0), fractions.var(axis=0)
    total = np.clip(mean * (1 - mean) / np.maximum(variance, 1e-30) - 1, 1e-2, 1e12)
    a, b = np.maximum(mean * total, 1e-4), np.maximum((1 - mean) * total, 1e-4)
    with np.errstate(all="ignore"):
        for _ in range(NEWTON_STEPS):
            excess_a = digamma(a) - digamma(a + b) - log_fraction
            excess_b = digamma(b) - digamma(a + b) - log_rest
            shared = trigamma(a + b)
            slope_a, slope_b = trigamma(a) - shared, trigamma(b) - shared
            determinant = slope_a * slope_b - shared**2
            new_a = a - (excess_a * slope_b + excess_b * shared) / determinant
            new_b = b - (excess_b * slope_a + excess_a * shared) / determinant
            known = np.isfinite(new_a) & np.isfinite(new_b)
            last_a, last_b = a, b
            a = np.where(known, np.clip(new_a, np.maximum(a / 4, LEAST), np.minimum(a * 4, MOST)), a)
            b = np.where(known, np.clip(new_b, np.maximum(b / 4, LEAST), np.minimum(b * 4, MOST)), b)
            if np.all(np.abs(a - last_a) <= CONVERGED * a) and np.all(np.abs(b - last_b) <= CONVERGED * b):
                break
    return a, b


def _knots(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Logits of the quantiles of Beta distributions at ``SCORES``, strictly ascending."""
    logits = beta_logits(a, b, LOG_PROBABILITIES, LOG_PROBABILITIES[::-1])
    least = 1e-12 * (1 + np.abs(logits[:, :1]))
    steps = np.maximum(np.diff(np.maximum.accumulate(logits, axis=1), axis=1), least)
    return np.concatenate([logits[:, :1], logits[:, :1] + np.cumsum(steps, axis=1)], axis=1)


def _scores(knots: np.ndarray, logits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Normal scores, shape (n_draws, n_fractions), and ln of the product of their slopes in the logits, (n_draws,)."""
    scores, log_slopes = np.empty_like(logits), np.zeros(len(logits))
    slopes = (SCORES[1] - SCORES[0]) / np.diff(knots, axis=1)
    for j, (own, slope, log_slope) in enumerate(zip(knots, slopes, np.log(slopes), strict=True)):
        column = logits[:, j]
        below = own[1:-1].searchsorted(column)
        scores[:, j] = SCORES[below] + (column - own[below]) * slope[below]
        log_slopes += log_slope[below]
    return scores, log_slopes
