"""Family scores, linear extensions and exact sums: against straightforward peers and arithmetic floors, in one run.

    python benchmarks/structures.py

All times are CPU times. Peers are what one would write first: NumPy's bincount, family by family; dynamic programming
over all ideals of the partial order in a dictionary, the paper's method; the recurrences over sets in NumPy, a set at a
time. Of family scores the peer makes 300, drawn at random, and is scaled up. Floors, at the rates of NumPy's loops: one
count of a row for every set of nodes (bincount); one addition for every ideal and each of its largest elements; for
orders the logarithms and exponentials of 2 n^2 2^(n - 2) sums in logs; for graphs 3^n multiply-adds (dot).
"""

import timeit
from functools import partial
from math import comb
from resource import RUSAGE_SELF, getrusage
from time import process_time

import numpy as np
from scipy.special import gammaln

from ockham.kernels import VECTOR
from ockham.orders.data.random_graphs import random_graph
from ockham.orders.data.structure_data import StructureData
from ockham.orders.inference.exact_structures import exact_graphs, exact_orders
from ockham.orders.inference.family_scores import bdeu_scores
from ockham.orders.inference.graph_sums import order_sums
from ockham.orders.inference.linear_extensions import log_counts, n_ideals
from ockham.orders.parent_sets import over_all_nodes, parent_sets
from ockham.orders.space import OrderSpace

RNG = np.random.default_rng(1)


def seconds(statement, number=1, repeat=3):
    return min(timeit.repeat(statement, timer=process_time, number=number, repeat=repeat)) / number


def rates():
    """Seconds of one count, addition, exponential, logarithm and multiply-add in NumPy."""
    few, x, y = RNG.integers(0, 4, 4096), RNG.random(4096), RNG.random(4096)
    return {
        "count": seconds(lambda: np.bincount(few), 2000) / few.size,
        "add": seconds(lambda: np.add(x, y, out=y), 2000) / x.size,
        "exp": seconds(lambda: np.exp(x, out=y), 2000) / x.size,
        "log": seconds(lambda: np.log(x, out=y), 2000) / x.size,
        "multiply-add": seconds(lambda: np.dot(x, y), 2000) / x.size,
    }


def table_of(cardinality, n, n_rows):
    """Rows in which every variable follows an earlier one half of the time."""
    states = RNG.integers(0, cardinality, (n_rows, n))
    for v in range(1, n):
        follows = RNG.random(n_rows) < 0.5
        states[follows, v] = states[follows, RNG.integers(v)]
    names = tuple(f"x{v}" for v in range(n))
    return StructureData(names, (tuple("abcdefgh"[:cardinality]),) * n, states.astype(np.int16))


def numpy_score(data, node, parents, sample_size=1.0):
    r = data.cardinalities[node]
    q = int(np.prod([data.cardinalities[p] for p in parents]))
    configuration = np.zeros(len(data.states), dtype=np.int64)
    for p in parents:
        configuration = configuration * data.cardinalities[p] + data.states[:, p]
    counts = np.bincount(configuration * r + data.states[:, node], minlength=q * r).reshape(q, r)
    a, b = sample_size / (q * r), sample_size / q
    return (gammaln(a + counts) - gammaln(a)).sum() - (gammaln(b + counts.sum(axis=1)) - gammaln(b)).sum()


def family_scores(rate):
    print("BDeu scores, seconds       families      ours     floor  ours/floor  NumPy (estimated)   ratio")
    for name, data, k in (("n 22, 1000 rows, k 4", table_of(5, 22, 1000), 4),
                          ("n 58,  106 rows, k 3", table_of(4, 58, 106), 3)):  # fmt: skip
        n, n_rows = len(data.names), len(data.states)
        space = OrderSpace(n, k)
        found = bdeu_scores(data, space)
        ours = seconds(partial(bdeu_scores, data, space))
        masks = parent_sets(n, k)
        sample = [
            (int(v), int(c)) for v, c in zip(RNG.integers(0, n, 300), RNG.integers(0, len(masks), 300), strict=True)
        ]
        start, twin = process_time(), []
        for v, c in sample:
            mask = int(over_all_nodes(v, masks[c]))
            twin.append(numpy_score(data, v, [u for u in range(n) if mask >> u & 1]))
        slow = (process_time() - start) / len(sample) * found.log_scores.size
        np.testing.assert_allclose([found.log_scores[v, c] for v, c in sample], twin, rtol=1e-9)
        floor = sum(comb(n, size) for size in range(k + 2)) * n_rows * rate["count"]
        print(f"{name:22s} {found.log_scores.size:12d} {ours:9.3f} {floor:9.3f} {ours / floor:11.2f} {slow:18.1f} "
              f"{slow / ours:7.0f}")  # fmt: skip


