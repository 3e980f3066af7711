"""Arc posteriors and the evidence of a user's own table, by annealed importance sampling of node orders."""

import csv
from dataclasses import dataclass
from math import factorial, log
from pathlib import Path

import numpy as np

from ockham.estimation.combining import combine
from ockham.io.netcdf import add_labels, add_variable, provenance, replacing
from ockham.orders.data.structure_data import StructureData
from ockham.orders.estimates import PRIORS, arc_errors, arc_posteriors, arcs_of, corrected, lower_bound
from ockham.orders.inference.family_scores import bdeu_scores
from ockham.orders.inference.sums import order_sums
from ockham.orders.node_order import log_n_graphs, log_n_ordered_graphs
from ockham.orders.records import describe_sums
from ockham.orders.runs import run_annealing
from ockham.orders.settings import Annealing
from ockham.streams import Stream

__all__ = ["ArcEstimates", "by_probability", "estimate", "write_csv", "write_netcdf"]


@dataclass(frozen=True, eq=False)
class ArcEstimates:
    """What sampled orders say of a table, under each of the two ``PRIORS`` of structures.

    Attributes
    ----------
    names : tuple of str
    log_evidence, standard_error, lower_bound, effective_sample_size : ndarray, shape (2,)
        By prior; nats but for the last. The log evidence exceeds the bound with a probability of 95 %.
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
    arcs: np.ndarray
    arc_errors: np.ndarray
    about: dict[str, str | float]


def estimate(
    data: StructureData, max_indegree: int, sample_size: float, n_samples: int, n_steps: int, n_graphs: int, seed: int
) -> ArcEstimates:
    """Both posteriors, from ``n_samples`` runs of ``n_steps`` steps with ``n_graphs`` graphs each.

    Raises
    ------
    ModelError
        As ``bdeu_scores`` and ``log_counts`` do.
    """
    n = len(data.names)
    scores = bdeu_scores(data, min(max_indegree, n - 1), sample_size)
    sums = order_sums(scores, n_steps=float(n_samples) * n_steps)
    entry = Annealing(sampler="ais", length=1, graphs=n_graphs, steps=n_samples * n_steps)
    found = run_annealing(sums, entry, n_steps, Stream(seed, "arcs"))
    by_prior = {
        "orders": (found["log_weight"], found["log_weight"][:, None] + 0.0 * found["log_extensions"]),
        "graphs": (
            corrected(found["log_weight"], found["log_extensions"]),
            found["log_weight"][:, None] - found["log_extensions"],
        ),
    }
    log_n = {"orders": log_n_ordered_graphs(n, scores.max_indegree), "graphs": log_n_graphs(n, scores.max_indegree)}
    arcs, columns = arcs_of(found["parents"]), []
    for prior in PRIORS:
        by_sample, by_graph = by_prior[prior]
        scale = log(factorial(n)) - log_n[prior]
        log_mean, error, size = combine(by_sample, "mean")
        posterior = arc_posteriors(by_graph, arcs)
        bound = lower_bound(by_sample) + scale
        columns.append((log_mean + scale, error, bound, size, posterior, arc_errors(by_graph, arcs, posterior)))
    about = {
        "max_indegree": scores.max_indegree, "equivalent_sample_size": sample_size, "samples": n_samples,
        "steps": n_steps, "graphs": n_graphs, "root_seed": str(seed), "data": data.digest, **describe_sums(sums),
    }  # fmt: skip
    return ArcEstimates(data.names, *(np.array(column) for column in zip(*columns, strict=True)), about)


def write_csv(path: Path, found: ArcEstimates) -> None:
    """A row for each arc, from the most probable under the uniform prior over graphs on."""
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        columns = (f"{name}_{prior}" for prior in reversed(PRIORS) for name in ("posterior", "standard_error"))
        writer.writerow(["parent", "child", *columns])
        for u, v in by_probability(found):
            values = [x for k in (1, 0) for x in (found.arcs[k, u, v], found.arc_errors[k, u, v])]
            writer.writerow([found.names[u], found.names[v], *(f"{value:.6g}" for value in values)])


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
