"""Sums over node orders and over directed acyclic graphs by enumeration, in plain Python; nats."""

from itertools import pairwise, permutations, product
from math import exp, factorial, inf, log

import numpy as np

from ockham.orders.inference.family_scores import FamilyScores
from ockham.orders.parent_sets import n_parent_sets, over_all_nodes, parent_sets


def random_scores(seed, n_nodes, max_indegree, spread=3.0):
    """Family scores of no data: independent normal draws."""
    rng = np.random.default_rng(seed)
    log_scores = rng.normal(-10.0, spread, (n_nodes, n_parent_sets(n_nodes, max_indegree)))
    names = tuple(f"x{v}" for v in range(n_nodes))
    return FamilyScores(names, (2,) * n_nodes, max_indegree, log_scores)


def families(scores):
    """For every node, its parent sets as masks over all nodes with their scores."""
    masks = parent_sets(scores.n_nodes, scores.max_indegree)
    return [list(zip(over_all_nodes(v, masks).tolist(), scores.log_scores[v].tolist(), strict=True))
            for v in range(scores.n_nodes)]  # fmt: skip


def log_likelihood(scores, order):
    """Eq. (1): the product over nodes of the sum over the parent sets among the predecessors."""
    before, total = 0, 0.0
    listed = families(scores)
    for v in order:
        total += log_sum([score for mask, score in listed[v] if mask & ~before == 0])
        before |= 1 << v
    return total


def over_orders(scores):
    """Every order with its ln p(D, L)."""
    return {order: log_likelihood(scores, order) for order in permutations(range(scores.n_nodes))}


def over_graphs(scores):
    """Every acyclic graph, as the tuple of its nodes' parents, with the sum of its scores and its linear extensions."""
    found = {}
    for chosen in product(*families(scores)):
        parents = tuple(mask for mask, _ in chosen)
        if n_extensions := extensions(parents):
            found[parents] = sum(score for _, score in chosen), n_extensions
    return found


def extensions(parents, placed=0):
    """Number of linear extensions of a graph; 0 for one with a cycle."""
    free = [v for v in range(len(parents)) if not placed >> v & 1 and parents[v] & ~placed == 0]
    if placed == (1 << len(parents)) - 1:
        return 1
    return sum(extensions(parents, placed | 1 << v) for v in free)


def arcs_of(parents):
    """Matrix with 1 where the row's node is a parent of the column's."""
    n = len(parents)
    return np.array([[mask >> u & 1 for mask in parents] for u in range(n)], dtype=float).reshape(n, n)


def log_sum(values):
    largest = max(values, default=-inf)
    return largest + log(sum(exp(value - largest) for value in values)) if largest > -inf else -inf


def log_mean_over_orders(scores):
    """ln of the mean of p(D, L) over all orders, by dynamic programming over the sets of nodes placed first."""
    n, listed = scores.n_nodes, families(scores)
    best = {0: 0.0}
    for placed in range(1, 1 << n):
        terms = []
        for v in range(n):
            if placed >> v & 1:
                before = placed ^ 1 << v
                terms.append(best[before] + log_sum([s for mask, s in listed[v] if mask & ~before == 0]))
        best[placed] = log_sum(terms)
    return best[(1 << n) - 1] - log(factorial(n))


def anneal(scores, temperatures, rng, mutant=None):
    """Log weight and last order of one run, drawing what the kernel draws in its order.

    Mutants: ``stale`` leaves the sums of the nodes between the two swapped ones as they were, ``cold`` accepts as at
    temperature 1 throughout.
    """
    n, sums = scores.n_nodes, LocalSums(scores)
    order = rng.permutation(n).tolist()
    local = sums.of(order)
    log_weight = 0.0
    for k in range(len(temperatures) - 1):
        word = int(rng.bit_generator.random_raw())
        a, b = (word & 0xFFFFFFFF) * n >> 32, (word >> 32) * (n - 1) >> 32
        a, b = (a, b + 1) if b >= a else (b, a)
        new = [*order[:a], order[b], *order[a + 1 : b], order[a], *order[b + 1 :]]
        new_local = sums.of(new)
        if mutant == "stale":
            new_local[a + 1 : b] = local[a + 1 : b]
        temperature = 1.0 if mutant == "cold" else temperatures[k]
        if np.log(1.0 - rng.random()) < temperature * (sum(new_local) - sum(local)):
            order, local = new, new_local
        log_weight += (temperatures[k + 1] - temperatures[k]) * sum(local)
    return log_weight, order


