"""Evidences made up, as ``certify`` returns them."""

from math import inf, isnan, nan

from ockham.contracts import NO_DOUBT, Evidence
from ockham.estimation.certifying import Certified


def certified(value, error=0.05, at_least=-inf, doubt=NO_DOUBT, freedom=inf):
    """An evidence with its error; unknown where the value is NaN."""
    evidence = Evidence(value, nan if isnan(value) else error, doubt=doubt, degrees_of_freedom=freedom)
    known = evidence.trusted
    return Certified(evidence, "bridge" if known else "", "", nan, at_least, known, (), {}, 1.0)
