"""The five-line way in: one model and one array of data, to one scorer or to those that can be believed together."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf, isfinite, isnan, log, nan
from typing import Any, TypeVar

import numpy as np
from numpy.linalg import LinAlgError
from pydantic import ValidationError

from ockham import families
from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence, Model, Plan, Scorer
from ockham.errors import ConfigError, ModelError, OckhamWarning
from ockham.estimation.certifying import Certified, certify
from ockham.estimation.combining import combine_runs
from ockham.estimation.doubting import ROUNDING, doubt_of_bound, doubt_of_error
from ockham.estimation.interrupting import interruptible
from ockham.estimation.wording import describe, error_in_words
from ockham.io.arguments import flag, text, whole
from ockham.io.blas import one_blas_thread
from ockham.io.progress import progress_bar
from ockham.io.yaml_files import error_lines
from ockham.streams import Stream
from ockham.table_results.limits import error_of, seconds_of, seed_of

__all__ = ["Scores", "bounds_beside", "evidence", "judged", "score", "scorers", "settings_of", "warn"]

Key = TypeVar("Key")
MAX_RUNS = 10**6
RUNS, RUNS_OF_A_MEAN = 3, 8
"""Unless the caller says how many; of a mean of runs that know no errors of their own."""
FEWEST_OF_A_MEAN = 5
"""Runs, with fewer of which such a mean is doubted: how often its intervals hold was measured with five and eight."""
SAMPLING_ERROR = "monte_carlo_error"
"""The diagnostic of a random approximation, of all scores of a scorer or after the name of one: its standard error
by the draws, nats."""
DEVIATION = "deviation_of_runs"
"""The diagnostic of a random approximation from several runs: their standard deviation, nats; how far they all are from
the evidence is not in it."""


class Scores(dict[Key, Evidence]):
    """Evidences by name of the score, or by number of rows; the text has a line for each, with what is known."""

    def __init__(self, found: Mapping[Key, Evidence], estimators: Mapping[Key, Estimator]) -> None:
        super().__init__(found)
        self._estimators = estimators

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {_said(name, found, self._estimators[name])}" for name, found in self.items())


def score(
    model: Model,
    data: Any,
    scorer: str | None = None,
    *,
    runs: int | None = None,
    seed: int = 0,
    progress: bool = True,
    **settings: Any,
) -> Scores[str]:
    """Scores of one model on one data set, from several runs. Ctrl-C ends it at once.

    Parameters
    ----------
    model : DiscreteNetwork, RestrictedBoltzmann, OrderSpace, FiniteMixture, or of a family from elsewhere
    data : array_like of int, shape (n, n_observed), or of a mixture of float
        States counted from 0, one column per observed variable in the network's order, per visible unit, or per node;
        of a mixture the cells themselves.
        Columns of a data frame are found by the names of the variables, or of a mixture's items, if it has them. Or,
        for networks and orders, what ``read_table`` returns, and for mixtures ``read_mixed_table``; or the ``data`` of
        what ``select`` and ``compare`` return.
        For a network or a mixture, cells may be missing at random: NaN or masked, or of a network -1. They are summed
        out.
    scorer : str, optional
        One of ``ockham.scorers(model)``. For a network ``em`` (MAP, BIC, BICp, Cheeseman-Stutz), ``em_ml``, ``vb``,
        which is the default, ``vb_from_cs``, ``ais``, ``bridge``, ``tempered_smc``, ``smc``, ``candidate``,
        ``laplace``, ``laplace_sum``, ``nested_map``, ``ais_completions``, ``ais_from_vb``, ``sbic``, ``wbic`` or
        ``exact``; for a mixture those of them that it has. For a machine ``laplace``, which is the default, ``ais``,
        ``bic``, ``cross_validation`` or ``langevin`` (harmonic means, bridge sampling, DIC). For a space of graphs
        ``ais``, which is the default, ``mc3``, ``blocks`` (an upper bound) or ``exact``.
    runs : int, optional
        Independent runs, such as restarts from other parameters: three by default, and eight where their mean has its
        error from their spread alone.
    seed : int
        Root of the random streams; the same seed gives the same bits.
    progress : bool
        Whether to show on a terminal or in a notebook how far it is.
    **settings
        The scorer's own settings, such as ``max_iterations``.

    Returns
    -------
    Scores
        A dictionary of ``Evidence`` by name of the score, in nats: the highest of restarts, the mean of unbiased
        estimates, the median of others, of random approximations with their ``diagnostics["deviation_of_runs"]``;
        without alias correction, which would add ``log(network.n_aliases)`` for a network. ``n_evaluations`` is the sum
        over runs. ``trusted`` says whether a value may be quoted with its error;
        ``doubt.reasons`` why not, such as that it is, with the alias correction, below a proven lower bound: its own,
        or else that of a run of variational Bayes; ``rests_on``, for mixtures of numbers or counts, that what takes a
        prior rests on theirs.

    Warns
    -----
    OckhamWarning
        For an estimate that is not to be trusted: why, and what is known in spite of it.

    Raises
    ------
    DataError
        For data that do not fit the model.
    ConfigError
        For an unknown scorer or setting, or what is no model.
    ModelError
        When the scorer refuses the model, such as an exact sum that would take too long, and when a fit diverges.
    """
    family = families.family_of(model)
    name = family.default_scorer if scorer is None else text(scorer, "scorer", ConfigError)
    module = families.scorer(family.name, name)
    n_given = None if runs is None else whole(runs, "runs", 1, MAX_RUNS, ConfigError)
    root = seed_of(seed)
    chosen = settings_of(module, name, settings)
    rows = family.read(model, data)
    found: list[dict[str, Evidence]] = []
    bounds: list[float] = []

    def n_wanted() -> int:
        return n_given or (RUNS_OF_A_MEAN if any(map(spread_tells, module.ESTIMATES)) else RUNS)

    def spread_tells(label: str) -> bool:
        """Whether the spread of the runs, of which there is one at least, is all that there is for an error."""
        return module.ESTIMATES[label].over_runs == "mean" and isnan(found[0][label].standard_error)

    def run_all() -> None:
        try:
            found.append(families.run(module, model, rows, chosen, Stream(root, "run", 0)))
            for run in range(1, n_wanted()):
                found.append(families.run(module, model, rows, chosen, Stream(root, "run", run)))
        except LinAlgError as error:
            raise ModelError(
                f"{name}: a matrix has no decomposition ({error}), as where a fit diverges; take a wider prior, or a "
                "smaller step or exact expectations, if its settings have them"
            ) from error
        if not any(about.bound == "lower" or about.reference == "known" for about in module.ESTIMATES.values()):
            bounds.extend(bounds_beside(model, rows, root))

    def tell_of_runs(tell: Callable[[float, str], None]) -> None:
        n_runs = n_wanted() if found else n_given or RUNS
        tell(len(found) / n_runs, f"{len(found)} of {n_runs} runs")

    with one_blas_thread(), progress_bar(1.0, shown=flag(progress, "progress", ConfigError)) as tell:
        interruptible(run_all, lambda: tell_of_runs(tell))
    combined = {
        label: replace(
            combine_runs(about, [run[label] for run in found]),
            rests_on=family.rests_on(model) if about.uses_prior else "",
        )
        for label, about in module.ESTIMATES.items()
    }
    proven = [combined[label].log_evidence for label, about in module.ESTIMATES.items() if about.bound == "lower"]
    bound = max((each for each in (*proven, *bounds) if not isnan(each)), default=-inf)
    for label, about in module.ESTIMATES.items():
        if spread_tells(label) and len(found) < FEWEST_OF_A_MEAN:
            combined[label] = replace(combined[label], doubt=combined[label].doubt | Doubt.FEW_EFFECTIVE_SAMPLES)
        if about.over_runs == "median_without_error" and len(found) > 1:
            combined[label] = _with_spread(combined[label], [run[label].log_evidence for run in found])
        combined[label] = judged(combined[label], about, model, bound)
        warn(label, about, combined[label], stacklevel=3)
    return Scores(combined, module.ESTIMATES)


def evidence(
    model: Model, data: Any, error: float = 0.1, seconds: float = 60.0, *, seed: int = 0, progress: bool = True
) -> Certified:
    """The log evidence of a model with an error that can be believed, or what is known in place of it.

    Where the exact sum is cheap it is made. Else estimators that fail in different ways run until one has the error and
    another agrees with it, for as long as is allowed. Ctrl-C ends that, too, and what is known by then is returned.

    Parameters
    ----------
    model : DiscreteNetwork, FiniteMixture or RestrictedBoltzmann, or of a family from elsewhere that has a plan for it
    data : array_like
        As ``score`` takes them.
    error : float
        Standard error to reach, in nats.
    seconds : float
        Wall time after which it ends.
    seed : int
        Root of the random streams; the same runs give the same bits, though how many there are depends on the machine.
    progress : bool
        Whether to show on a terminal or in a notebook how far it is and what is known.

    Returns
    -------
    Certified
        ``log_evidence`` and ``standard_error`` in nats, ``interval(probability)``, ``trusted``, and, where it is not,
        ``at_least``; ``runs`` has all that it was made from. Its text says it in a line, and for mixtures of numbers or
        counts that it rests on their priors.

    Warns
    -----
    OckhamWarning
        When the evidence stays unknown: why, and what is known; or when its error is larger than was asked for.

    Raises
    ------
    DataError
        For data that do not fit the model.
    ConfigError
        For a family that has no such plan, or an argument that cannot be.
    """
    family = families.family_of(model)
    plan = families.plan_of(family, model)
    if not (plan.exact or plan.samplers):
        raise ConfigError(f"model: {family.name} has no plan for its evidence; score it: ockham.score(model, data)")
    error = error_of(error)
    seconds = seconds_of(seconds)
    root = seed_of(seed)
    rows = family.read(model, data)

    sources = families.sources(model, rows, Stream(root, "evidence"), plan)
    with one_blas_thread(), progress_bar(seconds, shown=flag(progress, "progress", ConfigError)) as tell:
        (found,), _ = certify([sources], error, seconds, tell)
    found = replace(found, evidence=replace(found.evidence, rests_on=family.rests_on(model)))
    if not found.trusted:
        warnings.warn(f"the evidence is not known: {found}", OckhamWarning, stacklevel=2)
    elif not found.reached:
        warnings.warn(f"the error of {error:g} nats was not reached: {found}", OckhamWarning, stacklevel=2)
    return found


def scorers(model: Any) -> tuple[str, ...]:
    """The scorers that a model can be given to.

    Raises
    ------
    ConfigError
        For what is no model of any family.
    """
    return families.scorer_names(families.family_of(model).name)


def settings_of(module: Scorer[Any, Any, Any], name: str, given: Mapping[str, Any]) -> Any:
    """A scorer's settings; a ConfigError for a key that it does not have, or a value that cannot be."""
    try:
        return module.Settings(**given)
    except ValidationError as error:
        known = ", ".join(module.Settings.model_fields)
        raise ConfigError(f"{'; '.join(error_lines(error, f'settings of {name}: '))}; there are {known}") from error


