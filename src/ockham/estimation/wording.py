"""How an estimate is said: a number with its error, or what is known in place of one that is not to be trusted."""

from math import isnan, nan

from ockham.contracts import Doubt, Estimator, Evidence
from ockham.estimation.combining import at_least

__all__ = ["describe", "in_digits", "in_words", "lower_bound"]

MOST_DIGITS = 4
"""After the point, of an error."""


def describe(found: Evidence, estimator: Estimator) -> str:
    """An evidence over runs, as ``in_words`` says it."""
    least = lower_bound(found.log_evidence, found.doubt, estimator)
    return in_words(found.log_evidence, found.standard_error, found.doubt, least)


def lower_bound(value: float, doubt: Doubt, estimator: Estimator) -> float:
    """What the log evidence is above, for certain or with a probability of 95 %; NaN where nothing is known.

    An unbiased estimate bounds it however doubtful it is, unless a run of it failed.
    """
    if estimator.bound == "lower":
        return value
    if estimator.over_runs == "mean" and Doubt.RUN_FAILED not in doubt:
        return float(at_least(value))
    return nan


def in_words(value: float, standard_error: float, doubt: Doubt, least: float = nan, digits: int = 2) -> str:
    """``-12.34 +- 0.05``, ``-12.34`` where no error is known, ``at least -14.30``, or ``unknown``; nats.

    ``least`` is what is known of a value that is doubted; NaN for nothing. An error that is not 0 is never said to be:
    there are more ``digits`` then, up to ``MOST_DIGITS``, and it is rounded up to the last of these.
    """
    if isnan(value) or (doubt and isnan(least)):
        return "unknown"
    if doubt:
        return f"at least {least:.{digits}f}"
    if isnan(standard_error):
        return f"{value:.{digits}f}"
    while digits < MOST_DIGITS and 0 < standard_error < 0.5 * 10.0**-digits:
        digits += 1
    error = max(standard_error, 10.0**-digits) if standard_error else 0.0
    return f"{value:.{digits}f} +- {error:.{digits}f}"


def in_digits(value: float) -> str:
    """Six digits, or as many as tell it from every other number."""
    rounded = f"{value:g}"
    return rounded if float(rounded) == value else repr(value)
