"""The posterior of graphs, and what it says of pairs of nodes, by enumeration of all graphs and in plain matrices."""

from math import inf, log

import numpy as np
from reference.orders import arcs_of, log_sum, over_graphs


class Enumerated:
    """Every graph that the scores allow, with its probability under a prior."""

    def __init__(self, scores, prior):
        known = {parents: of for parents, of in over_graphs(scores).items() if of[0] > -inf}
        counts = [n if prior == "orders" else 1 for _, n in known.values()]
        log_weights = [score + log(count) for (score, _), count in zip(known.values(), counts, strict=True)]
        self.graphs = list(known)
        self.log_total, self.log_count = log_sum(log_weights), log(sum(counts))
        self.probabilities = np.exp(np.array(log_weights) - self.log_total)

    @property
    def log_evidence(self):
        return self.log_total - self.log_count

    def mean(self, related):
        """The probability that a matrix of a graph has an entry."""
        return np.tensordot(self.probabilities, [related(arcs_of(graph)) for graph in self.graphs], axes=1)

    def best(self):
        """The most probable graph, and its probability."""
        place = int(np.argmax(self.probabilities))
        return self.graphs[place], self.probabilities[place]


def adjacencies(arcs):
    return arcs + arcs.T


def paths(arcs):
    """By powers of the matrix."""
    total, power = arcs.copy(), arcs.copy()
    for _ in range(len(arcs)):
        power = power @ arcs
        total += power
    return (total > 0).astype(float)


def markov_blankets(arcs):
    """Parents, children, and other parents of children."""
    related = arcs + arcs.T + arcs @ arcs.T
    return ((related > 0) & ~np.eye(len(arcs), dtype=bool)).astype(float)


QUANTITIES = {"arcs": lambda arcs: arcs, "adjacencies": adjacencies, "paths": paths, "markov_blankets": markov_blankets}


def equivalence(arcs):
    """Skeleton and v-structures: the same for two graphs if and only if they are Markov equivalent."""
    arcs = arcs > 0
    skeleton, n = arcs | arcs.T, len(arcs)
    collisions = frozenset(
        (u, v, w)
        for v in range(n)
        for u in range(n)
        for w in range(u)
        if arcs[u, v] and arcs[w, v] and not skeleton[u, w]
    )
    return skeleton.tobytes(), collisions
