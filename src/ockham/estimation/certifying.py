"""One evidence that can be quoted: estimators that fail in different ways, run until they agree to within an error.

``certify`` knows no family: what it runs are functions. Each has a thread of its own, so that a deadline and Ctrl-C are
heard while a kernel computes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot, inf, isnan, nan
from time import monotonic
from typing import Any

from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence
from ockham.errors import ModelError
from ockham.estimation.combining import at_least, combine_runs
from ockham.estimation.interrupting import interruptible
from ockham.estimation.intervals import interval
from ockham.estimation.wording import in_words

__all__ = ["Certified", "Run", "Source", "certify"]

CONFIDENCE = 0.95
"""Of all bounds together that hold with a probability."""
APART = 3.09
"""Normal deviate, of .1 %, by which two estimates may differ, or one be below a bound."""
CHECK_ERROR = 1.0
"""Nats; a second estimate with a larger error checks little."""
FEWEST_RUNS, MOST_DOUBTED = 2, 3
"""Runs that are pooled at the least; and at the most while they are doubted, for more of the same would not help."""


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
        Whether every run has twice the work of the one before, so that the last stands for all; else they are pooled.
    """

    scorer: str
    estimators: Mapping[str, Estimator]
    run: Callable[[int], tuple[Mapping[str, Any], Mapping[str, Evidence]]]
    grows: bool = False
    runs: list[Run] = field(default_factory=list)

    @property
    def estimator(self) -> Estimator:
        """The first of them."""
        return next(iter(self.estimators.values()))

    @property
    def seconds(self) -> float:
        """That the next run will take, by the last; 0 where there was none."""
        return (2 if self.grows else 1) * self.runs[-1].seconds if self.runs else 0.0

    @property
    def estimate(self) -> Evidence:
        """What the runs say together."""
        if not self.runs:
            return Evidence(nan)
        if self.grows or len(self.runs) == 1:
            return self.runs[-1].evidence
        return combine_runs(self.estimator, [run.evidence for run in self.runs])

    @property
    def known(self) -> bool:
        """Whether there is a value with an error that nothing speaks against."""
        return self.estimate.trusted and not isnan(self.estimate.standard_error)

    def cost(self, error: float) -> float:
        """Seconds to an error, by the runs so far, as errors fall with the square root of the work."""
        return self.runs[-1].seconds * max(1.0, (self.estimate.standard_error / error) ** 2) if self.known else inf


@dataclass(frozen=True)
class Certified:
    """The evidence of a model, or what is known in place of it.

    Attributes
    ----------
    evidence : Evidence
        NaN where it is unknown, with the reasons in ``doubt``.
    scorer : str
        That it is from; empty where it is unknown.
    checked_by : str
        Another scorer that agrees with it, to within ``check_error`` nats; empty where none could.
    check_error : float
        Standard error of the other, NaN without one.
    at_least : float
        What the log evidence is above, for certain or with a probability of 95 %; -inf where nothing is known.
    reached : bool
        Whether its standard error is as small as was asked for.
    runs : tuple of Run
        All that were made.
    refused : mapping of str to str
        Scorers that could not take the model, and why.
    seconds : float
        Wall time of all.
    """

    evidence: Evidence
    scorer: str
    checked_by: str
    check_error: float
    at_least: float
    reached: bool
    runs: tuple[Run, ...]
    refused: Mapping[str, str]
    seconds: float

    @property
    def log_evidence(self) -> float:
        """Nats; NaN where it is unknown."""
        return self.evidence.log_evidence

    @property
    def standard_error(self) -> float:
        """Nats; 0 for an exact value, NaN where it is unknown."""
        return self.evidence.standard_error

    @property
    def doubt(self) -> Doubt:
        """Why it is unknown."""
        return self.evidence.doubt

    @property
    def trusted(self) -> bool:
        """Whether it may be quoted with its error."""
        return self.evidence.trusted

    def interval(self, probability: float = 0.95) -> tuple[float, float]:
        """That holds the log evidence with a probability; from ``at_least`` on where it is unknown."""
        if not self.trusted:
            return self.at_least, inf
        low, high = interval(self.log_evidence, self.standard_error, self.evidence.degrees_of_freedom, probability)
        return float(low), float(high)

    def __str__(self) -> str:
        if self.standard_error == 0:
            return f"{self.log_evidence:.2f} (exact)"
        least = self.at_least if self.at_least > -inf else nan
        value = "unknown" if not self.trusted and isnan(least) else in_words(
            self.log_evidence if self.trusted else least, self.standard_error, self.doubt, least
        )  # fmt: skip
        if self.trusted:
            check = f"checked by {self.checked_by}" if self.checked_by else "checked by no other"
            return f"{value} ({self.scorer}, {check})"
        return f"{value} ({'; '.join(self.doubt.reasons or self.refused.values()) or 'no run ended in time'})"


