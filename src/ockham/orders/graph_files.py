"""Files of what is known of a table's graph: arcs as CSV, everything as netCDF."""

import csv
from pathlib import Path

import numpy as np

from ockham.contracts import Doubt
from ockham.io.netcdf import add_labels, add_variable, provenance, replacing
from ockham.io.whole_files import replacing_file
from ockham.orders.arc_estimates import ArcEstimates, by_probability
from ockham.orders.estimates import arcs_of
from ockham.orders.graph_posterior import GraphPosterior
from ockham.orders.space import PRIORS

__all__ = ["write_csv", "write_netcdf"]


def write_csv(path: Path, found: ArcEstimates, prior: str) -> None:
    """A row for each arc, from the most probable under a prior on; what is unknown is blank."""
    with replacing_file(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        columns = (f"{name}_{prior}" for prior in reversed(PRIORS) for name in ("posterior", "low", "high"))
        writer.writerow(["parent", "child", *columns])
        for u, v in by_probability(found, prior):
            values = (of[k, u, v] for k in (1, 0) for of in (found.arcs, found.low, found.high))
            writer.writerow([found.names[u], found.names[v], *("" if np.isnan(x) else f"{x:.6g}" for x in values)])


def write_netcdf(path: Path, found: GraphPosterior) -> None:
    """Everything but sampled graphs, readable with ``xarray.open_dataset``."""
    of, pair = found.estimates, ("parent", "child")
    with replacing(path) as file:
        file.title = "Arc posteriors and log evidence of a table"
        about = {"graph_prior": found.prior, "graphs_from": found.graphs.source, "best_of_all": int(found.best.of_all)}
        for name, value in (of.about | about | provenance()).items():
            setattr(file, name, value)
        for dimension, labels in (("prior", PRIORS), ("parent", of.names), ("child", of.names)):
            file.createDimension(dimension, len(labels))
            add_labels(file, dimension, labels)
        for name, values, long_name, units in (
            ("log_evidence", of.log_evidence, "Log evidence", "nats"),
            ("standard_error", of.standard_error, "Standard error of the log evidence", "nats"),
            ("lower_bound", of.lower_bound, "Lower bound of the log evidence, at 95 %", "nats"),
            ("effective_sample_size", of.effective_sample_size, "Effective sample size", "1"),
            ("log_count", of.log_count, "ln of the number of structures under the prior", "nats"),
            ("arcs", of.arcs, "Posterior probability of the arc", "1"),
            ("low", of.low, "Lower end of the 95 % interval of the posterior probability", "1"),
            ("high", of.high, "Upper end of the 95 % interval of the posterior probability", "1"),
        ):
            add_variable(file, name, "f8", ("prior", *pair)[: values.ndim], values, long_name, units)
        add_variable(file, "exact", "i1", ("prior",), of.exact, "Whether the values are exact; 0: sampled", "1")
        for name, values, subject in (
            ("doubt", of.doubt, "log evidence is"),
            ("arcs_doubt", of.arcs_doubt, "arcs are"),
        ):
            long_name = f"Why the {subject} not to be trusted"
            add_variable(file, name, "u1", ("prior",), values, long_name, "1").setncatts(Doubt.attributes())
        for name, pairwise, what in (
            ("adjacent", found.adjacencies, "an arc either way"),
            ("path", found.paths, "a directed path"),
            ("in_blanket", found.markov_blankets, "the child being in the Markov blanket of the parent"),
        ):
            add_variable(file, name, "f8", pair, pairwise.probability, f"Posterior probability of {what}", "1")
            add_variable(
                file, f"{name}_low", "f8", pair, pairwise.low, f"Lower end of the 95 % interval of {name}", "1"
            )
            add_variable(
                file, f"{name}_high", "f8", pair, pairwise.high, f"Upper end of the 95 % interval of {name}", "1"
            )
        best = arcs_of(found.best.parents)
        add_variable(file, "best_graph", "i1", pair, best, "Arcs of the most probable graph, or the best found", "1")
        probability = found.best.probability
        add_variable(file, "best_probability", "f8", (), probability, "Posterior probability of this graph", "1")