def bounds_beside(model: Model, rows: Any, root: int) -> list[float]:
    """Proven lower bounds, nats, by one run of each scorer that the family has for them and that takes the model."""
    found = []
    plan = Plan(bounds=families.family_of(model).plan.bounds)
    for source in families.sources(model, rows, Stream(root, "bounds"), plan).bounds:
        try:
            _, of_run = source.run(0)
        except ModelError:
            continue
        found.append(next(iter(of_run.values())).log_evidence)
    return found


def _with_spread(found: Evidence, values: Sequence[float]) -> Evidence:
    """An approximation with the standard deviation of its runs, and what that says against it."""
    known = [value for value in values if isfinite(value)]
    deviation = float(np.std(known, ddof=1)) if len(known) > 1 else nan
    differ = NO_DOUBT if isnan(deviation) or not doubt_of_error(deviation) else Doubt.RUNS_DIFFER
    return replace(found, diagnostics={**found.diagnostics, DEVIATION: deviation}, doubt=found.doubt | differ)


def judged(found: Evidence, estimator: Estimator, model: Model, bound: float) -> Evidence:
    """With what its error, and a proven lower bound, nats, say against it.

    An approximation has no error that could explain that it is below the bound.
    """
    if estimator.bound != "none" or estimator.reference == "known":
        return found
    value, error = found.log_evidence, 0.0 if isnan(found.standard_error) else found.standard_error
    below = doubt_of_bound(value, error, bound - ROUNDING)
    if below and estimator.local:
        below = doubt_of_bound(value + _log_aliases(model), error, bound - ROUNDING)
    return replace(found, doubt=found.doubt | doubt_of_error(error) | below)


