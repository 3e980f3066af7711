"""Node orders and directed acyclic graphs of bounded indegree: how many there are, the normalisers of two priors.

Of nodes that forbidden and required arcs do not tell apart only the number matters, so graphs are counted over numbers
of nodes of each such class, not over sets.
"""

from functools import cached_property, lru_cache
from math import comb, log, prod

from ockham.errors import ModelError

__all__ = ["log_n_graphs", "log_n_ordered_graphs"]

Arcs = tuple[tuple[int, int], ...]
MOST_TERMS = 4_000_000
"""Of a sum, which takes a few seconds."""


@lru_cache
def log_n_ordered_graphs(n_nodes: int, max_indegree: int, forbidden: Arcs = (), required: Arcs = ()) -> float:
    """ln of the number of pairs of a node order and a graph that it extends; nats.

    That of the order-modular prior p(A, L), uniform over such pairs: n! times, for every position, the number of parent
    sets among the nodes before it, where all arcs are allowed.

    Raises
    ------
    ModelError
        When the forbidden and required arcs tell so many nodes apart that it would take too long.
    """
    if forbidden or required:
        return log(_Classes(n_nodes, max_indegree, forbidden, required).n_ordered_graphs())
    return sum(log((p + 1) * _n_sets(p, max_indegree)) for p in range(n_nodes))


@lru_cache
def log_n_graphs(n_nodes: int, max_indegree: int, forbidden: Arcs = (), required: Arcs = ()) -> float:
    """ln of the number of directed acyclic graphs on n labelled nodes; nats.

    Exact, by inclusion and exclusion over the nodes without children. Without a limit on the indegree, and with all
    arcs allowed, these are the recurrences of Robinson that section 3.4 of [NiinimakiKoivisto2013] names.

    Raises
    ------
    ModelError
        As ``log_n_ordered_graphs`` does.
    """
    return log(_Classes(n_nodes, max_indegree, forbidden, required).n_graphs())


class _Classes:
    """Nodes in classes whose members can trade places without a change of what is forbidden and required.

    A set of nodes is the tuple of how many it has of each class.
    """

    def __init__(self, n_nodes: int, max_indegree: int, forbidden: Arcs, required: Arcs) -> None:
        self.max_indegree, self.forbidden, self.required = max_indegree, set(forbidden), set(required)
        self.classes: list[list[int]] = []
        for v in range(n_nodes):
            alike = next((members for members in self.classes if self._alike(members[0], v)), None)
            if alike is None:
                self.classes.append([v])
            else:
                alike.append(v)
        self.sizes = tuple(map(len, self.classes))
        self.strides = [prod(size + 1 for size in self.sizes[:i]) for i in range(len(self.sizes))]
        self.n_sets = prod(size + 1 for size in self.sizes)

    def _alike(self, v: int, w: int) -> bool:
        """Whether v and w can trade places."""
        trade = {v: w, w: v}
        return all(
            {(trade.get(a, a), trade.get(b, b)) for a, b in arcs} == arcs for arcs in (self.forbidden, self.required)
        )

    @cached_property
    def _relations(self) -> list[tuple[list[int], list[int]]]:
        """Of each class, the classes that its members must have as parents, and those that they may have beside."""
        found = []
        for members in self.classes:
            pairs = [(others[-1], members[0]) for others in self.classes]  # the last is another, if there is another
            must = [j for j, pair in enumerate(pairs) if pair in self.required]
            may = [j for j, pair in enumerate(pairs) if pair not in self.required | self.forbidden]
            found.append((must, may))
        return found

    def n_parent_sets(self, i: int, nodes: tuple[int, ...]) -> int:
        """Parent sets of a node of class i inside a set of other nodes."""
        must, may = self._relations[i]
        if any(nodes[j] < self.sizes[j] for j in must):
            return 0
        return _n_sets(sum(nodes[j] for j in may), self.max_indegree - sum(self.sizes[j] for j in must))

    def n_graphs(self) -> int:
        """Sums over the last nodes, those without children, beside every set of others."""
        self._check(prod((size + 1) * (size + 2) // 2 for size in self.sizes))
        counts = [1] + [0] * (self.n_sets - 1)
        for place in range(self.n_sets):
            nodes = self._nodes(place)
            terms, places = [-counts[place]], [place]
            for i, (size, stride) in enumerate(zip(self.sizes, self.strides, strict=True)):
                n_parent_sets, last = self.n_parent_sets(i, nodes), range(size - nodes[i] + 1)
                factors = [comb(nodes[i] + k, k) * (-n_parent_sets) ** k for k in last]
                terms = [term * factor for term in terms for factor in factors]
                places = [place + k * stride for place in places for k in last]
            for term, with_last in zip(terms[1:], places[1:], strict=True):
                counts[with_last] += term
        return counts[-1]

    def n_ordered_graphs(self) -> int:
        """Sums over the last node, after every set of others."""
        self._check(len(self.sizes) * self.n_sets)
        counts = [1] + [0] * (self.n_sets - 1)
        for place in range(self.n_sets):
            nodes = self._nodes(place)
            for i, (size, stride) in enumerate(zip(self.sizes, self.strides, strict=True)):
                if nodes[i] < size:
                    counts[place + stride] += (nodes[i] + 1) * self.n_parent_sets(i, nodes) * counts[place]
        return counts[-1]

    def _nodes(self, place: int) -> tuple[int, ...]:
        """The set at a place in the list of all, which has every set after its subsets."""
        return tuple(place // stride % (size + 1) for stride, size in zip(self.strides, self.sizes, strict=True))

    def _check(self, n_terms: int) -> None:
        if n_terms > MOST_TERMS:
            raise ModelError(
                f"the forbidden and required arcs tell {len(self.sizes)} classes of nodes apart: counting the graphs "
                f"takes {n_terms:.3g} terms, {MOST_TERMS:,} are allowed; forbid and require fewer arcs"
            )


def _n_sets(n: int, largest: int) -> int:
    return sum(comb(n, size) for size in range(largest + 1))
