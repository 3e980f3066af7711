"""Whether an evidence whose truth is known is right, unknown or wrong, and what is warned of while it is estimated."""

import warnings
from math import hypot, isnan
from statistics import NormalDist

import ockham
from ockham.estimation.intervals import interval

__all__ = ["LOST_STOPS", "UNSEEN", "own_warnings", "reach", "reasons", "verdict"]

UNSEEN = 1e-3
"""Nats that a right value may be off by, besides: no pass may have seen what has a thousandth of the evidence."""
LOST_STOPS = "ignore:Exception ignored in:pytest.PytestUnraisableExceptionWarning"
"""What stops a thread that nobody waits for is lost in a callback of the garbage collector, and sent again."""
SURELY = 2 * NormalDist().cdf(4) - 1
"""Of intervals: of a normal value within four standard errors."""


def own_warnings(call):
    """What a call returns, with the texts of its warnings; one that is not the package's own is an error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("error")
        warnings.simplefilter("always", ockham.OckhamWarning)
        found = call()
    return found, [str(warning.message) for warning in caught]


def reasons(found):
    """Why it is unknown, if it is."""
    return found.reasons if hasattr(found, "reasons") else found.doubt.reasons


def reach(found, error_of_truth=0.0):
    """Nats that a right value is off by at the most: four standard errors, or more where these are from few values."""
    freedom = getattr(found, "evidence", found).degrees_of_freedom
    _, high = interval(0.0, hypot(found.standard_error, error_of_truth), freedom, SURELY)
    return float(high) + UNSEEN


def verdict(found, truth, error_of_truth=0.0):
    """Of what ``ockham.evidence`` or a scorer found; nats."""
    if not found.trusted or isnan(found.standard_error):
        return "unknown"
    return "right" if abs(found.log_evidence - truth) <= reach(found, error_of_truth) else "wrong"
