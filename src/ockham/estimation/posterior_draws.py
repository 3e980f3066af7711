"""The evidence from log likelihoods at draws of the posterior, and of the prior, of the parameters.

``posterior`` and ``prior`` are log likelihoods, nats, at draws of either; shapes (n_draws,), not necessarily of one
length. [ChenWelling2013], section 3.2.
"""

from collections.abc import Callable

import numpy as np

from ockham.estimation.special_functions import logistic

__all__ = [
    "effective_size_of_harmonic",
    "geometric_bridge",
    "half_deviance",
    "harmonic_mean",
    "optimal_bridge",
    "stabilised_harmonic_mean",
]


def harmonic_mean(posterior: np.ndarray) -> float:
    """ln of the harmonic mean of the likelihood; [NewtonRaftery1994].

    Consistent, but its variance is infinite in most models: an average over ever more draws need not come nearer.
    """
    return -_log_mean_exp(-posterior)


def effective_size_of_harmonic(posterior: np.ndarray) -> float:
    """(sum 1 / L)^2 / sum 1 / L^2: how many draws of equal likelihood the harmonic mean is worth, at the most."""
    return float(np.exp(2 * _log_mean_exp(-posterior) - _log_mean_exp(-2 * posterior)) * len(posterior))


def stabilised_harmonic_mean(posterior: np.ndarray, prior_fraction: float) -> float:
    """ln of the estimate that imagines a fraction of prior draws whose likelihoods are the evidence itself.

    Notes
    -----
    Of m draws from the mixture delta p(theta) + (1 - delta) p(theta | D) those of the prior are imagined. Their terms
    cancel in the equation for the estimate p, the fourth of [NewtonRaftery1994], so p solves
    sum_i (L_i - p) / (delta p + (1 - delta) L_i) = 0.
    """

    def excess(log_evidence: float) -> float:
        difference = posterior - log_evidence
        small = np.exp(-np.abs(difference))  # the larger of L and p is divided out
        above = (1 - small) / (prior_fraction * small + 1 - prior_fraction)
        below = (small - 1) / (prior_fraction + (1 - prior_fraction) * small)
        return float(np.where(difference > 0, above, below).sum())

    return _root(excess, posterior.min(), posterior.max())


def geometric_bridge(posterior: np.ndarray, prior: np.ndarray) -> float:
    """ln of the ratio of mean sqrt(L) over the prior to mean 1 / sqrt(L) over the posterior; [MengWong1996]."""
    return _log_mean_exp(prior / 2) - _log_mean_exp(-posterior / 2)


def optimal_bridge(posterior: np.ndarray, prior: np.ndarray) -> float:
    """ln of the bridge estimate of least variance for independent draws, where its iteration ends; [MengWong1996].

    ``prior`` may have -inf, where the likelihood is 0, but not everywhere.

    Notes
    -----
    With n_1 posterior and n_2 prior draws r solves sum_prior n_1 L / (n_1 L + n_2 r) = sum_posterior n_2 r / (n_1 L +
    n_2 r); the left side falls and the right side rises with r.
    """
    shift = np.log(len(posterior) / len(prior))

    def excess(log_evidence: float) -> float:
        return float(logistic(prior - log_evidence + shift).sum() - logistic(log_evidence - posterior - shift).sum())

    finite = prior[prior > -np.inf]
    lowest = min(posterior.min(), finite.min() + np.log(len(finite) / len(prior)))
    return _root(excess, lowest, max(posterior.max(), prior.max()))


def half_deviance(posterior: np.ndarray, at_mean: float) -> float:
    """-DIC / 2, the deviance information criterion on the scale of a log likelihood, nats; not an evidence.

    ``at_mean`` is the log likelihood at the mean of the draws: DIC = mean deviance + (mean deviance - its value there).
    """
    return float(2 * posterior.mean() - at_mean)


def _log_mean_exp(values: np.ndarray) -> float:
    highest = values.max()
    return float(highest + np.log(np.exp(values - highest).mean()))


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function is 0, by bisection until the interval has no float64 inside."""
    while low < (middle := 0.5 * (low + high)) < high:
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return float(middle)
