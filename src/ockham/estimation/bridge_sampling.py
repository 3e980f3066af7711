"""Bridge sampling: a ratio of normalisers from draws of both distributions ([MengWong1996])."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ockham.estimation.autocorrelation import autocorrelation_time
from ockham.estimation.posterior_draws import optimal_bridge
from ockham.estimation.special_functions import logistic

__all__ = ["UNSEEN", "Bridge", "bridge", "mean_of_halves", "mean_weight"]

UNSEEN = 1.5
"""Over the independent draws, the relative error by what no chain came to: by the rule of three, 5 % of so many draws
miss thrice their inverse of the posterior, which is taken for two errors."""


@dataclass(frozen=True, slots=True)
class Bridge:
    """An estimate of the normaliser of a posterior.

    Attributes
    ----------
    log_normaliser : float
        Nats.
    relative_error : float
        Root of the mean square error of the normaliser over its square: to first order the standard error of the log.
    overlap : float
        Mean share of the proposal at draws of the posterior, from 0 to the proposal's share of all draws.
    autocorrelation_time : float
        Of that share along the chains, in draws.
    """

    log_normaliser: float
    relative_error: float
    overlap: float
    autocorrelation_time: float


def bridge(posterior: Sequence[np.ndarray], proposal: np.ndarray) -> Bridge:
    """The normaliser of a density p from its draws, and from draws of a proposal q that is normalised.

    Parameters
    ----------
    posterior : sequence of ndarray, shapes (n_draws,)
        ln p - ln q along chains that sample p; finite.
    proposal : ndarray, shape (n_draws,)
        ln p - ln q at independent draws of q; -inf where p is 0.

    Notes
    -----
    The optimal bridge of [MengWong1996], the same equation as ``optimal_bridge``. Its mean square error is that of
    [FruehwirthSchnatter2004], section 3: the variance of p / (s_1 p + s_2 q) under q, and that of
    q / (s_1 p + s_2 q) under p times its autocorrelation time, each over the number of draws and the squared mean.
    """
    from_posterior = np.concatenate(posterior)
    n_posterior, n_proposal = len(from_posterior), len(proposal)
    if not n_posterior or not np.isfinite(proposal).any():
        return Bridge(np.nan, np.inf, 0.0, np.nan)
    value = optimal_bridge(from_posterior, proposal)
    shift = value - np.log(n_posterior / n_proposal)
    share_of_posterior = logistic(proposal - shift)
    shares_of_proposal = [logistic(shift - chain) for chain in posterior]
    time = autocorrelation_time(shares_of_proposal)
    along = np.concatenate(shares_of_proposal)
    squared_error = _relative_variance(share_of_posterior) / n_proposal + time * _relative_variance(along) / n_posterior
    return Bridge(value, float(np.sqrt(squared_error)), float(along.mean()), time)


def mean_of_halves(values: np.ndarray, errors: np.ndarray) -> tuple[float, float]:
    """ln of the mean of two estimates, in logs, and its relative error, made of theirs and of their difference.

    Where either was bridged to one half of the draws from a proposal that fits the other, the difference also has what
    an error of its own cannot know.
    """
    value = float(np.logaddexp.reduce(values) - np.log(2))
    return value, float(np.sqrt((errors**2).mean() / 2 + np.ptp(values) ** 2 / 4))


def mean_weight(log_weights: np.ndarray) -> tuple[float, float]:
    """ln of the mean of weights p / q of draws of q, nats, which is the normaliser of p, and its relative error."""
    value = float(np.logaddexp.reduce(log_weights) - np.log(len(log_weights)))
    if value == -np.inf:
        return value, np.inf
    return value, float(np.exp(log_weights - value).std() / np.sqrt(len(log_weights)))


def _relative_variance(values: np.ndarray) -> float:
    mean = values.mean()
    return float((values / mean).var()) if mean > 0 else np.inf