def _log_aliases(model: Model) -> float:
    """ln S, nats; 0 where there are too many to count, which is the least that it can be."""
    try:
        return log(getattr(model, "n_aliases", 1))
    except ModelError:
        return 0.0


def _said(name: object, found: Evidence, estimator: Estimator) -> str:
    about = f" ({estimator.bound} bound)" if estimator.bound != "none" else ""
    sampling = found.diagnostics.get(f"{name}_{SAMPLING_ERROR}", found.diagnostics.get(SAMPLING_ERROR, nan))
    deviation = found.diagnostics.get(DEVIATION, nan)
    if found.trusted and not isnan(sampling):
        about += f" (an approximation; sampling error of a run {error_in_words(sampling)})"
    elif found.trusted and not isnan(deviation):
        about += f" (an approximation; runs deviate by {error_in_words(deviation)})"
    elif found.trusted and isnan(found.standard_error) and not about:
        about = " (its error is not known)"
    return describe(found, estimator) + about + "".join(f"; {reason}" for reason in found.doubt.reasons)


def warn(name: str, estimator: Estimator, found: Evidence, stacklevel: int) -> None:
    """Say why an estimate is not to be trusted, and what is known of the evidence in spite of it."""
    if found.doubt:
        known = describe(found, estimator)
        warnings.warn(f"{name}: {known}: {'; '.join(found.doubt.reasons)}", OckhamWarning, stacklevel=stacklevel)
