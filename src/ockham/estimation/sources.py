"""Where estimates of one evidence come from: scorers that are run again and again, and what their runs say together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isnan, nan
from typing import Any, NamedTuple

from ockham.contracts import Estimator, Evidence
from ockham.estimation.combining import combine_runs
from ockham.estimation.growing import agreeing, weighted_mean

__all__ = ["Run", "Source", "Sources"]


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
    """

    scorer: str
    estimators: Mapping[str, Estimator]
    run: Callable[[int], tuple[Mapping[str, Any], Mapping[str, Evidence]]]
    grows: bool = False
    always_doubted: bool = False
    most: float = inf
    two_sided: bool = False
    leads: bool = False
    runs: list[Run] = field(default_factory=list)
    _combined: tuple[int, Evidence] = field(default=(0, Evidence(nan)), init=False, repr=False)

    @property
    def estimator(self) -> Estimator:
        """The first of them."""
        return next(iter(self.estimators.values()))

    @property
    def is_unbiased(self) -> bool:
        """Whether estimates are logs of unbiased ones of the evidence itself."""
        return self.estimator.over_runs == "mean"

    @property
    def seconds(self) -> float:
        """That the next run will take, by the last; 0 where there was none, inf where there can be no other."""
        if len(self.runs) >= self.most:
            return inf
        return (2 if self.grows else 1) * self.runs[-1].seconds if self.runs else 0.0

    @property
    def estimate(self) -> Evidence:
        """What the runs say together; combined once after each run, for it is asked for many times a second."""
        if len(self.runs) != self._combined[0]:
            self._combined = len(self.runs), self._together([run.evidence for run in self.runs])
        return self._combined[1]

    def _together(self, runs: Sequence[Evidence]) -> Evidence:
        """Of runs that grow, the mean of the last ones by their work, which was set before they began.

        The last alone ends a race when its error is small, as it is where it missed a mode, and its value low.
        """
        if not self.grows and len(runs) > 1:
            return combine_runs(self.estimator, runs)
        last = agreeing(runs) if self.grows and self.is_unbiased and not self.two_sided else ()
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
