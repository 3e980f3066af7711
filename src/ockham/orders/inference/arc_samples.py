"""Weighted graphs under both priors, of annealed orders or annealed with their orders, as many as it takes."""

from collections.abc import Sequence
from time import process_time
from typing import NamedTuple

import numpy as np

from ockham.estimation.combining import combine
from ockham.estimation.schedules import linear_schedule
from ockham.orders.estimates import arcs_of
from ockham.orders.inference import annealing, graph_annealing
from ockham.orders.inference.graph_sums import OrderSums
from ockham.streams import Stream

__all__ = ["FIRST", "Weighted", "predicted_bytes", "predicted_seconds", "sample"]

FIRST = 32
"""Samples of the first round."""
FEW = 0.25
"""Effective samples in one below which schedules become twice as long. Log-normal weights of variance s^2 have
exp(-s^2), so half of this variance brings exp(s^2 / 2), here two, times as many.
"""
ORDERS = 4
"""Of the posterior, that tell where graphs come to count once."""
SPARE = 1.2
"""How many more samples than should do are drawn in a last round."""
LONGEST = 10**8
"""Steps of a schedule at the most."""
SECONDS_PER_CALL = 1e-5
"""Of a graph, whatever it takes."""
MOST_KEPT = 10
"""Graphs of a sample that are kept; its arcs are those of all of its graphs."""


class Weighted(NamedTuple):
    """Independent samples under one prior.

    Attributes
    ----------
    log_weights : ndarray, shape (n_samples,)
        Nats.
    arcs : ndarray, shape (n_samples, n_nodes, n_nodes)
        The fraction of a sample's graphs that have the arc.
    graphs : ndarray of uint64, shape (n_samples, n_kept, n_nodes)
        The first of its graphs, masks of parents.
    """

    log_weights: np.ndarray
    arcs: np.ndarray
    graphs: np.ndarray


def predicted_bytes(n_nodes: int, n_samples: int, n_steps: int, n_graphs: int) -> float:
    """Of samples under both priors with the copies that sums over them make, of one's graphs, and of its schedules."""
    by_sample = 6 * n_nodes**2 + 4 * min(n_graphs, MOST_KEPT) * n_nodes
    return 8.0 * (n_samples * by_sample + 2 * n_graphs * n_nodes * (n_nodes + 1) + 4 * n_steps)


def predicted_seconds(sums: OrderSums, n_steps: int, n_graphs: int, priors: Sequence[str]) -> float:
    """Of one sample of a first round under each prior."""
    seconds = len(priors) * n_graphs * SECONDS_PER_CALL
    if "orders" in priors:
        seconds += n_steps * sums.seconds_per_step
    if "graphs" in priors:
        seconds += ORDERS / FIRST * (n_steps * sums.seconds_per_step + graph_annealing.seconds_of_exchanges(sums))
        seconds += n_steps * sums.seconds_per_step
        seconds += (n_steps + (n_graphs - 1) * sums.n_nodes) * graph_annealing.seconds_per_step(sums)
    return seconds


def sample(
    sums: OrderSums,
    priors: Sequence[str],
    stream: Stream,
    *,
    n_steps: int,
    n_graphs: int,
    n_effective: float,
    max_seconds: float,
    max_bytes: float,
) -> tuple[dict[str, Weighted], int]:
    """Samples under each of ``priors``, and the steps of their schedule.

    Rounds go on until every prior has ``n_effective`` effective samples and an evidence that is not doubted, or the
    next would come to more CPU time or memory than allowed. A round doubles the samples, or adds fewer where these
    should do; where too few are effective it doubles the steps of the schedule, and the samples so far are left.
    """
    began, start, flat = process_time(), 0.0, _flat_power(sums, priors, stream, n_steps)
    found = _round(sums, priors, stream, range(FIRST), n_steps, flat, n_graphs)
    while True:
        means = [combine(of.log_weights, "mean") for of in found.values()]
        if all(mean.effective_sample_size >= n_effective and not mean.doubt for mean in means):
            return found, n_steps
        n_samples = len(found[priors[0]].log_weights)
        fewest = min(float(mean.effective_sample_size) for mean in means)
        elapsed, longer = process_time() - began, fewest < FEW * n_samples
        n_more = n_samples
        if not longer and not any(mean.doubt for mean in means):
            n_more = min(n_samples, int(SPARE * (n_effective / fewest - 1) * n_samples) + 1)
        needed = (2 if longer else 1) * (elapsed - start) * n_more / n_samples
        n_bytes = predicted_bytes(sums.n_nodes, n_samples + n_more, 2 * n_steps if longer else n_steps, n_graphs)
        if elapsed + needed > max_seconds or n_bytes > max_bytes or (longer and 2 * n_steps > LONGEST):
            return found, n_steps
        if longer:
            start, n_steps = elapsed, 2 * n_steps
            flat = _flat_power(sums, priors, stream, n_steps)
            found = _round(sums, priors, stream, range(n_samples), n_steps, flat, n_graphs)
        else:
            more = _round(sums, priors, stream, range(n_samples, n_samples + n_more), n_steps, flat, n_graphs)
            found = {
                prior: Weighted(*map(np.concatenate, zip(found[prior], more[prior], strict=True))) for prior in found
            }


def _flat_power(sums: OrderSums, priors: Sequence[str], stream: Stream, n_steps: int) -> float:
    if "graphs" not in priors:
        return 1.0
    streams, schedule = (stream.child("exchanges", n_steps, t) for t in range(ORDERS)), linear_schedule(n_steps)
    return graph_annealing.flat_power(sums, [annealing.run(sums, schedule, of.generator()).order for of in streams])


def _round(
    sums: OrderSums,
    priors: Sequence[str],
    stream: Stream,
    numbers: range,
    n_steps: int,
    flat: float,
    n_graphs: int,
) -> dict[str, Weighted]:
    n, schedule, n_kept = sums.n_nodes, linear_schedule(n_steps), min(n_graphs, MOST_KEPT)
    to_flat, powers = flat * schedule, graph_annealing.powers(n_steps, flat)
    shapes = (len(numbers),), (len(numbers), n, n), (len(numbers), n_kept, n)
    found = {
        prior: Weighted(np.empty(shapes[0]), np.empty(shapes[1]), np.empty(shapes[2], dtype=np.uint64))
        for prior in priors
    }

    def keep(prior: str, t: int, log_weight: float, graphs: np.ndarray) -> None:
        of = found[prior]
        of.log_weights[t], of.arcs[t], of.graphs[t] = log_weight, arcs_of(graphs).mean(axis=0), graphs[:n_kept]

    for t, number in enumerate(numbers):
        if "orders" in found:
            end = annealing.run(sums, schedule, stream.child("annealing", n_steps, number).generator())
            graphs = sums.sample_graphs(end.order, n_graphs, stream.child("graphs", n_steps, number).generator())
            keep("orders", t, end.log_weight, graphs)
        if "graphs" in found:
            rng = stream.child("annealed graphs", n_steps, number).generator()
            end = annealing.run(sums, to_flat, rng)
            first = sums.sample_graphs(end.order, 1, rng)[0]
            more, graphs = graph_annealing.run(sums, end.order, first, *powers, rng, n_graphs)
            keep("graphs", t, end.log_weight + more, graphs)
    return found
