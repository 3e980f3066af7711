"""What a scorer takes and returns. Adding one is described in docs/adding_a_scorer.md."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import nan
from typing import Literal

from pydantic import BaseModel, ConfigDict

__all__ = ["Bound", "Estimate", "Evidence", "OverRuns", "Settings"]

Bound = Literal["none", "lower", "upper"]
OverRuns = Literal["max", "mean", "median"]


class Settings(BaseModel):
    """Base of every scorer's settings: frozen, bounded, and closed to keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


@dataclass(frozen=True)
class Estimate:
    """What one named score is, for labels and for the alias correction.

    Attributes
    ----------
    long_name : str
        The field's name for it.
    bound : {"none", "lower", "upper"}
        Which side of the log evidence it is guaranteed to be on.
    local : bool
        Whether it describes one mode of the posterior, so that ln S, the log number of aliases, may be added.
    over_runs : {"max", "mean", "median"}
        What the summary of independent runs is: the highest, as of restarts; the mean evidence, for an unbiased
        estimate of it; or the median, for an estimate that now and then is far off.
    """

    long_name: str
    bound: Bound = "none"
    local: bool = False
    over_runs: OverRuns = "max"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One estimate of ln p(D | m).

    Attributes
    ----------
    log_evidence : float
        Nats, without alias correction; -inf for data the fitted model gives no probability, NaN for none.
    standard_error : float
        Nats; NaN for a deterministic estimate.
    n_evaluations : int
        Passes over the data that it took.
    diagnostics : mapping of str to float
        Named by the scorer, in the units that its docstring gives.
    """

    log_evidence: float
    standard_error: float = nan
    n_evaluations: int = 0
    diagnostics: Mapping[str, float] = field(default_factory=dict)
