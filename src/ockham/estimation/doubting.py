"""When an evidence that rests on chains of the posterior is doubted: the rules and thresholds of all families."""

from math import hypot

from ockham.contracts import NO_DOUBT, Doubt

__all__ = ["ROUNDING", "SPARSE", "doubt_of_bound", "doubt_of_bridge", "doubt_of_error", "doubt_of_weights"]

SPARSE = 0.1
"""Hyperparameters below which the posterior has modes in corners, which hardly any chain or start leads to: what chains
say of the evidence is then not to be trusted."""
LARGEST_ERROR = 0.5
"""Nats, beyond which an error to first order says little."""
FEWEST_DRAWS = 200
"""Independent draws of the posterior that a bridge must have: with fewer the autocorrelation time, and so the error, is
taken for too small."""
ERRORS_BELOW = 3.0
"""Standard errors by which an estimate may be below a bound."""
APART = 4.0
"""Errors by which a bridge and the mean weight of its proposals may differ."""
ROUNDING = 1e-6
"""Nats by which values may differ that are equal."""


def doubt_of_bridge(relative_error: float, n_draws: int, autocorrelation_time: float) -> Doubt:
    """What its error, and its dependent draws of the posterior, say against a bridge; also where either is NaN."""
    doubt = doubt_of_error(relative_error)
    if not n_draws >= FEWEST_DRAWS * autocorrelation_time:
        doubt |= Doubt.NOT_MIXED
    return doubt


def doubt_of_error(relative_error: float) -> Doubt:
    """What the error of an evidence relative to it says against it; also where it is NaN."""
    return NO_DOUBT if relative_error <= LARGEST_ERROR else Doubt.FEW_EFFECTIVE_SAMPLES


def doubt_of_bound(log_evidence: float, standard_error: float, bound: float) -> Doubt:
    """What a proven lower bound of the log evidence says against an estimate of it; all in nats."""
    return Doubt.BELOW_BOUND if log_evidence + ERRORS_BELOW * standard_error < bound else NO_DOUBT


def doubt_of_weights(log_evidence: float, relative_error: float, by_weights: float, weights_error: float) -> Doubt:
    """What the mean weight of the draws of the proposals, with its error, says against a bridge; all in nats.

    The weights take no chain to be a sample of the posterior, so they differ from the bridge where chains that do not
    mix have other shares than their modes, and where there is more than the chains have seen.
    """
    allowed = APART * hypot(relative_error, weights_error) + ROUNDING
    return NO_DOUBT if abs(by_weights - log_evidence) <= allowed else Doubt.NOT_MIXED