def anneal_graphs(scores, draw_powers, likelihood_powers, order, parents, rng, mutant=None):
    """Log weight, last order and last graph of one run, drawing what the kernel draws in its order.

    Mutants: ``swap`` accepts a swap, and ``others`` a new place of a node, whatever that does to the sums; ``order``
    accepts an order as if all had the same sums, ``draw`` as if it had not been drawn by q.
    """
    n, sums, listed = scores.n_nodes, LocalSums(scores), families(scores)
    order, parents, log_weight = list(order), list(parents), 0.0

    def below(count):
        return int(rng.random() * count)

    def draw(weights):
        cumulative = np.cumsum(weights)
        return int(np.searchsorted(cumulative, (1.0 - rng.random()) * cumulative[-1]))

    def draw_parents(v, before):
        inside = [(mask, score) for mask, score in listed[v] if mask & ~before == 0]
        largest = max(score for _, score in inside)
        return inside[draw([exp(score - largest) for _, score in inside])][0]

    def step(turn, b, t):
        new, new_parents, chosen = list(order), list(parents), None
        if turn == 7:
            kind, b, t = "order", b - 1.0, t if mutant == "draw" else t - 1.0
            for p in range(n):
                free = [v for v in range(n) if v not in new[:p] and parents[v] & ~mask_of(new[:p]) == 0]
                new[p] = free[below(len(free))]
        elif turn in (1, 4):
            kind, p = "swap", below(n - 1)
            u, v, before = order[p], order[p + 1], mask_of(order[:p])
            new[p], new[p + 1] = v, u
            new_parents[v] = draw_parents(v, before)
            new_parents[u] = draw_parents(u, before | 1 << v)
        else:
            kind, chosen = "others", below(n)
            others = [u for u in order if u != chosen]
            places = 1 + min([p for p, u in enumerate(others) if parents[u] >> chosen & 1], default=n - 1)
            local = [sums.at(chosen, mask_of(others[:p])) for p in range(places)]
            place = draw(np.exp(b * (np.array(local) - max(local))))
            new, b = [*others[:place], chosen, *others[place:]], b - 1.0
            new_parents[chosen] = draw_parents(chosen, mask_of(others[:place]))
        log_ratio = t * (log_draw(new, new_parents) - log_draw(order, parents))
        if mutant != kind:
            terms = [dict(zip(of, sums.of(of), strict=True)) for of in (new, order)]
            log_ratio += b * sum(terms[0][v] - terms[1][v] for v in range(n) if v != chosen)
        return (new, new_parents) if np.log(1.0 - rng.random()) < log_ratio else (order, parents)

    for k, (t, following) in enumerate(pairwise(draw_powers)):
        order, parents = step(k % 8, likelihood_powers[0], t)
        log_weight += (following - t) * log_draw(order, parents)
    for k, (b, following) in enumerate(pairwise(likelihood_powers)):
        order, parents = step(k % 8, b, draw_powers[-1])
        log_weight += (following - b) * sum(sums.of(order))
    return log_weight, order, parents


def log_draw(order, parents):
    """ln of the probability of an order when each node is drawn uniformly among those whose parents are drawn."""
    total = 0.0
    for p in range(len(order)):
        before = mask_of(order[:p])
        total -= log(sum(v not in order[:p] and parents[v] & ~before == 0 for v in range(len(order))))
    return total


def mask_of(nodes):
    return sum(1 << v for v in nodes)


class LocalSums:
    """The terms of eq. (1), by position of an order; each made once."""

    def __init__(self, scores):
        self.listed, self.known = families(scores), {}

    def of(self, order):
        before, terms = 0, []
        for v in order:
            terms.append(self.at(v, before))
            before |= 1 << v
        return terms

    def at(self, v, before):
        """The term of a node with a mask of predecessors."""
        if (v, before) not in self.known:
            self.known[v, before] = log_sum([score for mask, score in self.listed[v] if mask & ~before == 0])
        return self.known[v, before]
