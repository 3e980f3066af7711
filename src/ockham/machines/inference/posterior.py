"""The log posterior density of a restricted Boltzmann machine, with its derivatives, exact or from samples.

The partition function is the one part that is hard. ``Enumerated`` sums over the smaller layer; ``Sampled`` estimates
it relative to that of a reference, from visible states drawn there. Both have the same methods, so that fitting and
Laplace's method are written once.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.restricted_boltzmann import (
    RestrictedBoltzmann,
    activations,
    covariance_given,
    covariance_over,
    expected_features,
    feature_covariance,
    features_given,
    log_partition,
    log_sum,
    log_unnormalised,
)

__all__ = ["Enumerated", "Posterior", "Sampled"]


@dataclass(frozen=True)
class Enumerated:
    """ln Z by the sum over the states of the smaller layer."""

    model: RestrictedBoltzmann

    def expected(self, theta: np.ndarray) -> tuple[float, np.ndarray]:
        """ln Z and its gradient, the features' means."""
        return expected_features(self.model, theta)

    def covariance(self, theta: np.ndarray) -> np.ndarray:
        """The Hessian of ln Z, the features' covariance."""
        return feature_covariance(self.model, theta)

    def effective_fraction(self, theta: np.ndarray) -> float:
        """Always 1: nothing is sampled."""
        return 1.0

    def along(self, theta: np.ndarray, direction: np.ndarray) -> Callable[[float], tuple[float, float]]:
        """ln Z as in ``expected``, and ``effective_fraction``, at a distance from theta in a direction."""
        return lambda distance: (log_partition(self.model, theta + distance * direction), 1.0)


class Sampled:
    """ln Z relative to that of a reference, by importance sampling from there; eq. (6) of [ChenWelling2013].

    Parameters
    ----------
    model : RestrictedBoltzmann
    samples : BinaryRows
        T visible states drawn at the reference, distinct ones with their counts.
    reference : ndarray, shape (n_parameters,)

    Notes
    -----
    Z(theta) / Z(reference) is estimated by the mean of Z(x_t, theta) / Z(x_t, reference); its terms over their sum are
    the weights w of the samples. The Hessian of its log is the weighted mean of the covariances given x_t plus the
    weighted covariance of the means given x_t. Eq. (7) prints the former alone.
    """

    def __init__(self, model: RestrictedBoltzmann, samples: BinaryRows, reference: np.ndarray) -> None:
        self.model = model
        self.samples = samples
        self._log_base = np.log(samples.counts / samples.n) - log_unnormalised(model, reference, samples.rows)

    def expected(self, theta: np.ndarray) -> tuple[float, np.ndarray]:
        """ln Z - ln Z(reference) and its gradient, the features' means."""
        log_value, weights = self._weights(theta)
        return log_value, features_given(self.model, theta, self.samples.rows, weights)

    def covariance(self, theta: np.ndarray) -> np.ndarray:
        """The Hessian of the log of the estimate, an estimate of the features' covariance."""
        return covariance_over(self.model, theta, self.samples.rows, self._weights(theta)[1])

    def effective_fraction(self, theta: np.ndarray) -> float:
        """The effective sample size 1 / sum_t w_t^2 over the number of samples T; section 3.1.3."""
        return self._effective(self._weights(theta)[1])

    def along(self, theta: np.ndarray, direction: np.ndarray) -> Callable[[float], tuple[float, float]]:
        """ln Z as in ``expected``, and ``effective_fraction``, at a distance from theta in a direction."""
        here, change = (activations(self.model, point, self.samples.rows) for point in (theta, direction))

        def at(distance: float) -> tuple[float, float]:
            moved = (start + distance * slope for start, slope in zip(here, change, strict=True))
            log_value, weights = self._normalised(log_sum(*moved))
            return log_value, self._effective(weights)

        return at

    def _weights(self, theta: np.ndarray) -> tuple[float, np.ndarray]:
        return self._normalised(log_unnormalised(self.model, theta, self.samples.rows))

    def _normalised(self, log_unnormalised: np.ndarray) -> tuple[float, np.ndarray]:
        """The log of the estimate, and the weight of every distinct sample."""
        log_terms = self._log_base + log_unnormalised
        highest = log_terms.max()
        terms = np.exp(log_terms - highest)
        total = terms.sum()
        return float(highest + np.log(total)), terms / total

    def _effective(self, weights: np.ndarray) -> float:
        return 1 / float(self.samples.n * (weights**2 / self.samples.counts).sum())


@dataclass(frozen=True)
class Posterior:
    """ln p(D | theta) p(theta) up to a constant, minus ell of eq. (6) of [ChenWelling2013].

    ``precision_of_prior``, sigma^-2, leaves out the prior where it is 0.
    """

    model: RestrictedBoltzmann
    data: BinaryRows
    partition: Enumerated | Sampled
    precision_of_prior: float

    def along(self, theta: np.ndarray, direction: np.ndarray) -> Callable[[float], tuple[float, float]]:
        """The log density, and the effective fraction of the samples, at a distance from theta in a direction."""
        partition = self.partition.along(theta, direction)

        def at(distance: float) -> tuple[float, float]:
            log_value, fraction = partition(distance)
            return self._without_partition(theta + distance * direction) - self.data.n * log_value, fraction

        return at

    def with_gradient(self, theta: np.ndarray) -> tuple[float, np.ndarray]:
        """The log density and its gradient, shape (n_parameters,)."""
        log_value, expected = self.partition.expected(theta)
        gradient = features_given(self.model, theta, self.data.rows, self.data.counts) - self.data.n * expected
        return (
            self._without_partition(theta) - self.data.n * log_value,
            gradient - self.precision_of_prior * theta,
        )

    def precision(self, theta: np.ndarray) -> np.ndarray:
        """Minus the Hessian, Sigma^-1 of eqs. (3) to (5) of [ChenWelling2013]; shape (n_parameters, n_parameters)."""
        hessian = self.data.n * self.partition.covariance(theta)
        hessian -= covariance_given(self.model, theta, self.data.rows, self.data.counts)
        hessian[np.diag_indices_from(hessian)] += self.precision_of_prior
        return hessian

    def _without_partition(self, theta: np.ndarray) -> float:
        log_terms = log_unnormalised(self.model, theta, self.data.rows)
        return float(self.data.counts @ log_terms - 0.5 * self.precision_of_prior * theta @ theta)
