"""What a search over structures is checked against: all graphs on a few nodes, and tables from known structures."""

from itertools import combinations, product

import numpy as np

import ockham


def every_graph(n_nodes):
    """All directed acyclic graphs, as tuples of frozensets of parents."""
    nodes = range(n_nodes)
    families = [
        [frozenset(of) for size in nodes for of in combinations([p for p in nodes if p != v], size)] for v in nodes
    ]
    return [parents for parents in product(*families) if _is_acyclic(parents)]


def _is_acyclic(parents):
    left = set(range(len(parents)))
    while free := {v for v in left if not parents[v] & left}:
        left -= free
    return not left


def one_arc_apart(first, second):
    """Whether one graph is the other with an arc more, less or reversed."""
    differ = arcs(first) ^ arcs(second)
    return len(differ) == 1 or (len(differ) == 2 and len({frozenset(arc) for arc in differ}) == 1)


def arcs(parents):
    return {(p, v) for v, of in enumerate(parents) for p in of}


def strong_table(cardinalities, parents, hidden, n, seed):
    """Rows of a network in which a variable has its parents' sum, modulo its number of values, four times in five."""
    network = ockham.DiscreteNetwork.build(cardinalities, parents, hidden)
    tables = []
    for i, of in enumerate(network.parents):
        r = network.cardinalities[i]
        table = np.full((network.n_configurations[i], r), 0.2 / (r - 1) if of else 1 / r)
        for j, states in enumerate(product(*(range(network.cardinalities[p]) for p in of))):
            if of:
                table[j, sum(states) % r] = 0.8
        tables.append(table.ravel())
    rows = ockham.draw(network, np.concatenate(tables), n, np.random.default_rng(seed))[:, list(network.observed)]
    names = tuple(network.names[i] for i in network.observed)
    labels = tuple(tuple(map(str, range(network.cardinalities[i]))) for i in network.observed)
    return ockham.CategoricalTable(names, labels, rows)
