"""Arc posteriors and the evidence of a user's own table: exact where that fits, or else from annealed samples."""

import csv
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ockham.contracts import NO_DOUBT, Doubt
from ockham.errors import ConfigError, ModelError, OckhamWarning
from ockham.estimation.combining import combine
from ockham.io.arguments import flag, real, shown, whole
from ockham.io.netcdf import add_labels, add_variable, provenance, replacing
from ockham.orders.data.complete_table import CompleteTable
from ockham.orders.estimates import arc_intervals, arc_posteriors, lower_bound
from ockham.orders.inference import arc_samples, exact_structures, family_scores
from ockham.orders.inference.sums import OrderSums, SumSettings
from ockham.orders.space import PRIORS, OrderSpace
from ockham.streams import Stream

__all__ = ["ArcEstimates", "by_probability", "estimate", "write_csv", "write_netcdf"]

FEWEST = 30
"""Effective samples below which no arc is said to be probable."""
LONGEST_START = 200_000
"""Steps of the first schedule at the most."""
FIRST_SHARE = 0.125
"""Of the seconds that are allowed, for the first round of samples."""
LISTS = 5
"""What lists of parent sets take while they are made, in units of the scores of all families."""
MOST_GIGABYTES, N_STEPS = 1e4, 1e6
"""Of a table of sums, and the steps that its making is set against."""


@dataclass(frozen=True, eq=False)
class ArcEstimates:
    """What is known of a table's arcs and evidence under each of the two ``PRIORS`` of structures.

    Attributes
    ----------
    names : tuple of str
    exact : ndarray of bool, shape (2,)
        By prior, whether the values are sums over all structures; otherwise they are estimates from samples.
    log_evidence, standard_error, lower_bound, effective_sample_size : ndarray, shape (2,)
        By prior; nats but for the last. The log evidence exceeds the bound with a probability of 95 %. Error and size
        are NaN where the evidence is exact.
    doubt, arcs_doubt : ndarray of int, shape (2,)
        By prior, the flags of ``Doubt`` that speak against the log evidence, and against the arcs.
    arcs, low, high : ndarray, shape (2, n_nodes, n_nodes)
        Posterior probability of the arc from the row's node to the column's, and the ends of its 95 % interval, which
        are the probability itself where that is exact. All NaN where the arcs are doubted: they are unknown.
    about : dict
        How they were found, for the attributes of a file.
    """

    names: tuple[str, ...]
    exact: np.ndarray
    log_evidence: np.ndarray
    standard_error: np.ndarray
    lower_bound: np.ndarray
    effective_sample_size: np.ndarray
    doubt: np.ndarray
    arcs_doubt: np.ndarray
    arcs: np.ndarray
    low: np.ndarray
    high: np.ndarray
    about: dict[str, str | float]


