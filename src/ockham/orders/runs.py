"""The computation of a study of node orders: its data, and one run of a sampler at a time."""

from collections.abc import Sequence
from math import log
from time import process_time

import numpy as np

from ockham.estimation.combining import combine
from ockham.estimation.schedules import linear_schedule, nonlinear_schedule
from ockham.orders.data.random_networks import sample_table
from ockham.orders.data.structure_data import StructureData, read_data_set
from ockham.orders.estimates import arc_posteriors, arcs_of
from ockham.orders.inference import annealing as order_annealing
from ockham.orders.inference import tempering as order_tempering
from ockham.orders.inference.exact_structures import exact_graphs, exact_orders
from ockham.orders.inference.family_scores import FamilyScores, bdeu_scores
from ockham.orders.inference.linear_extensions import log_counts
from ockham.orders.inference.sums import OrderSums, order_sums
from ockham.orders.node_order import log_n_graphs, log_n_ordered_graphs
from ockham.orders.settings import N_BLOCKS, RANDOM_NETWORK, Annealing, OrderBlock, OrderStudy, Tempering
from ockham.streams import Stream

__all__ = ["data_of", "exact_values", "run_annealing", "run_tempering", "sample_block", "scores_of", "sums_of"]

MAX_RECORDS = 10_000
"""Of tempered chains, that are held in memory at once."""


def data_of(study: OrderStudy) -> StructureData:
    """The rows and variables of a study."""
    stream = Stream(study.root_seed, "data", study.stream_name)
    if study.data.name == RANDOM_NETWORK:
        return sample_table(study.data.variables, study.data.rows, stream)
    data = read_data_set(study.data.name, study.data.rows, stream)
    return data.variables(data.names[: study.data.variables])


def scores_of(study: OrderStudy, data: StructureData) -> FamilyScores:
    """The scores of every family."""
    return bdeu_scores(data, study.max_indegree, study.sample_size)


def exact_values(study: OrderStudy, scores: FamilyScores) -> dict[str, tuple[float, np.ndarray]]:
    """The exact values that a study asks for, by prior: log evidence, nats, and arc posteriors, (n_nodes, n_nodes)."""
    wanted, n, k = study.exact, scores.n_nodes, scores.max_indegree
    limits = {"max_seconds": wanted.max_seconds, "max_bytes": 1e9 * wanted.max_gigabytes}
    found = {}
    if wanted.orders:
        exact = exact_orders(scores, **limits)
        found["orders"] = exact.log_total - log_n_ordered_graphs(n, k), exact.arcs
    if wanted.graphs:
        exact = exact_graphs(scores, **limits)
        found["graphs"] = exact.log_total - log_n_graphs(n, k), exact.arcs
    return found


def sums_of(study: OrderStudy, scores: FamilyScores, n_steps: float) -> OrderSums:
    """The sums over the graphs of an order, for a run of so many steps."""
    given = study.sums
    return order_sums(
        scores, given.method, n_steps=n_steps, memory_limit=1e9 * given.memory_limit, dropped=given.dropped
    )


def sample_block(study: OrderStudy, block: OrderBlock, sums: OrderSums) -> dict[str, np.ndarray]:
    """Runs of one entry of the scorers: what they sampled, over (run, ...), by the names of ``VARIABLES``."""
    entry, found = study.scorers[block.scorer], []
    for run in block.runs:
        stream = Stream(study.root_seed, "orders", study.stream_name, block.scorer, run)
        if isinstance(entry, Tempering):
            found.append(run_tempering(sums, entry, stream))
        else:
            found.append(run_annealing(sums, entry, study.schedule_steps(entry), stream))
    return {name: np.stack([one[name] for one in found]) for name in found[0]}


