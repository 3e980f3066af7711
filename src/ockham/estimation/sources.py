"""Where estimates of one evidence come from: scorers that are run again and again, and what their runs say together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isnan, nan
from typing import Any, NamedTuple

from ockham.contracts import Estimator, Evidence
from ockham.estimation.combining import combine_runs
from ockham.estimation.growing import agreeing, weighted_mean

__all__ = ["PROVEN", "Run", "Source", "Sources"]

PROVEN = "variational_bound"
"""The diagnostic of an evidence that is a proven lower bound of it, nats, whatever becomes of the estimate."""


@dataclass(frozen=True)
class Run:
    """One run of a scorer.

    Attributes
    ----------
    scorer, score : str
        Names of the scorer and of its estimate.
    settings : mapping
        That differ from the scorer's defaults.
    index : int
        Of the run among those of its scorer, from 0, which its random stream is named by.
    evidence : Evidence
    seconds : float
        Wall time.
    """

    scorer: str
    score: str
    settings: Mapping[str, Any]
    index: int
    evidence: Evidence
    seconds: float

    @property
    def bound(self) -> float:
        """What the log evidence is above for certain, by what the run found beside its estimate; -inf for nothing."""
        return float(self.evidence.diagnostics.get(PROVEN, -inf))


@dataclass(eq=False)
class Source:
    """Where estimates come from.

    Attributes
    ----------
    scorer : str
    estimators : mapping of str to Estimator
        What every run of it returns, by name.
    run : callable
        Takes the number of the run, and returns settings and evidences by name.
    grows : bool
        Whether every run has twice the work of the one before, so that the last ones stand for all.
    always_doubted : bool
        Whether every estimate of the model will be doubted, whatever a run finds.
    most : float
        Runs that there can be.
    two_sided : bool
        Whether its error has what passes in both directions differ by, so that it shows what they miss.
    leads : bool
        Whether it is made for such models, and goes on before others begin.
    runs : list of Run
        Of the first of its estimates.
    estimate : Evidence
        What these say together; NaN before there are any.
    unbiased : Evidence or None
        What the runs of the first of its estimates say together that are logs of unbiased ones of the evidence itself.
    """

    scorer: str
    estimators: Mapping[str, Estimator]
    run: Callable[[int], tuple[Mapping[str, Any], Mapping[str, Evidence]]]
    grows: bool = False
    always_doubted: bool = False
    most: float = inf
    two_sided: bool = False
    leads: bool = False
    runs: list[Run] = field(default_factory=list, init=False)
    estimate: Evidence = field(default=Evidence(nan), init=False)
    unbiased: Evidence | None = field(default=None, init=False)
    _unbiased_runs: list[Run] = field(default_factory=list, init=False, repr=False)

    @property
    def estimator(self) -> Estimator:
        """The first of them."""
        return next(iter(self.estimators.values()))

    @property
    def is_unbiased(self) -> bool:
        """Whether some of its estimates are logs of unbiased ones of the evidence itself."""
        return any(each.over_runs == "mean" for each in self.estimators.values())

    def add(self, made: Sequence[Run]) -> None:
        """What one run returned, in the order of its estimators."""
        self.runs.append(made[0])
        self.estimate = self._together(self.runs)
        unbiased = next((run for run in made if self.estimators[run.score].over_runs == "mean"), None)
        if unbiased is not None:
            self._unbiased_runs.append(unbiased)
            self.unbiased = self.estimate if unbiased is made[0] else self._together(self._unbiased_runs)

    @property
    def seconds(self) -> float:
        """That the next run will take, by the last; 0 where there was none, inf where there can be no other."""
        if len(self.runs) >= self.most:
            return inf
        return (2 if self.grows else 1) * self.runs[-1].seconds if self.runs else 0.0

    def _together(self, made: Sequence[Run]) -> Evidence:
        """Of runs that grow, the mean of the last ones by their work, which was set before they began.

        The last alone ends a race when its error is small, as it is where it missed a mode, and its value low.
        """
        runs, estimator = [run.evidence for run in made], self.estimators[made[0].score]
        if not self.grows and len(runs) > 1:
            return combine_runs(estimator, runs)
        last = agreeing(runs) if self.grows and estimator.over_runs == "mean" and not self.two_sided else ()
        return weighted_mean(last, [2.0**k for k in range(len(last))]) if last else runs[-1]

    @property
    def known(self) -> bool:
        """Whether there is a value with an error that nothing speaks against."""
        return self.estimate.trusted and not isnan(self.estimate.standard_error)

    def cost(self, error: float) -> float:
        """Seconds to an error, by the runs so far, as errors fall with the square root of the work."""
        return self.runs[-1].seconds * max(1.0, (self.estimate.standard_error / error) ** 2) if self.known else inf


class Sources(NamedTuple):
    """All that the evidence of a model can be had from.

    Attributes
    ----------
    exact : Source or None
        Its run raises a ModelError where it would cost too much.
    bounds : sequence of Source
        Of proven lower bounds; each is run once.
    samplers : sequence of Source
        Of estimates with errors, those that serve most models first.
    """

    exact: Source | None
    bounds: Sequence[Source]
    samplers: Sequence[Source]
