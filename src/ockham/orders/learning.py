"""The way in for a table of one's own: from whatever holds it to the posterior of its graph."""

import warnings
from collections.abc import Sequence
from math import exp, nan
from time import monotonic
from typing import Any

import numpy as np

from ockham.errors import ConfigError, OckhamWarning
from ockham.estimation.interrupting import interruptible
from ockham.io.arguments import flag, real, shown, text, whole
from ockham.io.blas import one_blas_thread
from ockham.io.frames import MISSING_TEXTS
from ockham.io.progress import progress_bar
from ockham.orders.arcs import FEWEST, Effort, Search, search
from ockham.orders.constraints import arcs_between, check
from ockham.orders.data.complete_table import CompleteTable
from ockham.orders.data.reading import table_and_warnings
from ockham.orders.estimates import DEVIATE
from ockham.orders.graph_features import ancestors, blankets, neighbours, topological_order
from ockham.orders.graph_posterior import BestGraph, GraphPosterior
from ockham.orders.inference import best_graph
from ockham.orders.sampled_graphs import Probabilities, SampledGraphs, between_nodes
from ockham.orders.space import PRIORS, OrderSpace

__all__ = ["arcs", "graph_posterior", "space_of"]

BEST_SHARE = 0.25
"""Of the seconds that are allowed, for the most probable graph."""
MOST_TRIED = 200
"""Sampled graphs, those with the highest scores, that are looked at for the most probable one."""


def arcs(
    table: Any,
    *,
    max_indegree: int = 3,
    equivalent_sample_size: float = 1.0,
    prior: str = "graphs",
    forbidden: Any = (),
    required: Any = (),
    seed: int = 1,
    max_seconds: float = 60.0,
    max_gigabytes: float = 2.0,
    n_effective: int = 100,
    n_steps: int | None = None,
    n_graphs: int = 10,
    n_draws: int = 1000,
    exact: bool = True,
    missing: Sequence[str] = MISSING_TEXTS,
    drop: Sequence[str] = (),
    weights: Any = None,
    header: bool = True,
    progress: bool = True,
) -> GraphPosterior:
    """The posterior of the graph of a table: exact sums where they are predicted to fit, weighted samples where not.

    Parameters
    ----------
    table : path, data frame, CategoricalTable, array_like of int, shape (n_rows, n_variables), or CompleteTable
        What ``read_table`` reads or returns; or states counted from 0, of variables that are called x1, x2, ... No cell
        may be missing.
    max_indegree : int
        Parents of a variable at most.
    equivalent_sample_size : float
        Of the BDeu scores.
    prior : {"graphs", "orders"}
        Uniform over the graphs that are allowed, or over the pairs of an order and a graph that it extends.
    forbidden, required : list of pairs of str
        Parents and children: arcs that no graph has, and that all have.
    seed : int
        Of samples; the same seed gives the same bits, but for how many of them there is time.
    max_seconds, max_gigabytes : float
        CPU time and memory that all of it may take.
    n_effective : int
        Effective samples that sampling goes on to. Where it ends before, what rests on them is unknown.
    n_steps : int, optional
        Of the first schedule of annealing.
    n_graphs : int
        Graphs of each sample.
    n_draws : int
        Graphs that are drawn from an exact posterior, for paths and Markov blankets; fewer where they take too long.
    exact : bool
        Whether to take exact sums at all.
    missing, drop, weights, header
        As ``read_table`` takes them, of files and frames.
    progress : bool
        Whether to show on a terminal or in a notebook how far it is.

    Returns
    -------
    GraphPosterior

    Warns
    -----
    OckhamWarning
        When the arcs are unknown: why. Of columns that may not be what they were read as.

    Raises
    ------
    DataError
        For what is no such table.
    ModelError
        For arcs that cannot be, or when not even rows as often as their weights say, the scores of families, or a first
        round of samples, are predicted to stay within the limits.
    ConfigError
        For other arguments that cannot be.
    """
    if text(prior, "prior", ConfigError) not in PRIORS:
        raise ConfigError(f"prior: {shown(prior)} must be 'graphs' or 'orders'")
    max_bytes = 1e9 * real(max_gigabytes, "max_gigabytes", 1e-3, 1e6, ConfigError)
    data, warned = table_and_warnings(
        table, missing=missing, drop=drop, weights=weights, header=header, max_bytes=max_bytes
    )
    for warning in warned:
        warnings.warn(warning, OckhamWarning, stacklevel=2)
    space = space_of(data, max_indegree, equivalent_sample_size, forbidden, required)
    effort = Effort(seed, max_seconds, max_bytes, n_effective, n_steps, n_graphs, exact)
    found = graph_posterior(data, space, prior, (prior,), effort, n_draws, progress=progress)
    if found.doubt:
        reasons = "; ".join(found.doubt.reasons)
        warnings.warn(f"arcs: unknown: {reasons}; allow more max_seconds", OckhamWarning, stacklevel=2)
    return found