def run_annealing(sums: OrderSums, entry: Annealing, n_steps: int, stream: Stream) -> dict[str, np.ndarray]:
    """Independent weighted orders with their graphs, each from a stream of its own.

    Of ``entry.merge`` orders one is kept, drawn by weight, with the mean of their weights. The weighted mean of any
    function of orders is as without that in expectation, and the mean weight is the same number.
    """
    n_samples, n = entry.n_samples(n_steps), sums.n_nodes
    found = {
        "log_weight": np.empty(n_samples),
        "parents": np.empty((n_samples, entry.graphs, n), dtype=np.uint64),
        "log_extensions": np.full((n_samples, entry.graphs), np.nan),
        "seconds": np.empty(n_samples),
        "graph_seconds": np.empty(n_samples),
    }
    accepted, temperatures = np.zeros(4), _schedule(n_steps, entry.curvature)
    for t in range(n_samples):
        began = process_time()
        ends = [
            order_annealing.run(sums, temperatures, stream.child("annealing", s).generator())
            for s in range(t * entry.merge, (t + 1) * entry.merge)
        ]
        rng, log_weights = stream.child("graphs", t).generator(), np.array([end.log_weight for end in ends])
        found["log_weight"][t] = combine(log_weights, "mean")[0]
        accepted += np.mean([end.accepted for end in ends], axis=0)
        kept = _draw_by_weight(log_weights, rng)
        ended = process_time()
        found["parents"][t] = sums.sample_graphs(ends[kept].order, entry.graphs, rng)
        if entry.count_every and t % entry.count_every == 0:
            found["log_extensions"][t] = log_counts(found["parents"][t])
        found["seconds"][t], found["graph_seconds"][t] = ended - began, process_time() - ended
    return found | {"accepted": accepted / n_samples / np.diff(-(-np.arange(5) * n_steps // 4))}


def run_tempering(sums: OrderSums, entry: Tempering, stream: Stream) -> dict[str, np.ndarray]:
    """One run of all chains, summed up in equal blocks of records; one graph is drawn from the order of each record."""
    n, n_records = sums.n_nodes, entry.records_per_block
    temperatures, rng = _schedule(entry.ratios, entry.curvature), stream.child("tempering").generator()
    graph_rng = stream.child("graphs").generator()
    found = {
        "log_ratio": np.empty((N_BLOCKS, entry.ratios)),
        "arcs": np.empty((N_BLOCKS, n, n)),
        "weighted_arcs": np.full((N_BLOCKS, n, n), np.nan),
        "log_inverse_extensions": np.full(N_BLOCKS, np.nan),
        "seconds": np.empty(N_BLOCKS),
        "graph_seconds": np.empty(N_BLOCKS),
    }
    state = order_tempering.init(sums, entry.ratios + 1, rng)
    for b in range(N_BLOCKS):
        log_ratios, arcs, weighted_arcs, n_counted, seconds = [], [], [], 0, np.zeros(2)
        for first in range(0, n_records, MAX_RECORDS):
            count = min(MAX_RECORDS, n_records - first)
            began = process_time()
            state, records = order_tempering.run(sums, temperatures, state, rng, count, entry.thin)
            log_ratios.append(log(count) + order_tempering.log_ratios(records.log_likelihoods, temperatures))
            ended = process_time()
            parents = np.array([sums.sample_graphs(order, 1, graph_rng)[0] for order in records.orders])
            arcs.append((log(count), arcs_of(parents).mean(axis=0)))
            if entry.count_every and len(counted := parents[-first % entry.count_every :: entry.count_every]):
                weighted_arcs.append(_weighted_mean(-log_counts(counted), arcs_of(counted)))
                n_counted += len(counted)
            seconds += ended - began, process_time() - ended
        found["log_ratio"][b] = np.logaddexp.reduce(log_ratios) - log(n_records)
        found["arcs"][b] = _weighted_mean(*zip(*arcs, strict=True))[1]
        if weighted_arcs:
            log_sum, found["weighted_arcs"][b] = _weighted_mean(*zip(*weighted_arcs, strict=True))
            found["log_inverse_extensions"][b] = log_sum - log(n_counted)
        found["seconds"][b], found["graph_seconds"][b] = seconds
    n_sweeps = N_BLOCKS * n_records * entry.thin
    return found | {"accepted": state.accepted / n_sweeps, "exchanged": state.exchanged * entry.ratios / n_sweeps}


def _weighted_mean(log_weights: Sequence[float], values: Sequence[np.ndarray]) -> tuple[float, np.ndarray]:
    """The log of the sum of the weights, and the mean of the values."""
    return np.logaddexp.reduce(log_weights), arc_posteriors(np.array(log_weights), np.array(values))


def _draw_by_weight(log_weights: np.ndarray, rng: np.random.Generator) -> int:
    weights = np.exp(log_weights - log_weights.max())
    return int(rng.choice(len(weights), p=weights / weights.sum()))


def _schedule(n_steps: int, curvature: float | None) -> np.ndarray:
    return linear_schedule(n_steps) if curvature is None else nonlinear_schedule(n_steps, curvature)
