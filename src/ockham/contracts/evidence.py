"""One estimate of the log evidence, what its estimator is, and why it may not be trusted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntFlag
from math import inf, isnan, nan
from typing import Any, Literal

import numpy as np

__all__ = ["NO_DOUBT", "Array", "Bound", "Doubt", "Estimator", "Evidence", "OverRuns", "Reference"]

Bound = Literal["none", "lower", "upper"]
OverRuns = Literal["max", "mean", "median", "median_without_error"]
Reference = Literal["none", "known", "estimated", "substitute"]


@dataclass(frozen=True)
class Estimator:
    """What one named estimator of the log evidence is, for labels, bounds and the alias correction.

    Attributes
    ----------
    long_name : str
        The field's name for it.
    bound : {"none", "lower", "upper"}
        Which side of the log evidence it is guaranteed to be on.
    local : bool
        Whether it describes one mode of the posterior, so that ln S, the log number of aliases, may be added.
    over_runs : {"max", "mean", "median", "median_without_error"}
        What the summary of independent runs is: the highest, as of restarts; the mean evidence, for an unbiased
        estimate of it; the median, for an estimate that now and then is far off; or the median without an error, for
        a random approximation, whose runs may agree on what is far from the evidence.
    reference : {"none", "known", "estimated", "substitute"}
        Whether summaries judge other scores by it: it is the evidence; it estimates it well enough to stand for it
        where it is not doubted; or posteriors are compared with its own where there is nothing better.
    uses_prior : bool
        Whether the prior has a part in it, so that it rests on what that says.
    """

    long_name: str
    bound: Bound = "none"
    local: bool = False
    over_runs: OverRuns = "max"
    reference: Reference = "none"
    uses_prior: bool = True


@dataclass(frozen=True)
class Array:
    """An array that a scorer returns beside its evidences, for each run.

    Attributes
    ----------
    dimensions : tuple of str
        Their names; sizes may differ from cell to cell, and the rest is filled with NaN, or with 0 in whole numbers.
    long_name, units : str
        Arrays in ``s`` are measured times: no two runs share them, and they are not verified.
    kind : str
        Type of NumPy.
    """

    dimensions: tuple[str, ...]
    long_name: str
    units: str
    kind: str = "f8"


class Doubt(IntFlag):
    """Why an estimate is not to be trusted; every flag is one reason, and ``reasons`` says them to users."""

    FEW_EFFECTIVE_SAMPLES = 1
    RUNS_DIFFER = 2
    BELOW_BOUND = 4
    NOT_MIXED = 8
    NOT_A_MODE = 16
    NOT_CONVERGED = 32
    RUN_FAILED = 64
    UNCHECKED = 128

    @property
    def reasons(self) -> tuple[str, ...]:
        """A plain sentence for each flag that is set."""
        return tuple(REASONS[flag] for flag in Doubt if flag in self)

    @classmethod
    def attributes(cls) -> dict[str, Any]:
        """What a stored variable of doubts has by the CF conventions, so that its bits can be read without this."""
        masks = np.array([flag.value for flag in cls], dtype=np.uint8)
        return {"flag_masks": masks, "flag_meanings": " ".join(str(flag.name).lower() for flag in cls)}


NO_DOUBT = Doubt(0)
REASONS = {
    Doubt.FEW_EFFECTIVE_SAMPLES: "a few samples carry nearly all of the weight",
    Doubt.RUNS_DIFFER: "independent runs differ by more than their errors",
    Doubt.BELOW_BOUND: "it is below a proven lower bound of the same evidence",
    Doubt.NOT_MIXED: "the chains did not come to agree",
    Doubt.NOT_A_MODE: "the point that it rests on is no maximum",
    Doubt.NOT_CONVERGED: "a fit was stopped before it converged",
    Doubt.RUN_FAILED: "a run gave no value",
    Doubt.UNCHECKED: "only few passes tell it, and their runs do not agree closely enough; allow more seconds",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One estimate of ln p(D | m).

    Attributes
    ----------
    log_evidence : float
        Nats, without alias correction; -inf for data the fitted model gives no probability, NaN for none.
    standard_error : float
        Of the log evidence, nats; NaN for a deterministic estimate, and for an approximation, of whose distance from
        the evidence nothing is known.
    n_evaluations : int
        Passes over the data that it took.
    diagnostics : mapping of str to float
        Named by the scorer, in the units that its docstring gives.
    arrays : mapping of str to ndarray
        By the names of the scorer's ``ARRAYS``; the evidences of one run share them.
    effective_sample_size : float
        How many independent samples of equal weight it is worth; NaN for an estimate that is no weighted mean.
    doubt : Doubt
        Why it is not to be trusted, if it is not.
    degrees_of_freedom : float
        Of the t distribution that an interval takes.
    rests_on : str
        What it rests on beside the data, where the family has something to say of it.
    """

    log_evidence: float
    standard_error: float = nan
    n_evaluations: int = 0
    diagnostics: Mapping[str, float] = field(default_factory=dict)
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)
    effective_sample_size: float = nan
    doubt: Doubt = NO_DOUBT
    degrees_of_freedom: float = inf
    rests_on: str = ""

    @property
    def trusted(self) -> bool:
        """Whether it is a value that nothing speaks against."""
        return not self.doubt and not isnan(self.log_evidence)