def estimate(
    data: CompleteTable,
    space: OrderSpace,
    *,
    seed: int = 1,
    max_seconds: float = 60.0,
    max_bytes: float = 2e9,
    n_effective: int = 100,
    n_steps: int | None = None,
    n_graphs: int = 10,
    exact: bool = True,
) -> ArcEstimates:
    """Both posteriors: exact sums where they are predicted to cost no more than allowed, samples where not.

    Parameters
    ----------
    data : CompleteTable
    space : OrderSpace
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
    ModelError
        When not even the scores of families, or a first round of samples, are predicted to stay within the limits.

    Warns
    -----
    OckhamWarning
        For a prior under which the arcs are unknown.
    """
    for name, given, kind in (("data", data, CompleteTable), ("space", space, OrderSpace)):
        if not isinstance(given, kind):
            raise ConfigError(f"{name}: {shown(given)} is no {kind.__name__}")
    seed = whole(seed, "seed", 0, 2**63 - 1, ConfigError)
    max_seconds = real(max_seconds, "max_seconds", 0.01, 1e9, ConfigError)
    max_bytes = real(max_bytes, "max_bytes", 1e6, 1e15, ConfigError)
    n_effective = whole(n_effective, "n_effective", FEWEST, 10**9, ConfigError)
    n_steps = None if n_steps is None else whole(n_steps, "n_steps", 1, 10**8, ConfigError)
    n_graphs = whole(n_graphs, "n_graphs", 1, 10**6, ConfigError)
    limits = _Limits(max_seconds, max_bytes)
    limits.take(
        "the scores of all families", *family_scores.predicted_cost(space, data.n), "lower the largest indegree"
    )
    summed = _exact_priors(space, limits) if flag(exact, "exact", ConfigError) else []
    columns = {prior: _summed(data, space, prior, limits) for prior in summed}
    about: dict[str, str | float] = {
        "max_indegree": space.max_indegree, "equivalent_sample_size": space.equivalent_sample_size,
        "root_seed": str(seed), "data": data.digest, "max_seconds": max_seconds, "max_bytes": max_bytes,
        "method": ", ".join(f"{prior}: {'exact' if prior in summed else 'sampled'}" for prior in PRIORS),
    }  # fmt: skip
    sampled = [prior for prior in PRIORS if prior not in summed]
    if sampled:
        sums = _sums(data, space, limits)
        n_steps = _first_round(sums, data.n, n_steps, n_graphs, sampled, limits)
        found, n_steps = arc_samples.sample(
            sums, sampled, Stream(seed, "arcs"), n_steps=n_steps, n_graphs=n_graphs, n_effective=n_effective,
            max_seconds=limits.seconds, max_bytes=limits.bytes,
        )  # fmt: skip
        columns |= {prior: _estimated(found[prior], space, prior, n_effective) for prior in sampled}
        about |= {
            "samples": len(found[sampled[0]].log_weights), "steps": n_steps, "graphs": n_graphs,
            "wanted_effective_samples": n_effective, "sums": sums.method, **sums.diagnostics,
        }  # fmt: skip
    by_name = {name: np.array([getattr(columns[prior], name) for prior in PRIORS]) for name in _OfPrior._fields}
    estimates = ArcEstimates(names=data.names, about=about, **by_name)
    for k, prior in enumerate(PRIORS):
        if doubt := Doubt(int(estimates.arcs_doubt[k])):
            reasons = "; ".join(doubt.reasons)
            warnings.warn(f"arcs, prior {prior}: unknown: {reasons}", OckhamWarning, stacklevel=2)
    return estimates


class _OfPrior(NamedTuple):
    """What ``ArcEstimates`` has of one prior."""

    exact: bool
    log_evidence: float
    standard_error: float
    lower_bound: float
    effective_sample_size: float
    doubt: int
    arcs_doubt: int
    arcs: np.ndarray
    low: np.ndarray
    high: np.ndarray


class _Limits:
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


def _exact_priors(space: OrderSpace, limits: _Limits) -> list[str]:
    """Priors whose exact sums fit, one after another; their seconds are set aside."""
    chosen = []
    for prior in PRIORS:
        try:
            exact_structures.check_cost(prior, space.n_nodes, space.max_indegree, limits.seconds, limits.bytes)
        except ModelError:
            continue
        chosen.append(prior)
        limits.seconds -= exact_structures.predicted_cost(prior, space.n_nodes, space.max_indegree)[0]
    return chosen


def _summed(data: CompleteTable, space: OrderSpace, prior: str, limits: _Limits) -> _OfPrior:
    """The exact values of a prior."""
    total = {"orders": exact_structures.exact_orders, "graphs": exact_structures.exact_graphs}[prior]
    found = total(data.family_scores(space), max_seconds=np.inf, max_bytes=limits.bytes)
    value = found.log_total - space.log_count(prior)
    return _OfPrior(True, value, np.nan, value, np.nan, 0, 0, found.arcs, found.arcs, found.arcs)


def _sums(data: CompleteTable, space: OrderSpace, limits: _Limits) -> OrderSums:
    """The sums over the graphs of an order, in a table if half of the memory that is left has room for it."""
    lists = LISTS * family_scores.predicted_cost(space, data.n)[1]
    limits.check("lists of parent sets", 0.0, lists, "lower the largest indegree")
    room = min(max(limits.bytes / 2, lists) / 1e9, MOST_GIGABYTES)
    sums = data.sums(space, SumSettings(memory_limit=room), N_STEPS)
    limits.take("the sums over the graphs of an order", 0.0, float(sums.memory), "lower the largest indegree")
    return sums