def space_of(
    data: CompleteTable, max_indegree: int, equivalent_sample_size: float, forbidden: Any, required: Any
) -> OrderSpace:
    """The graphs on the variables of a table, whose arcs are pairs of names."""
    n = len(data.names)
    largest = min(whole(max_indegree, "max_indegree", 0, 63, ConfigError), n - 1)
    without, within = (arcs_between(data.names, of, which) for of, which in (
        (forbidden, "forbidden"), (required, "required")
    ))  # fmt: skip
    check(data.names, largest, without, within)
    return OrderSpace(n, largest, equivalent_sample_size, without, within)


def graph_posterior(
    data: CompleteTable,
    space: OrderSpace,
    prior: str,
    priors: Sequence[str],
    effort: Effort,
    n_draws: int = 1000,
    *,
    progress: bool = True,
) -> GraphPosterior:
    """What ``arcs`` returns, of which ``estimates`` has all of ``priors``."""
    n_draws, begun = whole(n_draws, "n_draws", FEWEST, 10**7, ConfigError), monotonic()
    is_shown = flag(progress, "progress", ConfigError)
    with one_blas_thread(), progress_bar(effort.max_seconds, shown=is_shown) as tell:
        return interruptible(
            lambda: _posterior(data, space, prior, priors, effort, n_draws),
            lambda: tell(monotonic() - begun, f"{monotonic() - begun:.0f} s of {effort.max_seconds:g} s at the most"),
        )


def _posterior(
    data: CompleteTable, space: OrderSpace, prior: str, priors: Sequence[str], effort: Effort, n_draws: int
) -> GraphPosterior:
    n = space.n_nodes
    seconds, n_bytes = best_graph.predicted_cost(n, space.max_indegree)
    of_all = seconds <= BEST_SHARE * effort.max_seconds and n_bytes <= effort.max_bytes
    found = search(data, space, effort, priors, set_aside=seconds if of_all else 0.0)
    graphs = found.graphs(prior, n_draws)
    if prior in found.exact:  # only what is beside arcs and adjacencies has to be drawn
        arcs = found.exact[prior].arcs
        adjacencies = Probabilities.exact(np.minimum(arcs + arcs.T, 1.0))
        paths = graphs.pairwise(lambda parents: ancestors(parents) & ~parents).beside(arcs)
        in_blankets = graphs.pairwise(lambda parents: blankets(parents) & ~neighbours(parents)).beside(
            adjacencies.probability
        )
    else:
        of, unknown = found.weighted[prior], Probabilities.unknown(n, n)
        adjacent = of.arcs + np.swapaxes(of.arcs, 1, 2)
        adjacencies = unknown if graphs.doubt else between_nodes(of.log_weights, adjacent)
        paths, in_blankets = graphs.pairwise(ancestors), graphs.pairwise(blankets)
    best = _best(found, prior, graphs, of_all)
    return GraphPosterior(prior, found.estimates, adjacencies, paths, in_blankets, best, graphs)


def _best(found: Search, prior: str, graphs: SampledGraphs, of_all: bool) -> BestGraph:
    """The most probable graph, or the best of those that the samples lead to.

    Under the order-modular prior a graph has its score for each of its linear extensions, of which dynamic programming
    knows nothing.
    """
    scores, estimates, k = found.data.family_scores(found.space), found.estimates, PRIORS.index(prior)
    sampled = np.unique(graphs.parents.reshape(-1, found.space.n_nodes), axis=0)
    sampled = sampled[np.argsort(-best_graph.log_scores(scores, sampled), kind="stable")[:MOST_TRIED]]
    if of_all:
        candidates = best_graph.best_of_all(scores)[None]
    else:
        candidates = np.array([best_graph.best_of_order(scores, topological_order(graph)) for graph in sampled])
    if prior == "orders":
        candidates = np.concatenate([candidates, sampled])
    log_posteriors = log_scores = best_graph.log_scores(scores, candidates)
    if prior == "orders":
        log_posteriors = log_scores + np.array([best_graph.log_extensions(graph) for graph in candidates])
    chosen = int(np.argmax(np.nan_to_num(log_posteriors, nan=-np.inf)))
    log_probability = float(log_posteriors[chosen] - estimates.log_total[k])
    half = 0.0 if estimates.exact[k] else DEVIATE * float(estimates.standard_error[k])
    if estimates.arcs_doubt[k]:
        log_probability = nan
    probability, low, high = (min(exp(log_probability + off), 1.0) for off in (0.0, -half, half))
    return BestGraph(
        found.data.names, candidates[chosen], of_all and prior == "graphs", float(log_scores[chosen]), probability,
        low, high,
    )  # fmt: skip
