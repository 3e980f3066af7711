"""Graphs that a search starts from: the simplest ones, random ones, and those that a caller gives."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

import numpy as np

from ockham.errors import ModelError
from ockham.io.arguments import shown
from ockham.io.frames import CategoricalTable
from ockham.networks.classes.priors import Prior
from ockham.networks.comparisons.given_models import network_given, structure_given
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.searches.climbing import Limits
from ockham.networks.searches.graphs import Graph
from ockham.streams import Stream

__all__ = ["given_graphs", "graph_of", "simplest_graphs"]

FEWEST_CHILDREN = 3
"""Of a hidden variable in a random graph."""


def simplest_graphs(cardinalities: tuple[int, ...], limits: Limits, stream: Stream) -> Iterator[tuple[Graph, Graph]]:
    """Pairs of a graph without hidden variables and one to climb from, which may have some.

    First no arcs, twice; then random graphs without end, the first beside one hidden parent of all columns, as in naive
    Bayes, the others beside themselves with random hidden variables. The graphs without them do not depend on limits
    of these, so whatever hill climbing without hidden variables finds is found with them as well.
    """
    free = Graph.without_arcs(cardinalities)
    may_hide = limits.max_hidden and limits.max_indegree and len(cardinalities) >= FEWEST_CHILDREN
    yield free, free
    for k in count():
        rng = stream.child("graph", k).generator()
        plain = _random_arcs(free, limits, rng)
        if may_hide and k == 0:
            yield plain, free.with_hidden(2, frozenset(range(len(cardinalities))), limits.max_indegree)
        else:
            yield plain, _with_random_hidden(plain, limits, rng) if may_hide else plain


def given_graphs(models: Mapping[str, Any], table: CategoricalTable, limits: Limits, prior: Prior) -> list[Graph]:
    """Those of models that ``ockham.compare`` takes; their priors do not count.

    Raises
    ------
    ModelError
        That names the model, what does not fit the table or the limits, and the remedy.
    """
    return [
        _given(name, network_given(name, structure_given(name, model), table, prior), table, limits)
        for name, model in models.items()
    ]


def graph_of(network: DiscreteNetwork, columns: Sequence[str]) -> Graph:
    """The graph of a network whose observed variables are the columns of a table."""
    order = [*(network.names.index(column) for column in columns), *network.hidden]
    return Graph(
        tuple(network.cardinalities[i] for i in order),
        tuple(frozenset(order.index(p) for p in network.parents[i]) for i in order),
        len(columns),
    )


def _given(name: str, network: DiscreteNetwork, table: CategoricalTable, limits: Limits) -> Graph:
    graph = graph_of(network, table.names)
    for column, given, states in zip(table.names, graph.cardinalities, table.cardinalities, strict=False):
        if given != states:
            raise ModelError(
                f"model {name!r}: variable {shown(column)} has {given} values, its column {states} states; a search "
                "gives it these, so leave out the others"
            )
    sizes = [graph.cardinalities[v] for v in graph.hidden]
    for what, number, limit in (
        ("hidden variables", len(sizes), "max_hidden"),
        ("values of a hidden variable", max(sizes, default=0), "max_values"),
        ("parents of a variable", max(map(len, graph.parents)), "max_indegree"),
    ):
        if number > (most := getattr(limits, limit)):
            raise ModelError(f"model {name!r}: has {number} {what}, and {most} are allowed; raise {limit}, or give "
                             "another model")  # fmt: skip
    return graph.pruned


def _random_arcs(free: Graph, limits: Limits, rng: np.random.Generator) -> Graph:
    """About one parent a variable, in a random order."""
    order = rng.permutation(free.n_variables)
    changed = {}
    for place, v in enumerate(order.tolist()):
        n_parents = min(int(rng.integers(0, 3)), place, limits.max_indegree)
        changed[v] = frozenset(rng.choice(order[:place], n_parents, replace=False).tolist())
    return free.with_parents(changed)


def _with_random_hidden(graph: Graph, limits: Limits, rng: np.random.Generator) -> Graph:
    """Any number of hidden parents, each of half of the columns."""
    n = graph.n_observed
    for _ in range(int(rng.integers(0, limits.max_hidden + 1))):
        children = rng.choice(n, max(FEWEST_CHILDREN, n // 2), replace=False).tolist()
        cardinality = int(rng.integers(2, limits.max_values + 1))
        graph = graph.with_hidden(cardinality, frozenset(children), limits.max_indegree)
    return graph.pruned
