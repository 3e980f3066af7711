"""What runs say together each of which has twice the work of the one before, and which estimates differ."""

from collections.abc import Sequence
from math import hypot

import numpy as np

from ockham.contracts import Evidence
from ockham.estimation.combining import ROUNDING, Combined, error_of_sum, freedom_of_sum, size_of_sum
from ockham.estimation.intervals import interval

__all__ = ["APART", "POOLED", "above", "agreeing", "differ", "weighted_mean"]

APART = 3.09
"""Normal deviate, of .1 %, by which two estimates may differ, or one be below a bound."""
POOLED = 3
"""Runs that stand for all: the last, which have seven eighths of the work."""
SURELY = 0.998
"""Of intervals; an estimate is above another by chance in .1 % of cases."""


def agreeing(runs: Sequence[Evidence]) -> Sequence[Evidence]:
    """The last runs, as many as stand for all, where none is doubted and they agree with the last; else none."""
    last = runs[-POOLED:]
    agree = all(each.trusted for each in last) and not any(differ(each, last[-1]) for each in last)
    return last if agree and len(last) == POOLED else ()


def differ(one: Evidence, other: Evidence) -> bool:
    """Whether two estimates differ by more than their errors."""
    apart = abs(one.log_evidence - other.log_evidence)
    return apart > APART * hypot(one.standard_error, other.standard_error) + ROUNDING


def above(one: Evidence, other: Evidence) -> bool:
    """Whether one estimate is higher than another by more than both errors, however few degrees of freedom these have.

    The end of the interval of the difference is as far from it as the ends of both intervals together [ZouDonner2008].
    """
    if one.log_evidence <= other.log_evidence or not differ(one, other):
        return False  # t reaches farther than a normal deviate; this is asked many times a second, and is quick
    (low, _), (_, high) = (
        interval(each.log_evidence, each.standard_error, each.degrees_of_freedom, SURELY) for each in (one, other)
    )
    reach = hypot(one.log_evidence - low, high - other.log_evidence)
    return one.log_evidence - other.log_evidence > reach + ROUNDING


def weighted_mean(runs: Sequence[Evidence], weights: Sequence[float]) -> Evidence:
    """One evidence from independent runs, each of which is unbiased and knows its error.

    The weights are of the evidences, not of their logarithms. They must not come from what the runs found, as their
    errors do: a run that misses a mode has a low value and a small error. Diagnostics and arrays are those of the
    last run.
    """
    values, errors, sizes, freedoms = (
        np.array([getattr(evidence, name) for evidence in runs])
        for name in ("log_evidence", "standard_error", "effective_sample_size", "degrees_of_freedom")
    )
    parts = np.array(weights) * np.exp(values - values.max())
    found = Combined(
        values.max() + np.log(parts.sum() / sum(weights)),
        error_of_sum(parts, errors),
        size_of_sum(parts, sizes),
        np.zeros((), dtype=np.uint8),
        freedom_of_sum((parts * errors) ** 2, freedoms),
    )
    return found.evidence(sum(evidence.n_evaluations for evidence in runs), runs[-1].diagnostics, runs[-1].arrays)
