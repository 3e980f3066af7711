"""Whether what one sampler says may stand without another."""

from math import isfinite, nan

from ockham.contracts import Evidence
from ockham.estimation.growing import agreeing, differ
from ockham.estimation.sources import Source

__all__ = ["STEADY_ERROR", "is_single", "is_steady"]

FEW_DEGREES, FEWEST_ALONE, STEADY_ERROR = 50, 6, 0.2
"""Of a source that grows, whose passes go one way, and whose error has fewer degrees of freedom than the first, where
none checks it but others such: how many runs it must have, and the nats of error that each of those that stand for it
may have at the most. A few passes that all miss a mode have a small error, too; three runs in a row, each of twice the
work, seldom do."""


def is_steady(source: Source) -> bool:
    """Whether it tells more than few passes do: the last runs of one that grows have small errors, and agree."""
    last = source.runs[-1].evidence
    if last.standard_error == 0 and isfinite(last.effective_sample_size):
        return False  # samples that are all alike, of which the next may differ
    many = last.degrees_of_freedom >= FEW_DEGREES
    if not source.grows or source.two_sided or many:
        return True
    small = [each.standard_error <= STEADY_ERROR for each in agreeing([run.evidence for run in source.runs])]
    return len(source.runs) >= FEWEST_ALONE and bool(small) and all(small)


def is_single(source: Source) -> bool:
    """Whether of one that grows both ways, and may be in one mode of several, no two runs agree."""
    *_, before, last = [Evidence(nan), *(run.evidence for run in source.runs)]
    return source.grows and source.two_sided and (not before.trusted or differ(before, last))
