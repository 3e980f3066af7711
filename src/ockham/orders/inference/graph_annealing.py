"""Annealing of orders with their graphs, from a flat posterior of orders to where each graph counts once.

The correction of section 3.2 of [NiinimakiKoivisto2013] divides the weight of a sampled graph by its number of linear
extensions at once; where the two posteriors lie apart, few graphs then carry all of the weight. Here the same division
is taken in small steps, between which the graph and its order move, and where the likelihood of orders is still flat:
graphs that few orders extend can be out of reach of the others once it is not. Where it is flat
to the end, as of few rows, all steps are taken at the likelihood itself.
"""

from collections.abc import Sequence

import numpy as np

from ockham.estimation.schedules import linear_schedule
from ockham.kernels import graphs as kernel
from ockham.orders.inference.graph_sums import LEAST_SCORE, SECONDS_PER_LISTED_SET, SECONDS_PER_LOOK_UP, OrderSums

__all__ = ["FLAT", "flat_power", "powers", "run", "seconds_of_exchanges", "seconds_per_step"]

FLAT = 15.0
"""Nats, root mean square, that an exchange of two nodes may take from ln p(L, D) ** b where graphs come to count once;
benchmarks/larger_arcs.py has a table that fails at b = 1.
"""

SECONDS_PER_DRAWN_SET, SECONDS_PER_PAIR = 2.2e-9, 1e-9
"""Of every set of a node's list when parents are drawn from it, and of every pair of nodes; by benchmarks/orders.py."""


def seconds_per_step(sums: OrderSums) -> float:
    """What a step is predicted to take.

    As if no node had children: five in eight find the sums of a node in all places, then of the nodes that it passes;
    one in eight finds those of all nodes.
    """
    drawn = len(sums.sets) / sums.n_nodes * SECONDS_PER_DRAWN_SET + sums.n_nodes**2 * SECONDS_PER_PAIR
    return 11 / 8 * sums.n_nodes * _seconds_per_sum(sums) + drawn


def seconds_of_exchanges(sums: OrderSums) -> float:
    """What ``flat_power`` is predicted to take of one order."""
    return sums.n_nodes**2 * (sums.n_nodes - 1) / 2 * _seconds_per_sum(sums)


def _seconds_per_sum(sums: OrderSums) -> float:
    listed = 0.0 if sums.method == "table" else len(sums.sets) / sums.n_nodes
    return SECONDS_PER_LOOK_UP + listed * SECONDS_PER_LISTED_SET


def flat_power(sums: OrderSums, orders: Sequence[np.ndarray]) -> float:
    """The power b of p(L, D), at most 1, at which graphs come to count once.

    Parameters
    ----------
    orders : sequence of ndarray of int32, shape (n_nodes,)
        From the posterior of orders. Any two nodes trade places; gains count as 0, orders without a graph not at all.
    """
    first, second = np.triu_indices(sums.n_nodes, 1)
    which, lost = np.arange(len(first)), np.empty((len(orders), len(first)))
    for order, of in zip(orders, lost, strict=True):
        exchanged = np.tile(order, (len(first), 1))
        exchanged[which, first], exchanged[which, second] = order[second], order[first]
        of[:] = sums.log_likelihoods(order[None]) - sums.log_likelihoods(exchanged)
    possible = np.maximum(lost[lost < -LEAST_SCORE / 2], 0.0)
    typical = np.sqrt(np.mean(possible**2)) if len(possible) else 0.0
    return float(min(FLAT / typical, 1.0)) if typical else 1.0


def powers(n_steps: int, flat: float) -> tuple[np.ndarray, np.ndarray]:
    """Those of q(L | A), evenly from 0 in half of the steps, and of p(L, D), by factors from ``flat`` in fewer.

    The second have as many steps as ``flat`` leaves to go to 1; at least one each, but for those that stay at 1.
    """
    n_draw = max(n_steps // 2, 1)
    if flat == 1:
        return linear_schedule(n_draw), np.ones(1)
    return linear_schedule(n_draw), flat ** (1 - linear_schedule(max(round((1 - flat) * n_draw), 1)))


def run(
    sums: OrderSums,
    order: np.ndarray,
    parents: np.ndarray,
    draw_powers: np.ndarray,
    likelihood_powers: np.ndarray,
    rng: np.random.Generator,
    n_graphs: int = 1,
) -> tuple[float, np.ndarray]:
    """The log weight of one run, nats, and graphs from its end, masks of parents, (n_graphs, n_nodes).

    Parameters
    ----------
    order : ndarray of int32, shape (n_nodes,)
        From p(L, D)^b, with b the first of the powers of the likelihood.
    parents : ndarray of uint64, shape (n_nodes,)
        A graph from p(A | L, D).
    draw_powers : ndarray, shape (n_draw_steps + 1,)
        t, from 0 to 1.
    likelihood_powers : ndarray, shape (n_likelihood_steps + 1,)
        b, to 1.
    n_graphs : int
        The first is the end of the annealing; each further one comes a round of n_nodes steps with both powers 1 later.

    Notes
    -----
    The targets are p(A | L, D) p(L, D)^b q(L | A)^t, with q any distribution over the orders that A extends; t changes
    first. Where an order L has weight w, so that the mean of w is that of p(L, D)^b over all orders that have a graph,
    the mean of w times the weight of this run is the sum of p(D, A) over all graphs divided by the number of these
    orders, n! where no arc is required, as that of w / l(A) is with b = 1. No linear extension is counted.
    """
    order, parents = np.array(order, dtype=np.int32), np.array(parents, dtype=np.uint64)
    work = {"cumulative": np.empty(sums.longest_list), "inside": np.empty(sums.longest_list, dtype=np.uint64)}
    graphs, log_weight = np.empty((n_graphs, sums.n_nodes), dtype=np.uint64), 0.0
    for g in range(n_graphs):
        log_weight += kernel.run_annealing(
            rng.bit_generator, sums, draw_powers, likelihood_powers, nodes=order, parents=parents, **work
        )
        draw_powers, likelihood_powers, graphs[g] = np.ones(1), np.ones(sums.n_nodes + 1), parents
    return log_weight, graphs