def certify(
    exact: Source | None,
    bounds: Sequence[Source],
    samplers: Sequence[Source],
    error: float,
    seconds: float,
    tell: Callable[[float, str], None] = lambda elapsed, words: None,
) -> Certified:
    """Run what there is until an error is reached, and say what is known then, or when time is up.

    Parameters
    ----------
    exact : Source, optional
        Its run raises a ModelError where it would cost too much.
    bounds : sequence of Source
        Of proven lower bounds; each is run once.
    samplers : sequence of Source
        Of estimates with errors, those that serve most models first.
    error : float
        Standard error to reach, in nats.
    seconds : float
        Of wall time, after which it ends with what is known; so does Ctrl-C.
    tell : callable
        Is told the seconds so far, and what is known.

    Notes
    -----
    The cheapest sampler that is not doubted goes on until it has the error; another is asked until it agrees to within
    a nat. A value is unknown if both are doubted, if they differ by more than their errors, or if it is below a bound.
    """
    race = _Race(list(samplers), error, seconds, tell)
    try:
        if exact is not None and race.take(exact):
            found = exact.runs[-1]
            value = Evidence(found.evidence.log_evidence, 0.0, found.evidence.n_evaluations)
            return Certified(
                value, exact.scorer, "", nan, value.log_evidence, True, tuple(race.runs), race.refused, race.elapsed
            )
        for bound in bounds:
            race.take(bound)
        while (source := race.next_one()) is not None:
            race.take(source)
    except (KeyboardInterrupt, TimeoutError):
        pass  # and say what is known
    return _verdict(race, [*bounds, *samplers])


class _Race:
    """The samplers of one call, against the clock."""

    def __init__(
        self, samplers: list[Source], error: float, seconds: float, tell: Callable[[float, str], None]
    ) -> None:
        self.samplers, self.error, self.tell = samplers, error, tell
        self.begun, self.seconds = monotonic(), seconds
        self.runs: list[Run] = []
        self.refused: dict[str, str] = {}

    @property
    def elapsed(self) -> float:
        return monotonic() - self.begun

    def take(self, source: Source) -> bool:
        """One run of a source; false if it refuses the model, and then it is not asked again.

        Raises
        ------
        TimeoutError, KeyboardInterrupt
            When time is up before it ends.
        """
        start = monotonic()
        self._tell()
        try:
            settings, found = interruptible(lambda: source.run(len(source.runs)), self._look)
        except ModelError as error:
            self.refused[source.scorer] = str(error)
            self.samplers = [other for other in self.samplers if other is not source]
            return False
        index, taken = len(source.runs), monotonic() - start
        made = [Run(source.scorer, name, settings, index, evidence, taken) for name, evidence in found.items()]
        self.runs += made
        source.runs.append(made[0])
        return True

    def next_one(self) -> Source | None:
        """The sampler to run now; None when all is known, or when nothing would end in time."""
        known = [source for source in self.samplers if source.known]
        wanted: list[Source] = [source for source in self.samplers if not source.runs]
        if known:
            first = min(known, key=lambda source: source.cost(self.error))
            few = not first.grows and len(first.runs) < FEWEST_RUNS
            if few or first.estimate.standard_error > self.error:
                wanted.append(first)
            others = [source for source in self.samplers if source is not first]
            if not any(source.known and source.estimate.standard_error <= CHECK_ERROR for source in others):
                wanted += _worth_more(others)
        else:
            wanted += _worth_more(self.samplers)
        left = self.seconds - self.elapsed
        return next((source for source in wanted if source.seconds < left), None)

    def _look(self) -> None:
        self._tell()
        if self.elapsed > self.seconds:
            raise TimeoutError

    def _tell(self) -> None:
        self.tell(min(self.elapsed, self.seconds), self._words())

    def _words(self) -> str:
        known = [source.estimate for source in self.samplers if source.known]
        best = min(known, key=lambda each: each.standard_error, default=Evidence(nan))
        return in_words(best.log_evidence, best.standard_error, NO_DOUBT)


def _worth_more(sources: list[Source]) -> list[Source]:
    """Those from which another run may tell more, those that grow first."""
    some = [source for source in sources if source.runs and (source.grows or len(source.runs) < MOST_DOUBTED)]
    return sorted(some, key=lambda source: not source.grows)


def _verdict(race: _Race, sources: list[Source]) -> Certified:
    bounds = _bounds(sources)
    least = max(bounds.values(), default=-inf)
    known = sorted((s for s in race.samplers if s.known), key=lambda source: source.estimate.standard_error)
    if not known:
        doubt = NO_DOUBT
        for source in race.samplers:
            doubt |= source.estimate.doubt
        return _unknown(race, doubt, least)
    best, others = known[0], known[1:]
    found, doubt = best.estimate, NO_DOUBT
    if any(
        abs(other.estimate.log_evidence - found.log_evidence)
        > APART * hypot(other.estimate.standard_error, found.standard_error)
        for other in others
    ):
        doubt |= Doubt.RUNS_DIFFER
    if any(
        found.log_evidence + APART * found.standard_error < bound
        for source, bound in bounds.items()
        if source is not best
    ):
        doubt |= Doubt.BELOW_BOUND
    if doubt:
        return _unknown(race, doubt, least)
    checks = [other for other in others if other.estimate.standard_error <= CHECK_ERROR]
    return Certified(
        found,
        best.scorer,
        checks[0].scorer if checks else "",
        checks[0].estimate.standard_error if checks else nan,
        least,
        found.standard_error <= race.error,
        tuple(race.runs),
        race.refused,
        race.elapsed,
    )


def _unknown(race: _Race, doubt: Doubt, least: float) -> Certified:
    unknown = Evidence(nan, doubt=doubt)
    return Certified(unknown, "", "", nan, least, False, tuple(race.runs), race.refused, race.elapsed)


def _bounds(sources: list[Source]) -> dict[Source, float]:
    """What each says that the log evidence is above, all together with ``CONFIDENCE``."""
    unbiased = [source for source in sources if source.estimator.over_runs == "mean" and source.runs]
    found = {}
    for source in sources:
        value = source.estimate.log_evidence
        if isnan(value) or Doubt.RUN_FAILED in source.estimate.doubt:
            continue
        if source.estimator.bound == "lower":
            found[source] = value
        elif source in unbiased:
            found[source] = float(at_least(value, 1 - (1 - CONFIDENCE) / len(unbiased)))
    return found
