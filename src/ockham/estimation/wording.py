"""How an estimate is said: a number with its error, or what is known in place of one that is not to be trusted."""

from math import isnan, nan

from ockham.contracts import Doubt, Estimator, Evidence
from ockham.estimation.combining import at_least

__all__ = ["CONFIDENCE", "bound_in_words", "describe", "error_in_words", "in_digits", "in_words", "lower_bound"]

CONFIDENCE = 0.95
"""With which bounds hold that are not proven."""
MOST_DIGITS = 4
"""After the point, of an error."""


def describe(found: Evidence, estimator: Estimator) -> str:
    """An evidence over runs, as ``in_words`` says it."""
    least = lower_bound(found.log_evidence, found.doubt, estimator)
    probability = 1.0 if estimator.bound == "lower" else CONFIDENCE
    return in_words(found.log_evidence, found.standard_error, found.doubt, least, probability=probability)


def lower_bound(value: float, doubt: Doubt, estimator: Estimator) -> float:
    """What the log evidence is above, for certain or with a probability of 95 %; NaN where nothing is known.

    An unbiased estimate bounds it however doubtful it is, unless a run of it failed.
    """
    if estimator.bound == "lower":
        return value
    if estimator.over_runs == "mean" and Doubt.RUN_FAILED not in doubt:
        return float(at_least(value, CONFIDENCE))
    return nan


def in_words(
    value: float, standard_error: float, doubt: Doubt, least: float = nan, digits: int = 2, probability: float = 1.0
) -> str:
    """``-12.34 +- 0.05``, ``-12.34`` where no error is known, ``at least -14.30 at 95 %``, or ``unknown``; nats.

    ``least`` is what is known of a value that is doubted, and with which ``probability``; NaN for nothing. An error
    that is not 0 is never said to be: there are more ``digits`` then, up to ``MOST_DIGITS``, and it is rounded up to
    the last of these.
    """
    if isnan(value) or (doubt and isnan(least)):
        return "unknown"
    if doubt:
        return bound_in_words(least, probability, digits)
    if isnan(standard_error):
        return f"{value:.{digits}f}"
    digits = _digits(standard_error, digits)
    return f"{value:.{digits}f} +- {error_in_words(standard_error, digits)}"


def error_in_words(standard_error: float, digits: int = 2) -> str:
    """``0.05``, with the digits of ``in_words``."""
    digits = _digits(standard_error, digits)
    return f"{max(standard_error, 10.0**-digits) if standard_error else 0.0:.{digits}f}"


def _digits(standard_error: float, digits: int) -> int:
    while digits < MOST_DIGITS and 0 < standard_error < 0.5 * 10.0**-digits:
        digits += 1
    return digits


def bound_in_words(least: float, probability: float = 1.0, digits: int = 2) -> str:
    """``at least -14.30`` for certain, or ``at least -14.30 at 95 %``."""
    return f"at least {least:.{digits}f}" + (f" at {100 * probability:g} %" if probability < 1 else "")


def in_digits(value: float) -> str:
    """Six digits, or as many as tell it from every other number."""
    rounded = f"{value:g}"
    return rounded if float(rounded) == value else repr(value)
