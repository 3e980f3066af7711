"""Arc posteriors and the evidence of a user's own table: exact where that fits, or else from annealed samples."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import nan
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from ockham.contracts import NO_DOUBT, Doubt
from ockham.errors import ConfigError, DataError, ModelError, OckhamWarning
from ockham.estimation.combining import combine
from ockham.io.arguments import flag, real, shown, whole
from ockham.orders.arc_estimates import ArcEstimates
from ockham.orders.data.complete_table import CompleteTable
from ockham.orders.estimates import lower_bound, mean_of_corrected
from ockham.orders.inference import arc_samples, exact_structures, family_scores, graph_draws
from ockham.orders.inference.graph_sums import OrderSums, SumSettings
from ockham.orders.sampled_graphs import Probabilities, SampledGraphs, between_nodes
from ockham.orders.space import PRIORS, OrderSpace
from ockham.streams import Stream
from ockham.table_results.limits import LONGEST, seed_of

__all__ = ["FEWEST", "Effort", "Search", "estimate", "search"]

FEWEST = 30
"""Effective samples below which no arc is said to be probable."""
LONGEST_START = 200_000
"""Steps of the first schedule at the most."""
FIRST_SHARE = 0.125
"""Of the seconds that are allowed, for the first round of samples."""
LISTS = 5
"""What lists of parent sets take while they are made, in units of the scores of all families."""
MOST_VALUES = 2**15 - 1
"""Of a variable; states have two bytes."""
MOST_GIGABYTES, N_STEPS = 1e4, 1e6
"""Of a table of sums, and the steps that its making is set against."""


@dataclass(frozen=True)
class Effort:
    """How much may be spent on a table, and how.

    Attributes
    ----------
    seed : int
        Of samples.
    max_seconds, max_bytes : float
        CPU time and memory that everything together may take: of what can be predicted, nothing that would take more
        is begun, and sampling ends at these seconds.
    n_effective : int
        Effective samples that sampling goes on to. Where it ends before, the arcs are unknown.
    n_steps : int, optional
        Of the first schedule of annealing; by default 4 n m, but no more than 200,000 or than leave time.
    n_graphs : int
        Graphs of each sample.
    exact : bool
        Whether to take exact sums at all.

    Raises
    ------
    ConfigError
        For numbers out of bounds.
    """

    seed: int = 1
    max_seconds: float = 60.0
    max_bytes: float = 2e9
    n_effective: int = 100
    n_steps: int | None = None
    n_graphs: int = 10
    exact: bool = True

    def __post_init__(self) -> None:
        steps = self.n_steps
        for name, given in (
            ("seed", seed_of(self.seed)),
            ("max_seconds", real(self.max_seconds, "max_seconds", 0.01, LONGEST, ConfigError)),
            ("max_bytes", real(self.max_bytes, "max_bytes", 1e6, 1e15, ConfigError)),
            ("n_effective", whole(self.n_effective, "n_effective", FEWEST, 10**9, ConfigError)),
            ("n_steps", None if steps is None else whole(steps, "n_steps", 1, 10**8, ConfigError)),
            ("n_graphs", whole(self.n_graphs, "n_graphs", 1, 10**6, ConfigError)),
            ("exact", flag(self.exact, "exact", ConfigError)),
        ):
            object.__setattr__(self, name, given)


def estimate(data: CompleteTable, space: OrderSpace, **effort: Any) -> ArcEstimates:
    """Both posteriors: exact sums where they are predicted to cost no more than allowed, samples where not.

    ``effort`` has what ``Effort`` takes.

    Raises
    ------
    ConfigError
        For numbers out of bounds.
    ModelError
        When not even the scores of families, or a first round of samples, are predicted to stay within the limits.

    Warns
    -----
    OckhamWarning
        For a prior under which the arcs are unknown.
    """
    found = search(data, space, Effort(**effort)).estimates
    for k, prior in enumerate(PRIORS):
        if doubt := Doubt(int(found.arcs_doubt[k])):
            reasons = "; ".join(doubt.reasons)
            warnings.warn(f"arcs, prior {prior}: unknown: {reasons}", OckhamWarning, stacklevel=2)
    return found


@dataclass(frozen=True, eq=False)
class Search:
    """What was found of a table's structures, and what more of it can be had.

    Attributes
    ----------
    data : CompleteTable
    space : OrderSpace
    effort : Effort
    estimates : ArcEstimates
    exact : dict of str to ExactPosterior
        Sums, by the priors that have one.
    weighted : dict of str to Weighted
        Samples, by the others that were asked for.
    limits : Limits
        What is left of CPU time and memory.
    """

    data: CompleteTable
    space: OrderSpace
    effort: Effort
    estimates: ArcEstimates
    exact: dict[str, exact_structures.ExactPosterior]
    weighted: dict[str, arc_samples.Weighted]
    limits: "Limits"

    def graphs(self, prior: str, n_draws: int) -> SampledGraphs:
        """Graphs from the posterior under a prior that was asked for.

        Where the sum is exact, ``n_draws`` from this posterior, or half as many for as often as it takes them to fit,
        down to ``FEWEST``. Where not even these fit, and where there are samples, those.
        """
        if prior in self.exact:
            n, k = self.space.n_nodes, self.space.max_indegree
            while n_draws >= FEWEST:
                seconds, n_bytes = graph_draws.predicted_cost(prior, n, k, n_draws)
                if seconds <= self.limits.seconds and n_bytes <= self.limits.bytes:
                    rng = Stream(self.effort.seed, "arcs").child("exact graphs").generator()
                    scores = self.data.family_scores(self.space)
                    drawn = graph_draws.draw(prior, scores, self.exact[prior], n_draws, rng)
                    return SampledGraphs(drawn[:, None], np.zeros(n_draws), "exact posterior")
                n_draws //= 2
        if prior in self.weighted:
            weighted = self.weighted[prior]
        else:
            weighted = _sampled(self.data, self.space, [prior], self.effort, self.limits)[0][prior]
        doubt = _doubt(weighted, self.effort.n_effective)
        return SampledGraphs(weighted.graphs, weighted.log_weights, "annealing", doubt)


def search(
    data: CompleteTable, space: OrderSpace, effort: Effort, priors: Sequence[str] = PRIORS, set_aside: float = 0.0
) -> Search:
    """What ``estimate`` does, under the priors that are asked for, without a warning.

    ``set_aside`` is how many of the seconds are not to be used.
    """
    for name, got, kind in (("data", data, CompleteTable), ("space", space, OrderSpace)):
        if not isinstance(got, kind):
            raise ConfigError(f"{name}: {shown(got)} is no {kind.__name__}")
    _check_states(data)
    limits = Limits(effort.max_seconds - set_aside, effort.max_bytes)
    limits.take(
        "the scores of all families", *family_scores.predicted_cost(space, data.n), "lower the largest indegree"
    )
    summed = _exact_priors(space, priors, limits) if effort.exact else []
    sampled = [prior for prior in priors if prior not in summed]
    log_counts = {prior: _log_count(space, prior, limits) for prior in priors}
    exact = {prior: _sum(prior)(data.family_scores(space), max_bytes=limits.bytes) for prior in summed}
    columns = {prior: _summed(found, log_counts[prior]) for prior, found in exact.items()}
    about: dict[str, str | float] = {
        "max_indegree": space.max_indegree, "equivalent_sample_size": space.equivalent_sample_size,
        "root_seed": str(effort.seed), "data": data.digest, "max_seconds": effort.max_seconds,
        "max_bytes": effort.max_bytes,
        "method": ", ".join(f"{prior}: {'exact' if prior in summed else 'sampled'}" for prior in priors),
    }  # fmt: skip
    for name, given in (("forbidden", space.forbidden), ("required", space.required)):
        if given:
            about[name] = ", ".join(f"{data.names[u]} -> {data.names[v]}" for u, v in given)
    weighted: dict[str, arc_samples.Weighted] = {}
    if sampled:
        weighted, how = _sampled(data, space, sampled, effort, limits)
        columns |= {
            prior: _estimated(weighted[prior], space, prior, log_counts[prior], effort.n_effective) for prior in sampled
        }
        about |= how
    columns |= {prior: _nothing(space.n_nodes) for prior in PRIORS if prior not in priors}
    by_name = {name: np.array([getattr(columns[prior], name) for prior in PRIORS]) for name in _OfPrior._fields}
    estimates = ArcEstimates(names=data.names, about=about, **by_name)
    return Search(data, space, effort, estimates, exact, weighted, limits)


def _check_states(data: CompleteTable) -> None:
    """Raise a DataError for a table that was made by hand and that kernels cannot take."""
    states, most = data.states, np.asarray(data.cardinalities)
    sound = isinstance(states, np.ndarray) and states.ndim == 2 and states.dtype.kind in "iu" and most.dtype.kind == "i"
    sound = sound and most.shape == states.shape[1:] == (len(data.names),) and bool((most <= MOST_VALUES).all())
    if not (sound and (states >= 0).all() and (states < most).all()):
        raise DataError(
            "data: the states of a CompleteTable must be whole numbers from 0 on, shape (n_rows, n_variables), each "
            f"below the cardinality of its variable, which is {MOST_VALUES:,} at the most"
        )


class _OfPrior(NamedTuple):
    """What ``ArcEstimates`` has of one prior."""

    exact: bool
    log_evidence: float
    standard_error: float
    lower_bound: float
    effective_sample_size: float
    log_total: float
    log_count: float
    doubt: int
    arcs_doubt: int
    arcs: np.ndarray
    low: np.ndarray
    high: np.ndarray


def _nothing(n_nodes: int) -> _OfPrior:
    return _OfPrior(False, nan, nan, nan, nan, nan, nan, 0, 0, *Probabilities.unknown(n_nodes, n_nodes))


class Limits:
    """CPU time and memory that are left."""

    def __init__(self, seconds: float, n_bytes: float) -> None:
        self.seconds, self.bytes = seconds, n_bytes

    def take(self, what: str, seconds: float, n_bytes: float, remedy: str) -> None:
        """Set aside what is predicted; a ModelError where there is not as much."""
        self.check(what, seconds, n_bytes, remedy)
        self.seconds -= seconds
        self.bytes -= n_bytes

    def check(self, what: str, seconds: float, n_bytes: float, remedy: str) -> None:
        if seconds > self.seconds or n_bytes > self.bytes:
            raise ModelError(
                f"{what}: predicted to take {seconds:,.3g} s and {n_bytes / 1e9:,.3g} GB; {self.seconds:,.3g} s and "
                f"{self.bytes / 1e9:,.3g} GB are left of what is allowed: allow more, or {remedy}"
            )


def _exact_priors(space: OrderSpace, priors: Sequence[str], limits: Limits) -> list[str]:
    """Priors whose exact sums fit, one after another; their seconds are set aside."""
    return [prior for prior in priors if _sum_fits(space, prior, limits)]


def _sum_fits(space: OrderSpace, prior: str, limits: Limits) -> bool:
    """Whether an exact sum does; if so its seconds are set aside."""
    try:
        exact_structures.check_cost(prior, space.n_nodes, space.max_indegree, limits.seconds, limits.bytes)
    except ModelError:
        return False
    limits.seconds -= exact_structures.predicted_cost(prior, space.n_nodes, space.max_indegree)[0]
    return True


def _sum(prior: str) -> Callable[..., exact_structures.ExactPosterior]:
    total = {"orders": exact_structures.exact_orders, "graphs": exact_structures.exact_graphs}[prior]
    return partial(total, max_seconds=np.inf)


def _log_count(space: OrderSpace, prior: str, limits: Limits) -> float:
    """ln of the number of structures, by exact sums of ones where they are many kinds; NaN where these do not fit."""
    try:
        return space.log_count(prior)
    except ModelError:
        fits = _sum_fits(space, prior, limits)
    return _sum(prior)(family_scores.unit_scores(space), max_bytes=limits.bytes).log_total if fits else nan


def _summed(found: exact_structures.ExactPosterior, log_count: float) -> _OfPrior:
    """The exact values of a prior."""
    value = found.log_total - log_count
    return _OfPrior(True, value, nan, value, nan, found.log_total, log_count, 0, 0, found.arcs, found.arcs, found.arcs)


def _sampled(
    data: CompleteTable, space: OrderSpace, priors: Sequence[str], effort: Effort, limits: Limits
) -> tuple[dict[str, arc_samples.Weighted], dict[str, str | float]]:
    """Samples under some priors, and how they were drawn."""
    began, sums = process_time(), _sums(data, space, limits)
    n_steps = _first_round(sums, data.n, effort.n_steps, effort.n_graphs, priors, limits)
    found, n_steps = arc_samples.sample(
        sums, priors, Stream(effort.seed, "arcs"), n_steps=n_steps, n_graphs=effort.n_graphs,
        n_effective=effort.n_effective, max_seconds=limits.seconds, max_bytes=limits.bytes,
    )  # fmt: skip
    limits.seconds = max(limits.seconds - (process_time() - began), 0.0)
    return found, {
        "samples": len(found[priors[0]].log_weights), "steps": n_steps, "graphs": effort.n_graphs,
        "wanted_effective_samples": effort.n_effective, "sums": sums.method, **sums.diagnostics,
    }  # fmt: skip


def _sums(data: CompleteTable, space: OrderSpace, limits: Limits) -> OrderSums:
    """The sums over the graphs of an order, in a table if half of the memory that is left has room for it."""
    lists = LISTS * family_scores.predicted_cost(space, data.n)[1]
    limits.check("lists of parent sets", 0.0, lists, "lower the largest indegree")
    room = min(max(limits.bytes / 2, lists) / 1e9, MOST_GIGABYTES)
    sums = data.sums(space, SumSettings(memory_limit=room), N_STEPS)
    limits.take("the sums over the graphs of an order", 0.0, float(sums.memory), "lower the largest indegree")
    return sums


def _first_round(
    sums: OrderSums, n_rows: int, n_steps: int | None, n_graphs: int, priors: Sequence[str], limits: Limits
) -> int:
    """Steps of the first schedule; a ModelError where the first round of samples would be too much."""

    def seconds(steps: int) -> float:
        return arc_samples.FIRST * arc_samples.predicted_seconds(sums, steps, n_graphs, priors)

    if n_steps is None:
        fitting = int((FIRST_SHARE * limits.seconds - seconds(0)) / ((seconds(1000) - seconds(0)) / 1000))
        n_steps = max(min(4 * sums.n_nodes * n_rows, LONGEST_START, fitting), sums.n_nodes)
    n_bytes = arc_samples.predicted_bytes(sums.n_nodes, arc_samples.FIRST, n_steps, n_graphs)
    limits.check(
        f"a first round of {arc_samples.FIRST} samples of {n_steps:,} steps", seconds(n_steps), n_bytes,
        "take fewer steps or graphs, or lower the largest indegree",
    )  # fmt: skip
    return n_steps


def _doubt(found: arc_samples.Weighted, n_effective: int) -> Doubt:
    """Why samples say nothing of graphs."""
    mean = combine(found.log_weights, "mean")
    few = Doubt.FEW_EFFECTIVE_SAMPLES if mean.effective_sample_size < n_effective else NO_DOUBT
    return Doubt(int(mean.doubt)) | few


def _estimated(
    found: arc_samples.Weighted, space: OrderSpace, prior: str, log_count: float, n_effective: int
) -> _OfPrior:
    """The values of a prior from its samples."""
    mean = mean_of_corrected(found.log_weights) if prior == "graphs" else combine(found.log_weights, "mean")
    log_n_orders = space.log_n_orders()
    scale = log_n_orders - log_count
    doubt, arcs_doubt = _doubt(found, FEWEST), _doubt(found, n_effective)
    shape = found.arcs.shape[1:]
    arcs = Probabilities.unknown(*shape) if arcs_doubt else between_nodes(found.log_weights, found.arcs)
    return _OfPrior(
        False, float(mean.value) + scale, float(mean.standard_error), lower_bound(found.log_weights) + scale,
        float(mean.effective_sample_size), float(mean.value) + log_n_orders, log_count, int(doubt), int(arcs_doubt),
        *arcs,
    )  # fmt: skip