def ideals_count(parents):
    """The paper's dynamic programming: linear extensions of every ideal; and the number of additions."""
    parents = [int(mask) for mask in parents]
    level, n_additions = {0: 1}, 0
    for _ in parents:
        larger = {}
        for ideal, count in level.items():
            for v, mask in enumerate(parents):
                if not ideal >> v & 1 and not mask & ~ideal:
                    larger[ideal | 1 << v] = larger.get(ideal | 1 << v, 0) + count
                    n_additions += 1
        level = larger
    return level[(1 << len(parents)) - 1], n_additions


def linear_extensions(rate):
    print("\nlinear extensions, microseconds a graph   ideals      ours     floor  ours/floor     all ideals    ratio")
    for n, k, n_graphs in ((22, 4, 200), (30, 3, 50), (37, 3, 20), (58, 3, 9), (58, 6, 9)):
        graphs = np.array([random_graph(n, k, RNG) for _ in range(n_graphs)])
        logs = log_counts(graphs)
        ours = seconds(partial(log_counts, graphs)) / n_graphs
        ideals = [n_ideals(graph) for graph in graphs]
        slow, floor = np.nan, np.nan
        if n <= 30:
            start = process_time()
            counts = [ideals_count(graph) for graph in graphs]
            slow = (process_time() - start) / n_graphs
            floor = np.mean([additions for _, additions in counts]) * rate["add"]
            np.testing.assert_allclose(logs, np.log([float(count) for count, _ in counts]), rtol=1e-13, atol=1e-13)
        print(f"n {n}, k {k}: {n_graphs:3d} graphs {'':16s} {np.mean(ideals):9.3g} {ours * 1e6:9.1f} "
              f"{floor * 1e6:9.1f} {ours / floor:11.2f} {slow * 1e6:14.0f} {slow / ours:8.0f}")  # fmt: skip


def numpy_orders(table):
    """The forward sums over orders, a set at a time."""
    n = len(table)
    forward = np.zeros(2**n)
    for nodes in range(1, 2**n):
        terms = [table[v, (nodes & ((1 << v) - 1)) | (nodes >> 1 & ~((1 << v) - 1))] + forward[nodes ^ 1 << v]
                 for v in range(n) if nodes >> v & 1]  # fmt: skip
        forward[nodes] = np.logaddexp.reduce(terms)
    return forward[-1]


def numpy_graphs(table):
    """The sum over graphs, a set at a time, vectorised over its subsets; in plain floats, so for tame scores."""
    n = len(table)
    below = np.zeros(2**n)
    below[-1] = 1.0
    subsets = np.arange(2**n)
    for nodes in range(2**n - 2, -1, -1):
        free = [v for v in range(n) if not nodes >> v & 1]
        union = subsets[(subsets & nodes) == nodes]
        values = below[union]
        values[0] = 0.0
        for j in reversed(range(len(free))):
            v = free[j]
            half = 1 << j
            values[:half] -= (
                np.exp(table[v, (nodes & ((1 << v) - 1)) | (nodes >> 1 & ~((1 << v) - 1))]) * values[half : 2 * half]
            )
        below[nodes] = -values[0]
    return np.log(below[0])


def exact_sums(rate):
    print("\nexact sums and all arcs, seconds      ours     floor  ours/floor   NumPy (total only)    ratio   GB")
    for n, with_peer in ((12, True), (17, False), (20, False), (22, False), (25, False)):
        scores = bdeu_scores(table_of(3, n, 20), OrderSpace(n, 4))
        table = order_sums(scores, "table").table if with_peer else None
        kinds = [("orders", exact_orders, numpy_orders, 2 * n**2 * 2 ** (n - 2) * (rate["exp"] + rate["log"]))]
        if n <= 20:
            kinds.append(("graphs", exact_graphs, numpy_graphs, 3**n * rate["multiply-add"]))
        for kind, exact, peer, floor in kinds:
            start = process_time()
            found = exact(scores, max_seconds=1000)
            ours = process_time() - start
            slow = np.nan
            if with_peer:
                np.testing.assert_allclose(peer(table), found.log_total, rtol=1e-9)
                slow = seconds(partial(peer, table), repeat=1)
            memory = getrusage(RUSAGE_SELF).ru_maxrss / 1e6
            print(f"{kind}, n {n:2d} {'':22s} {ours:8.3f} {floor:9.4f} {ours / floor:11.1f} {slow:20.2f} "
                  f"{slow / ours:8.0f} {memory:4.1f}")  # fmt: skip


def main():
    rate = rates()
    print(f"vectors: {VECTOR}")
    family_scores(rate)
    linear_extensions(rate)
    exact_sums(rate)


if __name__ == "__main__":
    main()
