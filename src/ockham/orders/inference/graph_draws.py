"""Independent graphs from their exact posterior, drawn by the tables of the exact sums.

Under the order-modular prior an order is drawn from its last node on, and then the parents of every node among those
before it. Under the uniform prior over graphs the nodes are drawn in layers, so that each graph has one way to come:
the first layer is the nodes without parents, and each further one is those whose parents have all been drawn, one at
least of them in the layer before. [KuipersMoffa2015] draw graphs uniformly from the other end in the same way. That a
layer has no more and no fewer nodes takes inclusion and exclusion, as the sums over graphs do.
"""

from math import comb

import numpy as np

from ockham.orders.inference.exact_structures import ExactPosterior
from ockham.orders.inference.family_scores import FamilyScores
from ockham.orders.inference.graph_sums import SECONDS_PER_TABLE_CELL, full_table, order_sums
from ockham.orders.parent_sets import over_all_nodes, over_other_nodes, parent_sets

__all__ = ["draw", "predicted_cost"]

SECONDS_PER_SET, SECONDS_PER_PAIR, SECONDS_PER_STATE = 50e-9, 2e-9, 50e-6
"""Of a layer: of every set that it may be, of every set and node, and of every node beside; by benchmarks/graphs.py."""
SECONDS_PER_NODE = 20e-6
"""Of a graph's node when graphs are drawn by orders."""


def predicted_cost(prior: str, n_nodes: int, max_indegree: int, n_draws: int) -> tuple[float, float]:
    """Seconds and bytes that ``draw`` takes at the most, with four matrices of every graph that are made of it."""
    matrices = 32.0 * n_draws * n_nodes**2
    if prior == "orders":
        cells = n_nodes * 2.0 ** (n_nodes - 1)
        return cells * SECONDS_PER_TABLE_CELL + n_draws * n_nodes * SECONDS_PER_NODE, 8 * cells + matrices
    seconds = 0.0
    for n_free in range(1, n_nodes + 1):  # a graph that is a path has a layer for every number of nodes left
        states = min(n_draws, comb(n_nodes, n_free) * 2 ** (n_nodes - n_free))
        one = 2.0**n_free * (SECONDS_PER_SET + n_free * SECONDS_PER_PAIR) + n_free * SECONDS_PER_STATE
        seconds += states * one
    return seconds + n_draws * n_nodes * SECONDS_PER_STATE, 60 * 2.0**n_nodes + matrices


def draw(prior: str, scores: FamilyScores, exact: ExactPosterior, n_draws: int, rng: np.random.Generator) -> np.ndarray:
    """Graphs from the posterior under ``orders`` or ``graphs``; masks of parents, uint64, (n_draws, n_nodes).

    ``exact`` is the sum of these ``scores`` under the same prior.
    """
    return _by_orders(scores, exact, n_draws, rng) if prior == "orders" else _by_layers(scores, exact, n_draws, rng)


def _by_orders(scores: FamilyScores, exact: ExactPosterior, n_draws: int, rng: np.random.Generator) -> np.ndarray:
    n, table, forward = scores.n_nodes, full_table(scores), exact.by_set["forward"]
    nodes = np.arange(n)
    orders, placed = np.empty((n_draws, n), dtype=np.int32), np.full(n_draws, 2**n - 1)
    for place in range(n - 1, -1, -1):
        before = placed[:, None] & ~(1 << nodes)
        log_weights = table[nodes, over_other_nodes(nodes, before).astype(np.int64)] + forward[before]
        log_weights[placed[:, None] >> nodes & 1 == 0] = -np.inf
        cumulative = np.cumsum(np.exp(log_weights - log_weights.max(axis=1, keepdims=True)), axis=1)
        wanted = rng.random((n_draws, 1)) * cumulative[:, -1:]
        orders[:, place] = np.minimum((cumulative <= wanted).sum(axis=1), n - 1)
        placed ^= 1 << orders[:, place].astype(np.int64)
    sums = order_sums(scores, "lists", dropped=0.0)
    return np.concatenate([sums.sample_graphs(order, 1, rng) for order in orders])


