"""Directed acyclic graphs over the columns of a table and hidden variables, and when two of them are alike."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from typing import Any

__all__ = ["Graph"]

MOST_PARENTS_OF_NOTHING = 1
"""Neighbours up to which a hidden variable explains nothing."""


@dataclass(frozen=True)
class Graph:
    """A directed acyclic graph whose first variables are the columns of a table, and the others are hidden.

    Attributes
    ----------
    cardinalities : tuple of int
        Numbers of values of all variables.
    parents : tuple of frozenset of int
        Of every variable.
    n_observed : int
    """

    cardinalities: tuple[int, ...]
    parents: tuple[frozenset[int], ...]
    n_observed: int

    @classmethod
    def without_arcs(cls, cardinalities: tuple[int, ...]) -> "Graph":
        """Of the columns alone, which are independent."""
        return cls(cardinalities, (frozenset(),) * len(cardinalities), len(cardinalities))

    @property
    def listed(self) -> tuple[Any, ...]:
        """What graphs can be put in order by."""
        return self.cardinalities, tuple(tuple(sorted(of)) for of in self.parents)

    @property
    def n_variables(self) -> int:
        return len(self.cardinalities)

    @property
    def hidden(self) -> range:
        """The hidden variables."""
        return range(self.n_observed, self.n_variables)

    @cached_property
    def ancestors(self) -> tuple[frozenset[int], ...]:
        """Of every variable."""
        found: dict[int, frozenset[int]] = {}
        waiting = list(range(self.n_variables))
        while waiting:
            for v in [v for v in waiting if self.parents[v] <= found.keys()]:
                found[v] = self.parents[v].union(*(found[p] for p in self.parents[v]))
                waiting.remove(v)
        return tuple(found[v] for v in range(self.n_variables))

    @cached_property
    def neighbours(self) -> tuple[frozenset[int], ...]:
        """Parents and children of every variable."""
        children = [{c for c, of in enumerate(self.parents) if v in of} for v in range(self.n_variables)]
        return tuple(of | children[v] for v, of in enumerate(self.parents))

    @cached_property
    def equivalence_class(self) -> tuple[Any, ...]:
        """The same for graphs that differ in the names of hidden variables and in arcs that data cannot direct.

        These have the same skeleton and the same colliders of variables that are not adjacent ([VermaPearl1990]).
        """
        return min(self._pattern(image) for image in self._renamings())

    def with_parents(self, changed: dict[int, frozenset[int]]) -> "Graph":
        """The graph with other parents of some variables."""
        parents = tuple(changed.get(v, of) for v, of in enumerate(self.parents))
        return Graph(self.cardinalities, parents, self.n_observed)

    def with_hidden(self, cardinality: int, children: frozenset[int], max_indegree: int) -> "Graph":
        """The graph with another hidden variable, in place of the arcs among its children ([ElidanEtAl2000]).

        Other parents of the children stay, up to the limit.
        """
        more = Graph((*self.cardinalities, cardinality), (*self.parents, frozenset()), self.n_observed)
        return more.with_children(self.n_variables, children, max_indegree)

    def with_children(self, hidden: int, children: frozenset[int], max_indegree: int) -> "Graph":
        """The graph with more children of a hidden variable, in place of the arcs among all of its children.

        ``children`` must be no ancestors of it.
        """
        every = children | {v for v, of in enumerate(self.parents) if hidden in of}
        kept = {v: sorted(self.parents[v] - every - {hidden})[: max_indegree - 1] for v in every}
        return self.with_parents({v: frozenset([*of, hidden]) for v, of in kept.items()})

    def with_cardinality(self, variable: int, cardinality: int) -> "Graph":
        """The graph with another number of values of a variable."""
        given = (*self.cardinalities[:variable], cardinality, *self.cardinalities[variable + 1 :])
        return Graph(given, self.parents, self.n_observed)

    def without_hidden(self, variable: int) -> "Graph":
        """The graph without a hidden variable and its arcs."""
        place = {v: k for k, v in enumerate(v for v in range(self.n_variables) if v != variable)}
        return Graph(
            tuple(self.cardinalities[v] for v in place),
            tuple(frozenset(place[p] for p in self.parents[v] if p != variable) for v in place),
            self.n_observed,
        )

    @property
    def idle_hidden(self) -> tuple[int, ...]:
        """Hidden variables that explain nothing: with one neighbour, or without an observed descendant."""
        above = frozenset().union(*self.ancestors[: self.n_observed])
        return tuple(v for v in self.hidden if v not in above or len(self.neighbours[v]) <= MOST_PARENTS_OF_NOTHING)

    @property
    def pruned(self) -> "Graph":
        """The graph without the hidden variables that explain nothing."""
        graph = self
        while graph.idle_hidden:
            graph = graph.without_hidden(graph.idle_hidden[-1])
        return graph

    def arc_changes(self, max_indegree: int) -> Iterator[dict[int, frozenset[int]]]:
        """The new parents that an arc more, less or reversed gives, of all acyclic graphs that are reached so."""
        for v, of in enumerate(self.parents):
            for p in range(self.n_variables):
                if p in of:
                    yield {v: of - {p}}
                    around = any(p in self.ancestors[other] for other in of - {p})
                    if not around and len(self.parents[p]) < max_indegree:
                        yield {v: of - {p}, p: self.parents[p] | {v}}
                elif p != v and v not in self.ancestors[p] and len(of) < max_indegree:
                    yield {v: of | {p}}

    def clusters(self) -> list[frozenset[int]]:
        """Sets of three variables or more in which every one grown from a pair is adjacent to half of the others.

        What a hidden parent leaves behind where it is missing: the structural signature of [ElidanEtAl2000]. From every
        adjacent pair the variable with most neighbours in the set is added, as long as there is one.
        """
        found: dict[frozenset[int], None] = {}
        for pair in combinations(range(self.n_variables), 2):
            cluster = set(pair)
            if pair[1] not in self.neighbours[pair[0]]:
                continue
            while True:
                n_within = {
                    v: len(self.neighbours[v] & cluster) for v in range(self.n_variables) if v not in cluster
                }  # fmt: skip
                best = max(n_within, key=lambda v: (n_within[v], -v), default=None)
                if best is None or 2 * n_within[best] < len(cluster):
                    break
                cluster.add(best)
                found[frozenset(cluster)] = None
        return sorted(found, key=lambda cluster: (len(cluster), sorted(cluster)))

    def _renamings(self) -> Iterator[dict[int, int]]:
        observed = {v: v for v in range(self.n_observed)}
        for image in permutations(self.hidden):
            yield observed | dict(zip(self.hidden, image, strict=True))

    def _pattern(self, image: dict[int, int]) -> tuple[Any, ...]:
        sizes = sorted((image[v], self.cardinalities[v]) for v in self.hidden)
        skeleton, colliders = [], []
        for v, of in enumerate(self.parents):
            skeleton += [tuple(sorted((image[v], image[p]))) for p in of]
            for pair in combinations(of, 2):
                if pair[0] not in self.neighbours[pair[1]]:
                    colliders.append((image[v], *sorted(image[p] for p in pair)))
        return tuple(sizes), tuple(sorted(skeleton)), tuple(sorted(colliders))
