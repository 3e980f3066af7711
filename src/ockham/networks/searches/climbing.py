"""Structural EM from one graph to where no move of an arc or of a hidden variable raises its score."""

from collections.abc import Callable, Iterable, Iterator
from math import prod
from typing import NamedTuple

from ockham.errors import ModelError
from ockham.networks.classes.priors import Prior
from ockham.networks.searches.expected_counts import CompletedRows
from ockham.networks.searches.fits import Fitted, Fitter
from ockham.networks.searches.graphs import Graph

__all__ = ["Limits", "best_arcs", "climb", "hidden_moves", "settle"]

LEAST_GAIN = 0.01
"""Nats; a smaller one is no rise."""
MOST_TRIED = 8
"""Hidden moves, the best by their first fit, whose arcs are searched."""
MOST_NEW_VALUES = 3
"""Of a new hidden variable; it may get more later."""
MOST_ENTRIES = 100_000
"""Of the table of one variable."""

Visit = Callable[[Fitted], None]


class Limits(NamedTuple):
    """What a search keeps to.

    Attributes
    ----------
    max_indegree, max_hidden, max_values : int
        Parents of a variable, hidden variables, and values of each of these, at the most.
    """

    max_indegree: int
    max_hidden: int
    max_values: int


def climb(start: Fitted, limits: Limits, visit: Visit) -> Fitted:
    """Arcs by structural EM, then the hidden move that raises the score most, as long as one does."""
    fitted, improved = settle(start, limits, visit), True
    while improved:
        best = max(_settled_moves(fitted, limits, visit), key=lambda move: move.score, default=fitted)
        improved = best.score > fitted.score + LEAST_GAIN
        if improved:
            fitted = best
    return fitted


def settle(start: Fitted, limits: Limits, visit: Visit) -> Fitted:
    """Structural EM over arcs ([Friedman1998]): the best graph at the expected counts, and the fit of it, in turn.

    A step is taken if the score of the new fit is above that of the old; every fit that is reached is told ``visit``.
    """
    fitted = start
    visit(fitted)
    while True:
        fitter, completed = fitted.fitter, fitted.completed()
        graph = best_arcs(fitted.graph, completed, fitter.prior, limits.max_indegree)
        if graph == fitted.graph:
            return fitted
        new = fitter.anew(graph.pruned) if graph.idle_hidden else fitter.from_counts(graph, completed)
        if new.score <= fitted.score + LEAST_GAIN:
            return fitted
        fitted = new
        visit(fitted)


def best_arcs(graph: Graph, completed: CompletedRows, prior: Prior, max_indegree: int) -> Graph:
    """Where hill climbing over arcs ends, by the log evidence of the completed rows.

    That evidence and the entropy of the completions are a lower bound of the evidence of any graph, which for the
    graph that the rows were completed under is its score.
    """

    def gain(changed: dict[int, frozenset[int]]) -> float:
        return sum(
            completed.score(v, of, prior) - completed.score(v, graph.parents[v], prior) for v, of in changed.items()
        )

    def fits(changed: dict[int, frozenset[int]]) -> bool:
        return all(prod(graph.cardinalities[v] for v in (child, *of)) <= MOST_ENTRIES for child, of in changed.items())

    while True:
        changes = filter(fits, graph.arc_changes(max_indegree))
        gains = [(gain(changed), changed) for changed in changes]
        best, changed = max(gains, key=lambda each: each[0], default=(0.0, {}))
        if best <= LEAST_GAIN:
            return graph
        graph = graph.with_parents(changed)


def hidden_moves(graph: Graph, limits: Limits) -> Iterator[Graph]:
    """Graphs with one hidden variable more or less, with another number of values of one, or with another child of it.

    A new one is the parent of a cluster. A value or a child more comes with and without the arcs among the children,
    which it may explain.
    """
    most = limits.max_indegree
    if len(graph.hidden) < limits.max_hidden and most:
        for cluster in graph.clusters():
            for cardinality in range(2, min(limits.max_values, MOST_NEW_VALUES) + 1):
                yield graph.with_hidden(cardinality, cluster, most)
    for v in graph.hidden:
        yield graph.without_hidden(v)
        for cardinality in (graph.cardinalities[v] - 1, graph.cardinalities[v] + 1):
            if 2 <= cardinality <= limits.max_values:
                changed = graph.with_cardinality(v, cardinality)
                yield changed
                yield changed.with_children(v, frozenset(), most)
        for other in range(graph.n_variables):
            if other != v and other not in graph.neighbours[v] and other not in graph.ancestors[v]:
                yield graph.with_children(v, frozenset([other]), most)


def _settled_moves(fitted: Fitted, limits: Limits, visit: Visit) -> Iterator[Fitted]:
    """The best hidden moves, each with the arcs that it leads to."""
    moves = dict.fromkeys(graph.pruned for graph in hidden_moves(fitted.graph, limits))
    best = sorted(_fitted(fitted.fitter, moves), key=lambda each: -each.score)
    for each in best[:MOST_TRIED]:
        yield settle(each, limits, visit)


def _fitted(fitter: Fitter, graphs: Iterable[Graph]) -> Iterator[Fitted]:
    """Those that are small enough to be fitted."""
    for graph in graphs:
        try:
            yield fitter.anew(graph)
        except ModelError:
            continue
