"""Metropolis-coupled chains of node orders at several temperatures, MC3 ([NiinimakiKoivisto2013], section 2.3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from time import process_time

import numpy as np

from ockham.kernels import orders as kernel
from ockham.orders.estimates import arc_posteriors, arcs_of
from ockham.orders.inference.annealing import HOTTEST
from ockham.orders.inference.graph_sums import OrderSums
from ockham.orders.inference.linear_extensions import log_counts
from ockham.streams import Stream

__all__ = ["Records", "State", "init", "log_ratios", "run", "sample"]

MAX_RECORDS = 10_000
"""That are held in memory at once."""


@dataclass(frozen=True, slots=True)
class State:
    """Where the chains stand.

    Attributes
    ----------
    orders : ndarray of int32, shape (n_chains, n_nodes)
        By temperature.
    accepted : ndarray of int64, shape (n_chains,)
        Moves that each chain has accepted so far.
    exchanged : ndarray of int64, shape (n_chains - 1,)
        Exchanges with the next chain so far.
    """

    orders: np.ndarray
    accepted: np.ndarray
    exchanged: np.ndarray


@dataclass(frozen=True, slots=True)
class Records:
    """What was seen after every so many sweeps.

    Attributes
    ----------
    log_likelihoods : ndarray, shape (n_records, n_chains)
        ln p(D, L) of every chain's order, nats.
    orders : ndarray of int32, shape (n_records, n_nodes)
        Of the last chain, whose target is the posterior.
    """

    log_likelihoods: np.ndarray
    orders: np.ndarray


def init(sums: OrderSums, n_chains: int, rng: np.random.Generator) -> State:
    """Chains at orders drawn uniformly among those that have a graph."""
    orders = np.array([sums.required.draw(rng) for _ in range(n_chains)], dtype=np.int32)
    return State(orders, np.zeros(n_chains, dtype=np.int64), np.zeros(n_chains - 1, dtype=np.int64))


def run(
    sums: OrderSums, temperatures: np.ndarray, state: State, rng: np.random.Generator, n_records: int, thin: int
) -> tuple[State, Records]:
    """Go on from a state, and record every ``thin``-th sweep, which moves every chain and proposes one exchange.

    ``temperatures`` are inverse, increasing to 1, shape (n_chains,).
    """
    state = State(state.orders.copy(), state.accepted.copy(), state.exchanged.copy())
    n_chains, n = state.orders.shape
    records = Records(np.empty((n_records, n_chains)), np.empty((n_records, n), dtype=np.int32))
    kernel.run_tempering(
        rng.bit_generator,
        sums,
        np.maximum(temperatures, HOTTEST),
        n_sweeps=thin,
        nodes=state.orders,
        likelihoods=records.log_likelihoods,
        coldest=records.orders,
        accepted=state.accepted,
        exchanged=state.exchanged,
    )
    return state, records


def log_ratios(log_likelihoods: np.ndarray, temperatures: np.ndarray) -> np.ndarray:
    """ln Z_i / Z_(i-1) for neighbouring temperatures, shape (n_chains - 1,); nats. Their sum estimates ln Z_r / Z_0.

    From ``log_likelihoods`` of shape (n_records, n_chains); the telescoping product of [NiinimakiKoivisto2013], 2.3.
    """
    exponents = np.diff(temperatures) * log_likelihoods[:, :-1]
    return np.logaddexp.reduce(exponents, axis=0) - np.log(len(exponents))


def sample(
    sums: OrderSums,
    temperatures: np.ndarray,
    stream: Stream,
    *,
    n_blocks: int,
    records_per_block: int,
    thin: int,
    count_every: int = 1,
) -> dict[str, np.ndarray]:
    """One run of all chains, summed up in equal blocks of records; one graph is drawn from the order of each record.

    Linear extensions are counted for every ``count_every``-th record; 0: never.

    Returns
    -------
    dict of str to ndarray
        ``log_ratio`` (n_blocks, n_chains - 1), nats; ``arcs`` and ``weighted_arcs`` (n_blocks, n_nodes, n_nodes), the
        latter weighted by 1 / number of linear extensions; ``log_inverse_extensions`` (n_blocks,), ln of the mean of
        these weights; NaN where none was counted. ``seconds`` and ``graph_seconds`` (n_blocks,), CPU time;
        ``accepted`` (n_chains,) and ``exchanged`` (n_chains - 1,), fractions.
    """
    n, n_ratios = sums.n_nodes, len(temperatures) - 1
    rng, graph_rng = stream.child("tempering").generator(), stream.child("graphs").generator()
    found = {
        "log_ratio": np.empty((n_blocks, n_ratios)),
        "arcs": np.empty((n_blocks, n, n)),
        "weighted_arcs": np.full((n_blocks, n, n), np.nan),
        "log_inverse_extensions": np.full(n_blocks, np.nan),
        "seconds": np.empty(n_blocks),
        "graph_seconds": np.empty(n_blocks),
    }
    state = init(sums, n_ratios + 1, rng)
    for b in range(n_blocks):
        ratios, arcs, weighted_arcs, n_counted, seconds = [], [], [], 0, np.zeros(2)
        for first in range(0, records_per_block, MAX_RECORDS):
            count = min(MAX_RECORDS, records_per_block - first)
            began = process_time()
            state, records = run(sums, temperatures, state, rng, count, thin)
            ratios.append(log(count) + log_ratios(records.log_likelihoods, temperatures))
            ended = process_time()
            parents = np.array([sums.sample_graphs(order, 1, graph_rng)[0] for order in records.orders])
            arcs.append((log(count), arcs_of(parents).mean(axis=0)))
            if count_every and len(counted := parents[-first % count_every :: count_every]):
                weighted_arcs.append(_weighted_mean(-log_counts(counted), arcs_of(counted)))
                n_counted += len(counted)
            seconds += ended - began, process_time() - ended
        found["log_ratio"][b] = np.logaddexp.reduce(ratios) - log(records_per_block)
        found["arcs"][b] = _weighted_mean(*zip(*arcs, strict=True))[1]
        if weighted_arcs:
            log_sum, found["weighted_arcs"][b] = _weighted_mean(*zip(*weighted_arcs, strict=True))
            found["log_inverse_extensions"][b] = log_sum - log(n_counted)
        found["seconds"][b], found["graph_seconds"][b] = seconds
    n_sweeps = n_blocks * records_per_block * thin
    return found | {"accepted": state.accepted / n_sweeps, "exchanged": state.exchanged * n_ratios / n_sweeps}


def _weighted_mean(
    log_weights: np.ndarray | Sequence[float], values: np.ndarray | Sequence[np.ndarray]
) -> tuple[float, np.ndarray]:
    """The log of the sum of the weights, and the mean of the values."""
    return np.logaddexp.reduce(log_weights), arc_posteriors(np.array(log_weights), np.array(values))
