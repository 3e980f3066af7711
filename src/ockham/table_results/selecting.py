"""Evidences of all numbers of classes, under one prior and under others, and fits beside, against one clock."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ockham.contracts import Model
from ockham.errors import ConfigError, ModelError, OckhamWarning
from ockham.estimation.certifying import Certified
from ockham.estimation.interrupting import Job, work
from ockham.estimation.model_posterior import model_posterior
from ockham.io.arguments import flag, sequence, whole
from ockham.io.lists import members
from ockham.io.progress import progress_bar
from ockham.streams import Stream
from ockham.table_results.evidences import Certify, Task, certify_models, n_cores
from ockham.table_results.limits import error_of, seconds_of, seed_of
from ockham.table_results.selection import ClassFit, ClassPrior, Selection, UnderPrior

__all__ = ["SECONDS", "Demand", "Judge", "Judging", "Outcome", "checked_priors", "judged", "warn_of_unknown"]

SECONDS = 115.0
"""Two minutes with what comes before and after."""
SHARE_OF_OTHERS = 0.3
"""Of the time, for the priors after the first."""
OTHERS_ERROR = 0.3
"""Nats, at the least, under the priors after the first."""
MOST_CLASSES, MOST_MODELS = 1000, 100

Prior = TypeVar("Prior", bound=ClassPrior)


class Demand(NamedTuple):
    """What is asked for: numbers of classes, error in nats, seconds, root seed, and whether progress is shown."""

    classes: tuple[int, ...]
    error: float
    seconds: float
    root: int
    progress: bool

    @classmethod
    def of(cls, classes: Any, error: Any, seconds: Any, seed: Any, progress: Any) -> "Demand":
        """With everything checked; a ConfigError for what cannot be."""
        listed = members(classes, "classes", MOST_MODELS, ConfigError)
        given = [whole(k, "classes", 1, MOST_CLASSES, ConfigError) for k in listed]
        if not 0 < len(set(given)) == len(given) <= MOST_MODELS:
            raise ConfigError(f"classes: must be 1 to {MOST_MODELS} numbers, each given once")
        return cls(
            tuple(sorted(given)),
            error_of(error),
            seconds_of(seconds),
            seed_of(seed),
            flag(progress, "progress", ConfigError),
        )


class Outcome(NamedTuple):
    """What came of it: under each prior, the first one's fits, wall time, and whether Ctrl-C ended it."""

    under: tuple[UnderPrior, ...]
    fits: Mapping[int, Any]
    seconds: float
    interrupted: bool


Judge: TypeAlias = Callable[
    [Any, Mapping[Any, Mapping[int, Model]], Callable[[Any, Any, int], ClassFit], Demand], Outcome
]
"""``judged``, or what takes its place where runs are made again."""


def checked_priors(given: Any, of: Callable[[object], Prior]) -> list[Prior]:
    """Priors as the family makes them of what is given; a ConfigError unless there are some, each once."""
    listed = (given,) if isinstance(given, str) else sequence(given, "priors", ConfigError)
    chosen = [of(prior) for prior in listed]
    if not chosen or len(set(chosen)) < len(chosen):
        raise ConfigError("priors: must be one or more, each given once")
    return chosen


def judged(
    data: Any,
    models: Mapping[Any, Mapping[int, Model]],
    fit: Callable[[Any, Any, int], ClassFit],
    demand: Demand,
) -> Outcome:
    """Models by prior and number of classes, the first prior at the error asked for, the others in the time left.

    ``fit`` makes a fit of a model to the data at a root seed.
    """
    with progress_bar(demand.seconds, shown=demand.progress) as tell:
        return Judging(data, models, fit, demand, tell).run()


def warn_of_unknown(found: Selection, stacklevel: int) -> None:
    """Warn the caller of the evidences that stayed unknown, and why."""
    if unknown := found.main.posterior.unknown:
        words = "; ".join(f"{k}: {found.main.evidences[k]}" for k in unknown)
        warnings.warn(
            f"the evidence of some numbers of classes is not known: {words}", OckhamWarning, stacklevel=stacklevel + 1
        )


class Judging:
    """One call, against the clock."""

    def __init__(
        self,
        data: Any,
        models: Mapping[Any, Mapping[int, Model]],
        fit: Callable[[Any, Any, int], ClassFit],
        demand: Demand,
        tell: Callable[[float, str], None],
        certify: Certify = certify_models,
    ) -> None:
        self.data, self.models, self.fit, self.demand, self.tell = data, models, fit, demand, tell
        self.begun, self.certify = monotonic(), certify
        self.n_threads = n_cores()
        self.interrupted = False

    @property
    def left(self) -> float:
        return max(self.demand.seconds - (monotonic() - self.begun), 0.0)

    def run(self) -> Outcome:
        first, *others = self.models
        fits = self.fits(self.models[first])
        of_others = SHARE_OF_OTHERS * self.demand.seconds if others else 0.0
        evidences = self._evidences([first], self.left - of_others, self.demand.error)
        evidences |= self._evidences(others, self.left, max(self.demand.error, OTHERS_ERROR))
        under = []
        for prior, models in self.models.items():
            found = evidences[prior]
            posterior = model_posterior(found, Stream(self.demand.root, "select", "posterior", prior.name))
            under.append(UnderPrior(prior, models, found, posterior))
        return Outcome(tuple(under), fits, monotonic() - self.begun, self.interrupted)

    def fits(self, models: Mapping[int, Model]) -> dict[int, ClassFit]:
        """Of those numbers of classes that there is time for."""
        found: dict[int, ClassFit] = {}
        waiting = list(models)

        def next_job(left: float) -> Job | None:
            if not waiting or left < 0:
                return None
            k = waiting.pop(0)

            def done(outcome: ClassFit, error: BaseException | None, seconds: float) -> None:
                if error is None:
                    found[k] = outcome
                elif not isinstance(error, ModelError | MemoryError):  # which its evidence says, too
                    raise error

            return Job(lambda: self.fit(models[k], self.data, self.demand.root), done)

        try:
            work(next_job, self.left, self.n_threads, self._told("fits", lambda: f"{len(found)} of {len(models)}"))
        except TimeoutError:
            pass  # the others have none
        except KeyboardInterrupt:
            self.interrupted = True
        return {k: found[k] for k in models if k in found}

    def _evidences(self, priors: Sequence[Any], seconds: float, error: float) -> dict[Any, dict[int, Certified]]:
        """Under each prior, of each number of classes."""
        tasks = [
            Task(model, self.data, Stream(self.demand.root, "select", prior.name, k))
            for prior in priors
            for k, model in self.models[prior].items()
        ]
        begun = monotonic() - self.begun
        of_others = "" if priors == list(self.models)[:1] else ", other priors"
        found, interrupted = self.certify(
            tasks,
            error,
            0.0 if self.interrupted else max(seconds, 0.0),
            lambda elapsed, words: self.tell(begun + elapsed, f"evidence{of_others}: {words}"),
            self.n_threads,
        )
        self.interrupted |= interrupted
        each = iter(found)
        return {prior: {k: next(each) for k in self.demand.classes} for prior in priors}

    def _told(self, what: str, words: Callable[[], str]) -> Callable[[float], None]:
        return lambda elapsed: self.tell(elapsed, f"{what}: {words()}")
