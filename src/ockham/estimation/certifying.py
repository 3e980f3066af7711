"""One evidence that can be quoted: estimators that fail in different ways, run until they agree to within an error.

``certify`` knows no family: what it runs are functions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor, inf, isnan, nan
from time import monotonic
from typing import Any

from ockham.contracts import NO_DOUBT, Doubt, Evidence
from ockham.errors import ConfigError, ModelError
from ockham.estimation.combining import ROUNDING, at_least
from ockham.estimation.doubting import LARGEST_ERROR, doubt_of_error
from ockham.estimation.growing import APART, above, differ
from ockham.estimation.interrupting import Job, JobLeft, work
from ockham.estimation.intervals import interval
from ockham.estimation.sources import Run, Source, Sources
from ockham.estimation.standing_alone import STEADY_ERROR, is_single, is_steady
from ockham.estimation.wording import CONFIDENCE, bound_in_words, error_in_words, in_words

__all__ = ["LEFT", "Certified", "certify", "certify_again"]

CHECK_COST, CHECK_SECONDS = 10, 10.0
"""When all is known but a check: how many times what the estimate took a run may take, or seconds, if that is more."""
FEWEST_RUNS, MOST_DOUBTED, MOST_DISPUTED = 2, 3, 6
"""Runs that are pooled at the least; and at the most while they are doubted, for more of the same would not help, or
while others speak against them, as a few runs may have too small an error by chance."""
LEADING_SHARE = 0.6
"""Of the time that is left, up to which one that leads has another run, of twice the work, before others begin."""
EXACT_SHARE = 0.5
"""Of the time that is left, for all exact sums together."""
LEFT = "took longer than its share of the time"
"""What is said of an exact sum that was left."""


@dataclass(frozen=True, repr=False)
class Certified:
    """The evidence of a model, or what is known in place of it.

    Attributes
    ----------
    evidence : Evidence
        NaN where it is unknown, with the reasons in ``doubt``.
    scorer : str
        That it is from; empty where it is unknown.
    checked_by : str
        Another scorer that agrees with it, within the errors of both; empty where none could.
    check_error : float
        Standard error of the other, NaN without one.
    at_least : float
        What the log evidence is above; -inf where nothing is known.
    reached : bool
        Whether its standard error is as small as was asked for.
    runs : tuple of Run
        All that were made.
    refused : mapping of str to str
        Scorers that could not take the model, or were left, and why.
    seconds : float
        Wall time of the call, which other models may have shared.
    late : bool
        Whether no run of a scorer that takes the model ended in time.
    at_least_probability : float
        With which ``at_least`` holds: 1 for a proven bound, and .95 for one of unbiased estimates.
    interrupted : bool
        Whether Ctrl-C ended it.
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
    late: bool = False
    at_least_probability: float = 1.0
    interrupted: bool = False

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

    @property
    def rests_on(self) -> str:
        """What it rests on beside the data, where the family has something to say of it."""
        return self.evidence.rests_on

    @property
    def refused_lines(self) -> str:
        """``<scorer>: <why>`` in a line for each scorer that could not take the model."""
        return "\n".join(f"{scorer}: {why}" for scorer, why in self.refused.items())

    @property
    def unchecked(self) -> str:
        """What no second estimate was: ``made``, or ``precise enough``; empty where one agrees or none is needed."""
        if not self.standard_error > 0 or self.checked_by:
            return ""
        others = [run.evidence for run in self.runs if run.scorer != self.scorer]
        return "precise enough" if any(of.doubt or of.standard_error > 0 for of in others) else "made"

    def interval(self, probability: float = 0.95) -> tuple[float, float]:
        """That holds the log evidence with a probability; where it is unknown from ``at_least`` on, or from -inf where
        that has less of a probability.

        Raises
        ------
        ConfigError
            For what is no probability.
        """
        if not (isinstance(probability, int | float) and 0 <= probability <= 1):
            raise ConfigError(f"probability: {probability!r} must be from 0 to 1")
        if not self.trusted:
            return self.at_least if probability <= self.at_least_probability else -inf, inf
        if self.standard_error == 0:  # whatever the probability, 1 included
            return self.log_evidence, self.log_evidence
        low, high = interval(self.log_evidence, self.standard_error, self.evidence.degrees_of_freedom, probability)
        return float(low), float(high)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is unknown, in words; nothing where it is known."""
        if self.trusted:
            return ()
        refusals = () if self.late else tuple(self.refused.values())
        late = "no run ended before Ctrl-C" if self.interrupted else "no run ended in time; allow more seconds"
        return self.doubt.reasons or refusals or (late,)

    @property
    def words(self) -> str:
        """``-12.34 +- 0.05``, ``-12.34`` for an exact value, ``at least -14.30``, or ``unknown``."""
        if self.trusted:
            return in_words(self.log_evidence, self.standard_error or nan, self.doubt)
        if self.at_least == -inf:
            return "unknown"
        least = floor(round(100 * self.at_least, 6)) / 100  # for of what is above it nothing is known
        return bound_in_words(least, self.at_least_probability)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"

    def __str__(self) -> str:
        also = "" if self.reached or not self.trusted else "; the error asked for was not reached"
        also += f"; {self.rests_on}" if self.rests_on else ""
        if self.standard_error == 0:
            return f"{self.words} (exact{also})"
        if self.trusted:
            by = f"{self.checked_by} +- {error_in_words(self.check_error)}" if self.checked_by else "no other"
            return f"{self.words} ({self.scorer}, checked by {by}{also})"
        return f"{self.words} ({'; '.join(self.reasons)}{also})"


def certify(
    models: Sequence[Sources],
    error: float,
    seconds: float,
    tell: Callable[[float, str], None] = lambda elapsed, words: None,
    n_threads: int = 1,
) -> tuple[list[Certified], bool]:
    """Run what there is until an error is reached for every model, and say what is known then, or when time is up.

    Parameters
    ----------
    models : sequence of Sources
    error : float
        Standard error to reach, in nats.
    seconds : float
        Of wall time for all, after which it ends with what is known; so does Ctrl-C.
    tell : callable
        Is told the seconds so far, and what is known.
    n_threads : int
        Runs at a time, each of another model.

    Returns
    -------
    list of Certified
        One for each model.
    bool
        Whether Ctrl-C ended it.

    Notes
    -----
    The cheapest sampler that is not doubted goes on until it has the error; another is asked until it agrees to within
    half a nat, and no third is begun then. A value is unknown if all are doubted, if its error is above half a nat, if
    two differ by more than their errors, if a run that was trusted is higher by more, if it is below a bound, if only
    few passes in one direction tell it, and the last runs of no sampler are alike to within errors of .2 nats, or if a
    single run both ways alone does. A sampler that doubts whatever it finds, as some do under sparse priors, is run
    once, for its mean if that is a bound, and else when all else is in vain. One that leads goes on before others
    begin, while a run takes less than .6 of the time that is left. Where nothing is known, or checked, the shortest run
    comes first; where only a check is missing, none is begun that takes ten seconds and ten times what the estimate
    took. Exact sums have half of the time together; one that needs more is left. Models of which nothing is known come
    first, then those without the error, then those without a check; among these the one whose next run is the shortest.
    """
    races = [_Race(sources, error) for sources in models]
    begun, interrupted = monotonic(), False

    def next_job(left: float) -> Job | None:
        wanted = [(race.wanted(left), race) for race in races if not race.is_running]
        ready = [(found[0], found[1].seconds, k) for k, (found, _) in enumerate(wanted) if found is not None]
        if not ready:
            return None
        found, race = wanted[min(ready)[-1]]
        assert found is not None
        _, source = found
        sums = sum(other.sum_is_open for other in races)
        return race.job(source, EXACT_SHARE * left / sums if source is race.exact else inf)

    def words(elapsed: float) -> None:
        n_known = sum(race.is_known for race in races)
        tell(elapsed, races[0].words if len(races) == 1 else f"{n_known} of {len(races)} known")

    try:
        work(next_job, seconds, n_threads, words)
    except TimeoutError:
        pass  # and say what is known
    except KeyboardInterrupt:
        interrupted = True
    found = [_verdict(race, monotonic() - begun) for race in races]
    return [replace(each, interrupted=interrupted) for each in found], interrupted


def certify_again(
    sources: Sources, runs: Sequence[tuple[str, float]], refused: Sequence[str], error: float, seconds: float
) -> Certified:
    """What ``certify`` says of a model once these runs were made, whatever the clock made of them.

    Parameters
    ----------
    sources : Sources
    runs : sequence of (str, float)
        Scorers in the order in which their runs ended, and the seconds that each took.
    refused : sequence of str
        Scorers that were asked after these runs, if they had any, and could not take the model.
    error, seconds : float
        As asked for, and as ``Certified`` has it.

    Raises
    ------
    LookupError
        For a scorer that is none of the sources.
    """
    race = _Race(sources, error)
    every = {source.scorer: source for source in (*race.first, *race.samplers)}
    for scorer, took in [*runs, *((scorer, 0.0) for scorer in refused)]:
        job = race.job(every[scorer])
        try:
            outcome = job.run()
        except ModelError as refusal:
            job.done(None, refusal, took)
        else:
            job.done(outcome, None, took)
    return _verdict(race, seconds)


class _Race:
    """The sources of one model."""

    def __init__(self, sources: Sources, error: float) -> None:
        self.exact, self.bounds, self.error = sources.exact, sources.bounds, min(error, LARGEST_ERROR)
        self.samplers = list(sources.samplers)
        self.first = [*([sources.exact] if sources.exact is not None else []), *sources.bounds]
        self.runs: list[Run] = []
        self.refused: dict[str, str] = {}
        self.is_running = False

    @property
    def known(self) -> list[Source]:
        """Those that no proven bound refutes: first those steady with a small error, and the smallest error first."""
        proven = self.proven
        some = [source for source in self.samplers if source.known and not _is_below(source.estimate, proven)]
        return sorted(some, key=_rank)

    @property
    def is_exact(self) -> bool:
        return self.exact is not None and bool(self.exact.runs)

    @property
    def sum_is_open(self) -> bool:
        """Whether nobody has tried the exact sum yet."""
        return self.exact is not None and self.exact in self.first

    @property
    def is_known(self) -> bool:
        return self.is_exact or (bool(self.known) and not self.doubt)

    @property
    def checks(self) -> list[Source]:
        """Those that are precise enough to check the first of the known estimates."""
        return self._checks_of(self.known[0])

    @property
    def proven(self) -> float:
        """What the log evidence is above for certain."""
        return max([*(value for value, _ in _bounds(self.bounds)), *(run.bound for run in self.runs)], default=-inf)

    @property
    def bound(self) -> tuple[float, float]:
        """What the log evidence is above, and the probability with which it is."""
        return max([(self.proven, 1.0), *_bounds(self.samplers)])

    @property
    def contradiction(self) -> Doubt:
        """What speaks against the first of the known estimates: another, a bound, or that it is alone.

        Of the others every run of its own that was trusted and is higher, though more work or other runs overruled it:
        what misses a mode is too low, and the next may miss what it found.
        """
        doubt, known = NO_DOUBT, self.known
        if not known:
            return doubt
        found = known[0].estimate
        trusted = [run.evidence for run in self.runs if run.evidence.trusted and run.evidence.standard_error >= 0]
        if any(differ(other.estimate, found) for other in known[1:]) or any(above(run, found) for run in trusted):
            doubt |= Doubt.RUNS_DIFFER
        if _is_below(found, self.bound[0]):
            doubt |= Doubt.BELOW_BOUND
        told = [known[0], *self.checks]
        if not any(is_steady(source) for source in told) or (len(told) == 1 and is_single(known[0])):
            doubt |= Doubt.UNCHECKED
        return doubt

    @property
    def doubt(self) -> Doubt:
        """The same, and what its error says against it, which more runs may make small."""
        return self.contradiction | doubt_of_error(self.known[0].estimate.standard_error)

    def wanted(self, left: float) -> tuple[int, Source] | None:
        """How late a run may come, and its source; None when all is known, or when nothing would end in time."""
        if self.is_exact:
            return None
        if self.first:
            return 0, self.first[0]
        leading = [source for source in _worth_more(self.samplers) if source.leads]
        leading = [source for source in leading if source.grows and source.seconds < LEADING_SHARE * left]
        if self.contradiction == Doubt.UNCHECKED:
            rank, sources = 1, [*leading, *self._new, *_worth_more(self.samplers)]
        elif self.contradiction:
            rank, sources = 1, [*self._new, *self._disputed]
        elif self.known:
            best = self.known[0]
            if best.estimate.standard_error > self.error:
                steady = [source for source in self.known if is_steady(source)]
                best = min(steady or self.known, key=lambda source: source.cost(self.error))
            few = not best.grows and len(best.runs) < FEWEST_RUNS
            lacks_error = few or best.estimate.standard_error > self.error
            others = [source for source in self.samplers if source is not best]
            rank = 2 if lacks_error else 3
            if not lacks_error:
                left = min(left, max(CHECK_SECONDS, CHECK_COST * sum(run.seconds for run in best.runs)))
            checks = ([], []) if self._checks_of(best) else (self._new, _worth_more(others))
            more = [best] if lacks_error else []
            sources = [*more, *checks[0], *checks[1]] if best.leads else [*checks[0], *more, *checks[1]]
        else:
            in_vain = [source for source in self.samplers if not source.runs]  # but for a reason why nothing is known
            rank, sources = 1, [*leading, *self._new, *_worth_more(self.samplers), *in_vain]
        return next(((rank, source) for source in sources if source.seconds < left), None)

    def _checks_of(self, checked: Source) -> list[Source]:
        precise = [source for source in self.known if not doubt_of_error(source.estimate.standard_error)]
        return [source for source in precise if source is not checked]

    @property
    def _new(self) -> list[Source]:
        """Those without a run that may tell more; last those that will be doubted, if they still are a bound."""
        some = [source for source in self.samplers if not source.runs]
        some = [source for source in some if source.is_unbiased or not source.always_doubted]
        return sorted(some, key=lambda source: source.always_doubted)

    @property
    def _disputed(self) -> list[Source]:
        """Known ones of which there are not too many runs, those that grow first, the shortest run first."""
        some = [source for source in self.known if len(source.runs) < MOST_DISPUTED]
        return sorted(some, key=lambda source: (not source.grows, source.seconds))

    def job(self, source: Source, limit: float = inf) -> Job:
        """One run of a source; if it refuses the model, or is left after ``limit`` seconds, it is not asked again."""
        self.is_running, index = True, len(source.runs)

        def done(outcome: Any, error: BaseException | None, seconds: float) -> None:
            self.is_running = False
            self.first = [other for other in self.first if other is not source]
            if isinstance(error, ModelError | JobLeft):
                self.refused[source.scorer] = LEFT if isinstance(error, JobLeft) else str(error)
                self.samplers = [other for other in self.samplers if other is not source]
            elif error is not None:
                raise error
            else:
                settings, found = outcome
                made = [Run(source.scorer, name, settings, index, each, seconds) for name, each in found.items()]
                self.runs += made
                source.add(made)

        return Job(lambda: source.run(index), done, limit)

    @property
    def words(self) -> str:
        best = self.known[0].estimate if self.is_known else Evidence(nan)
        return in_words(best.log_evidence, best.standard_error, NO_DOUBT)


def _worth_more(sources: list[Source]) -> list[Source]:
    """Those from which another run may tell more, the shortest run first."""
    some = [source for source in sources if source.runs and not source.always_doubted]
    some = [source for source in some if source.grows or len(source.runs) < MOST_DOUBTED]
    return sorted(some, key=lambda source: source.seconds)


def _rank(source: Source) -> tuple[bool, float]:
    """Those with samples that are all alike come last: their error of 0 says nothing."""
    error, steady = source.estimate.standard_error, is_steady(source)
    return not (error <= STEADY_ERROR and steady), error if error > 0 or steady else inf


def _verdict(race: _Race, seconds: float) -> Certified:
    if race.exact is not None and race.exact.runs:
        of = race.exact.runs[-1].evidence
        value = Evidence(of.log_evidence, 0.0, of.n_evaluations)
        return Certified(
            value, race.exact.scorer, "", nan, value.log_evidence, True, tuple(race.runs), race.refused, seconds
        )
    least, probability = race.bound
    known, doubt = race.known, race.doubt if race.known else NO_DOUBT
    if not known:
        for source in race.samplers:
            doubt |= source.estimate.doubt | (Doubt.BELOW_BOUND if source.known else NO_DOUBT)
    if doubt or not known:
        unknown = Evidence(nan, doubt=doubt)
        late = any(not source.runs for source in race.samplers)
        return Certified(unknown, "", "", nan, least, False, tuple(race.runs), race.refused, seconds, late, probability)
    best, checks = known[0], race.checks
    found = best.estimate
    return Certified(
        found,
        best.scorer,
        checks[0].scorer if checks else "",
        checks[0].estimate.standard_error if checks else nan,
        least,
        found.standard_error <= race.error,
        tuple(race.runs),
        race.refused,
        seconds,
        at_least_probability=probability,
    )


def _is_below(evidence: Evidence, bound: float) -> bool:
    """Whether an estimate is lower than a bound by more than its error, nats."""
    slack = APART * evidence.standard_error + ROUNDING * max(1.0, abs(evidence.log_evidence))
    return evidence.log_evidence + slack < bound


def _bounds(sources: Sequence[Source]) -> list[tuple[float, float]]:
    """What each says that the log evidence is above, with which probability; all together hold with ``CONFIDENCE``."""
    proven = [(source.estimate, 1.0) for source in sources if source.estimator.bound == "lower"]
    unbiased = [(source.unbiased, CONFIDENCE) for source in sources if source.unbiased is not None]
    found = []
    for estimate, probability in (*proven, *unbiased):
        value = estimate.log_evidence
        if isnan(value) or Doubt.RUN_FAILED in estimate.doubt:
            continue
        if probability < 1:
            value = float(at_least(value, 1 - (1 - CONFIDENCE) / len(unbiased)))
        found.append((value, probability))
    return found