def _by_layers(scores: FamilyScores, exact: ExactPosterior, n_draws: int, rng: np.random.Generator) -> np.ndarray:
    n, masks = scores.n_nodes, parent_sets(scores.n_nodes, scores.max_indegree)
    families = [(over_all_nodes(v, masks), scores.log_scores[v]) for v in range(n)]
    graphs = np.zeros((n_draws, n), dtype=np.uint64)
    waiting = {(0, 0): np.arange(n_draws)}  # by the nodes before the last layer, and those with it
    while waiting:
        (before, placed), draws = waiting.popitem()
        layers = _Layers(families, exact, before, placed)
        drawn = layers.draw(len(draws), rng)
        for layer in np.unique(drawn):
            those = draws[drawn == layer]
            for v in layers.members(layer):
                graphs[those, v] = layers.draw_parents(v, len(those), rng)
            if (now := int(layers.sets[layer])) < 2**n - 1:
                waiting[placed, now] = np.concatenate([waiting.get((placed, now), those[:0]), those])
    return graphs


class _Layers:
    """The layers that may come next, given the nodes that have been placed and which of them the last layer is.

    With S the nodes placed, w(T) = prod(alpha_v(S) for v in T) H(S + T) / H(S) is the probability that all parents of
    the nodes of T are in S, in a graph of the rest. Subtracting w(T + v) for one v after another leaves the probability
    that T is all such nodes, every difference being a probability again. That one of the parents of v is in the last
    layer, given that all are in S, is a factor for every v of T.
    """

    def __init__(self, families: list, exact: ExactPosterior, before: int, placed: int) -> None:
        outside, last = np.uint64(2 ** len(families) - 1 & ~placed), np.uint64(placed ^ before)
        self.free = [v for v in range(len(families)) if not placed >> v & 1]
        self.parents: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        alphas, powers, joined = [], [], []  # alpha_v(S) = alpha * 2 ** power, and the part of it that is of new sets
        for v in self.free:
            sets, log_scores = families[v]
            sets, log_scores = sets[inside := sets & outside == 0], log_scores[inside]
            largest = log_scores.max()
            weights = np.exp(log_scores - largest) if largest > -np.inf else np.zeros(len(sets))
            new = weights * (sets & last != 0) if placed else weights
            log_2 = np.log2(weights.sum()) + largest / np.log(2.0) if largest > -np.inf else 0.0
            powers.append(int(np.floor(log_2)))
            alphas.append(2.0 ** (log_2 - powers[-1]) if largest > -np.inf else 0.0)
            joined.append(new.sum() / max(weights.sum(), 1.0))
            self.parents[v] = sets, np.cumsum(new)
        self.sets = placed + _over_subsets(np.add, 0, [1 << v for v in self.free])
        mantissas, exponents = (exact.by_set[name][self.sets] for name in ("mantissas", "exponents"))
        powers = _over_subsets(np.add, 0, powers) + exponents - exponents[0]
        weights = np.ldexp(_over_subsets(np.multiply, 1.0, alphas) * mantissas / mantissas[0], powers.astype(np.int32))
        weights = _without_supersets(weights)
        weights[0] = 0.0  # some nodes are next
        self.cumulative = np.cumsum(np.maximum(weights, 0.0) * _over_subsets(np.multiply, 1.0, joined))

    def draw(self, n_draws: int, rng: np.random.Generator) -> np.ndarray:
        return _places(self.cumulative, n_draws, rng)

    def members(self, layer: int) -> list[int]:
        return [v for i, v in enumerate(self.free) if layer >> i & 1]

    def draw_parents(self, v: int, n_draws: int, rng: np.random.Generator) -> np.ndarray:
        sets, cumulative = self.parents[v]
        return sets[_places(cumulative, n_draws, rng)]


def _without_supersets(weights: np.ndarray) -> np.ndarray:
    """Of every set, in the order of the bits, what is not of a larger one too; in place."""
    for j in range(len(weights).bit_length() - 1):
        halves = weights.reshape(-1, 2, 2**j)
        halves[:, 0] -= halves[:, 1]
    return weights


def _over_subsets(join: np.ufunc, empty: float, values: list) -> np.ndarray:
    """The sum or the product of every subset of values, that of place i being the bits of i."""
    found = np.array([empty])
    for value in values:
        found = np.concatenate([found, join(found, value)])
    return found


def _places(cumulative: np.ndarray, n_draws: int, rng: np.random.Generator) -> np.ndarray:
    """Draws from a distribution that is not normalised."""
    drawn = np.searchsorted(cumulative, rng.random(n_draws) * cumulative[-1], side="right")
    return np.minimum(drawn, len(cumulative) - 1)
