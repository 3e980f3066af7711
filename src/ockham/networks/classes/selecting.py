"""How many latent classes a table has: evidences of all numbers of classes, under one prior and under others."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from time import monotonic
from typing import Any

from ockham.errors import ConfigError, ModelError, OckhamWarning
from ockham.estimation.certifying import Certified
from ockham.estimation.interrupting import Job, work
from ockham.estimation.model_posterior import model_posterior
from ockham.io.arguments import flag, real, sequence, whole
from ockham.io.frames import MISSING_TEXTS, CategoricalTable, read_table
from ockham.io.progress import progress_bar
from ockham.networks.classes.fits import ClassFit, fit
from ockham.networks.classes.priors import Prior, class_model, distinct_rows
from ockham.networks.classes.selection import Selection, UnderPrior
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.evidences import Certify, Task, certify_networks, n_cores
from ockham.streams import Stream

__all__ = ["PRIORS", "SECONDS", "Selecting", "select"]

PRIORS = (1.0, 0.5, 2.0, "bdeu:1")
SECONDS = 120.0
SHARE_OF_OTHERS = 0.4
"""Of the time, for the priors after the first."""
OTHERS_ERROR = 0.3
"""Nats, at the least, under the priors after the first."""
MOST_CLASSES, MOST_MODELS, LONGEST = 1000, 100, 1e9

Tell = Callable[[float, str], None]


def select(
    table: Any,
    classes: Iterable[int] = range(1, 9),
    *,
    weights: Any = None,
    missing: Sequence[str] = MISSING_TEXTS,
    drop: Sequence[str] = (),
    header: bool = True,
    error: float = 0.1,
    seconds: float = SECONDS,
    priors: Sequence[float | str] = PRIORS,
    seed: int = 0,
    progress: bool = True,
) -> Selection:
    """Numbers of latent classes of a table of categorical items, judged by their evidence.

    Parameters
    ----------
    table : path, data frame, array_like or CategoricalTable
        As ``ockham.read_table`` takes it, which says what ``weights``, ``missing``, ``drop`` and ``header`` are.
    classes : iterable of int
        The numbers of classes to compare.
    error : float
        Standard error of every log evidence to reach, in nats.
    seconds : float
        Wall time after which it ends with what is known; so does Ctrl-C.
    priors : sequence of float or str
        Of class sizes and profiles: a hyperparameter of Dirichlet distributions, or ``bdeu:1`` for an equivalent sample
        size that is divided over each table. The first is the one that results have; under the others the evidences
        are computed in two fifths of the time, to see what the choice rests on. With one prior there are no others.
    seed : int
        Root of the random streams; the same runs give the same bits, though how many there are depends on the machine.
    progress : bool
        Whether to show on a terminal or in a notebook how far it is.

    Returns
    -------
    Selection

    Warns
    -----
    OckhamWarning
        When an evidence stays unknown, and with it p(K | data); and for each warning that the table has.

    Raises
    ------
    DataError
        For what is no table of categorical items.
    ConfigError
        For another argument that cannot be.
    ModelError
        For models that memory has no room for.
    """
    read = read_table(table, missing=missing, drop=drop, weights=weights, header=header)
    numbers = _numbers(classes)
    error = real(error, "error", 1e-6, 1e6, ConfigError)
    seconds = real(seconds, "seconds", 1e-3, LONGEST, ConfigError)
    chosen = [Prior.of(prior) for prior in _listed(priors, "priors")]
    if not chosen or len(set(chosen)) < len(chosen):
        raise ConfigError("priors: must be one or more, each given once")
    root = whole(seed, "seed", 0, 2**63 - 1, ConfigError)
    if not isinstance(table, CategoricalTable):
        for warning in read.warnings:
            warnings.warn(warning, OckhamWarning, stacklevel=2)
    with progress_bar(seconds, shown=flag(progress, "progress", ConfigError)) as tell:
        found = Selecting(read, numbers, chosen, error, seconds, root, tell).run()
    if unknown := found.main.posterior.unknown:
        reasons = "; ".join(f"{k}: {found.main.evidences[k]}" for k in unknown)
        warnings.warn(f"the evidence of some numbers of classes is not known: {reasons}", OckhamWarning, stacklevel=2)
    return found


def _listed(given: Any, name: str) -> tuple[Any, ...]:
    return (given,) if isinstance(given, str) else sequence(given, name, ConfigError)


def _numbers(classes: Any) -> tuple[int, ...]:
    given = [whole(k, "classes", 1, MOST_CLASSES, ConfigError) for k in sequence(classes, "classes", ConfigError)]
    if not 0 < len(set(given)) == len(given) <= MOST_MODELS:
        raise ConfigError(f"classes: must be 1 to {MOST_MODELS} numbers, each given once")
    return tuple(sorted(given))


class Selecting:
    """One call, against the clock."""

    def __init__(
        self,
        table: CategoricalTable,
        numbers: tuple[int, ...],
        priors: list[Prior],
        error: float,
        seconds: float,
        root: int,
        tell: Tell,
        certify: Certify = certify_networks,
    ) -> None:
        self.table, self.numbers, self.priors, self.error = table, numbers, priors, error
        self.seconds, self.root, self.tell, self.begun = seconds, root, tell, monotonic()
        self.data, self.certify = distinct_rows(table), certify
        self.models = {prior: {k: class_model(table, k, prior) for k in numbers} for prior in priors}
        self.n_threads = n_cores()
        self.interrupted = False

    @property
    def left(self) -> float:
        return max(self.seconds - (monotonic() - self.begun), 0.0)

    def run(self) -> Selection:
        first, *others = self.priors
        fits = self.fits(self.models[first])
        evidences = self._evidences([first], self.left - bool(others) * SHARE_OF_OTHERS * self.seconds, self.error)
        evidences |= self._evidences(others, self.left, max(self.error, OTHERS_ERROR))
        under = []
        for prior in self.priors:
            found = evidences[prior]
            posterior = model_posterior(found, Stream(self.root, "select", "posterior", prior.name))
            under.append(UnderPrior(prior, self.models[prior], found, posterior))
        return Selection(
            data=self.data,
            labels=dict(zip(self.table.names, self.table.categories, strict=True)),
            notes=self.table.notes,
            main=under[0],
            others=tuple(under[1:]),
            fits=fits,
            error=self.error,
            seed=self.root,
            seconds=monotonic() - self.begun,
            interrupted=self.interrupted,
        )

    def fits(self, models: dict[int, DiscreteNetwork]) -> dict[int, ClassFit]:
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
                elif not isinstance(error, ModelError):  # which its evidence says, too
                    raise error

            return Job(lambda: fit(models[k], self.data, self.root), done)

        try:
            work(next_job, self.left, self.n_threads, self._told("fits", lambda: f"{len(found)} of {len(models)}"))
        except TimeoutError:
            pass  # the others have none
        except KeyboardInterrupt:
            self.interrupted = True
        return {k: found[k] for k in models if k in found}

    def _evidences(self, priors: list[Prior], seconds: float, error: float) -> dict[Prior, dict[int, Certified]]:
        """Under each prior, of each number of classes."""
        tasks = [
            Task(model, self.data, Stream(self.root, "select", prior.name, k))
            for prior in priors
            for k, model in self.models[prior].items()
        ]
        begun = monotonic() - self.begun
        of_others = "" if priors == self.priors[:1] else ", other priors"
        found, interrupted = self.certify(
            tasks,
            error,
            0.0 if self.interrupted else max(seconds, 0.0),
            lambda elapsed, words: self.tell(begun + elapsed, f"evidence{of_others}: {words}"),
            self.n_threads,
        )
        self.interrupted |= interrupted
        each = iter(found)
        return {prior: {k: next(each) for k in self.numbers} for prior in priors}

    def _told(self, what: str, words: Callable[[], str]) -> Callable[[float], None]:
        return lambda elapsed: self.tell(elapsed, f"{what}: {words()}")