def _first_round(
    sums: OrderSums, n_rows: int, n_steps: int | None, n_graphs: int, priors: list[str], limits: _Limits
) -> int:
    """Steps of the first schedule; a ModelError where the first round of samples would be too much."""

    def seconds(steps: int) -> float:
        return arc_samples.FIRST * arc_samples.predicted_seconds(sums, steps, n_graphs, "graphs" in priors)

    if n_steps is None:
        fitting = int((FIRST_SHARE * limits.seconds - seconds(0)) / ((seconds(1000) - seconds(0)) / 1000))
        n_steps = max(min(4 * sums.n_nodes * n_rows, LONGEST_START, fitting), sums.n_nodes)
    n_bytes = arc_samples.predicted_bytes(sums.n_nodes, arc_samples.FIRST, n_steps, n_graphs)
    limits.check(
        f"a first round of {arc_samples.FIRST} samples of {n_steps:,} steps", seconds(n_steps), n_bytes,
        "take fewer steps or graphs, or lower the largest indegree",
    )  # fmt: skip
    return n_steps


def _estimated(found: arc_samples.Weighted, space: OrderSpace, prior: str, n_effective: int) -> _OfPrior:
    """The values of a prior from its samples."""
    mean, scale = combine(found.log_weights, "mean"), space.log_scale(prior)
    bound, size = lower_bound(found.log_weights) + scale, mean.effective_sample_size
    weights, arcs = found.log_weights[:, None], found.arcs[:, None]
    posterior = arc_posteriors(weights, arcs)
    low, high = arc_intervals(weights, arcs, posterior)
    few = Doubt.FEW_EFFECTIVE_SAMPLES if size < n_effective else NO_DOUBT
    doubt = Doubt(int(mean.doubt)) | few
    np.fill_diagonal(low, 0.0)
    np.fill_diagonal(high, 0.0)
    if doubt:
        posterior = low = high = np.full_like(posterior, np.nan)
    return _OfPrior(
        False, float(mean.value) + scale, float(mean.standard_error), bound, float(size), int(mean.doubt), int(doubt),
        posterior, low, high,
    )  # fmt: skip


def write_csv(path: Path, found: ArcEstimates) -> None:
    """A row for each arc, from the most probable under the uniform prior over graphs on; what is unknown is blank."""
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        columns = (f"{name}_{prior}" for prior in reversed(PRIORS) for name in ("posterior", "low", "high"))
        writer.writerow(["parent", "child", *columns])
        for u, v in by_probability(found):
            values = (of[k, u, v] for k in (1, 0) for of in (found.arcs, found.low, found.high))
            writer.writerow([found.names[u], found.names[v], *("" if np.isnan(x) else f"{x:.6g}" for x in values)])


def by_probability(found: ArcEstimates) -> list[tuple[int, int]]:
    """Pairs of a parent and a child, from the most probable arc under the uniform prior over graphs on."""
    n = len(found.names)
    pairs = [(u, v) for u in range(n) for v in range(n) if u != v]
    return sorted(pairs, key=lambda pair: -np.nan_to_num(found.arcs[1][pair]))


def write_netcdf(path: Path, found: ArcEstimates) -> None:
    """Everything, readable with ``xarray.open_dataset``."""
    with replacing(path) as file:
        file.title = "Arc posteriors and log evidence of a table"
        for name, value in (found.about | provenance()).items():
            setattr(file, name, value)
        for dimension, labels in (("prior", PRIORS), ("parent", found.names), ("child", found.names)):
            file.createDimension(dimension, len(labels))
            add_labels(file, dimension, labels)
        for name, values, long_name, units in (
            ("log_evidence", found.log_evidence, "Log evidence", "nats"),
            ("standard_error", found.standard_error, "Standard error of the log evidence", "nats"),
            ("lower_bound", found.lower_bound, "Lower bound of the log evidence, at 95 %", "nats"),
            ("effective_sample_size", found.effective_sample_size, "Effective sample size", "1"),
            ("arcs", found.arcs, "Posterior probability of the arc", "1"),
            ("low", found.low, "Lower end of the 95 % interval of the posterior probability", "1"),
            ("high", found.high, "Upper end of the 95 % interval of the posterior probability", "1"),
        ):
            add_variable(file, name, "f8", ("prior", "parent", "child")[: values.ndim], values, long_name, units)
        add_variable(file, "exact", "i1", ("prior",), found.exact, "Whether the values are exact; 0: sampled", "1")
        for name, values, subject in (
            ("doubt", found.doubt, "log evidence is"),
            ("arcs_doubt", found.arcs_doubt, "arcs are"),
        ):
            long_name = f"Why the {subject} not to be trusted"
            add_variable(file, name, "u1", ("prior",), values, long_name, "1").setncatts(Doubt.attributes())
