"""Arc posteriors and the evidence of a user's own table, by annealed importance sampling of node orders."""

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ockham.contracts import NO_DOUBT, Doubt
from ockham.errors import ConfigError
from ockham.estimation.combining import combine
from ockham.estimation.memory import check_memory
from ockham.estimation.schedules import linear_schedule
from ockham.io.arguments import shown, whole
from ockham.io.netcdf import add_labels, add_variable, provenance, replacing
from ockham.orders.data.complete_table import CompleteTable
from ockham.orders.estimates import arc_errors, arc_posteriors, arcs_of, corrected, lower_bound
from ockham.orders.inference import annealing
from ockham.orders.inference.sums import SumSettings
from ockham.orders.space import PRIORS, OrderSpace
from ockham.streams import Stream

__all__ = ["ArcEstimates", "by_probability", "estimate", "write_csv", "write_netcdf"]

FEWEST = 30
"""Effective samples below which no arc is said to be probable."""


@dataclass(frozen=True, eq=False)
class ArcEstimates:
    """What sampled orders say of a table, under each of the two ``PRIORS`` of structures.

    Attributes
    ----------
    names : tuple of str
    log_evidence, standard_error, lower_bound, effective_sample_size : ndarray, shape (2,)
        By prior; nats but for the last. The log evidence exceeds the bound with a probability of 95 %.
    doubt : ndarray of int, shape (2,)
        By prior, the flags of ``Doubt`` that speak against the log evidence.
    arcs, arc_errors : ndarray, shape (2, n_nodes, n_nodes)
        Posterior probability of the arc from the row's node to the column's, and its standard error.
    about : dict
        How they were found, for the attributes of a file.
    """

    names: tuple[str, ...]
    log_evidence: np.ndarray
    standard_error: np.ndarray
    lower_bound: np.ndarray
    effective_sample_size: np.ndarray
    doubt: np.ndarray
    arcs: np.ndarray
    arc_errors: np.ndarray
    about: dict[str, str | float]

    def arcs_doubt(self, prior: int) -> Doubt:
        """Why the arcs under a prior are not to be trusted: as its evidence, or for want of effective samples."""
        few = self.effective_sample_size[prior] < FEWEST
        return Doubt(int(self.doubt[prior])) | (Doubt.FEW_EFFECTIVE_SAMPLES if few else NO_DOUBT)

    def trusted_arcs(self, prior: int) -> np.ndarray:
        """The posterior probabilities under a prior, all NaN where they are not to be trusted."""
        return np.where(bool(self.arcs_doubt(prior)), np.nan, self.arcs[prior])


def estimate(
    data: CompleteTable, space: OrderSpace, *, n_samples: int, n_steps: int, n_graphs: int, seed: int
) -> ArcEstimates:
    """Both posteriors, from ``n_samples`` runs of ``n_steps`` steps with ``n_graphs`` graphs each.

    Raises
    ------
    ConfigError
        For numbers out of bounds.
    ModelError
        For more than memory has room for, and as ``bdeu_scores`` and ``log_counts`` do.
    """
    for name, given, kind in (("data", data, CompleteTable), ("space", space, OrderSpace)):
        if not isinstance(given, kind):
            raise ConfigError(f"{name}: {shown(given)} is no {kind.__name__}")
    n_samples = whole(n_samples, "n_samples", 2, 10**9, ConfigError)
    n_steps = whole(n_steps, "n_steps", 1, 10**9, ConfigError)
    n_graphs = whole(n_graphs, "n_graphs", 1, 10**9, ConfigError)
    seed = whole(seed, "seed", 0, 2**63 - 1, ConfigError)
    check_memory(
        3.0 * n_steps + n_samples * n_graphs * (4.0 * space.n_nodes**2 + space.n_nodes + 10),
        f"{n_samples:,} samples of {n_graphs:,} graphs after {n_steps:,} steps",
        "give fewer",
    )
    sums = data.sums(space, SumSettings(), float(n_samples) * n_steps)
    stream = Stream(seed, "arcs")
    found = annealing.sample(sums, linear_schedule(n_steps), stream, n_samples=n_samples, n_graphs=n_graphs)
    log_weights, log_extensions = found["log_weight"], found["log_extensions"]
    by_prior = {
        "orders": (log_weights, np.broadcast_to(log_weights[:, None], log_extensions.shape)),
        "graphs": (corrected(log_weights, log_extensions), log_weights[:, None] - log_extensions),
    }
    arcs, columns = arcs_of(found["parents"]), []
    for prior in PRIORS:
        by_sample, by_graph = by_prior[prior]
        scale = space.log_scale(prior)
        mean = combine(by_sample, "mean")
        posterior = arc_posteriors(by_graph, arcs)
        bound = lower_bound(by_sample) + scale
        columns.append((
            mean.value + scale, mean.standard_error, bound, mean.effective_sample_size, int(mean.doubt), posterior,
            arc_errors(by_graph, arcs, posterior),
        ))  # fmt: skip
    about: dict[str, str | float] = {
        "max_indegree": space.max_indegree, "equivalent_sample_size": space.equivalent_sample_size,
        "samples": n_samples, "steps": n_steps, "graphs": n_graphs, "root_seed": str(seed), "data": data.digest,
        "method": sums.method, **sums.diagnostics,
    }  # fmt: skip
    log_means, errors, bounds, sizes, doubts, posteriors, errors_of_arcs = map(np.array, zip(*columns, strict=True))
    return ArcEstimates(data.names, log_means, errors, bounds, sizes, doubts, posteriors, errors_of_arcs, about)


def write_csv(path: Path, found: ArcEstimates) -> None:
    """A row for each arc, from the most probable under the uniform prior over graphs on; what is doubted is blank."""
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        columns = (f"{name}_{prior}" for prior in reversed(PRIORS) for name in ("posterior", "standard_error"))
        writer.writerow(["parent", "child", *columns])
        for u, v in by_probability(found):
            values = [
                "" if found.arcs_doubt(k) else f"{x:.6g}"
                for k in (1, 0)
                for x in (found.arcs[k, u, v], found.arc_errors[k, u, v])
            ]
            writer.writerow([found.names[u], found.names[v], *values])


def by_probability(found: ArcEstimates) -> list[tuple[int, int]]:
    """Pairs of a parent and a child, from the most probable arc under the uniform prior over graphs on."""
    n = len(found.names)
    pairs = [(u, v) for u in range(n) for v in range(n) if u != v]
    return sorted(pairs, key=lambda pair: -found.arcs[1][pair])


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
            ("arc_errors", found.arc_errors, "Standard error of the posterior probability", "1"),
        ):
            add_variable(file, name, "f8", ("prior", "parent", "child")[: values.ndim], values, long_name, units)
        doubts = np.array([found.arcs_doubt(k) for k in range(len(PRIORS))])
        for name, values, subject in (("doubt", found.doubt, "log evidence is"), ("arcs_doubt", doubts, "arcs are")):
            long_name = f"Why the {subject} not to be trusted"
            add_variable(file, name, "u1", ("prior",), values, long_name, "1").setncatts(Doubt.attributes())
