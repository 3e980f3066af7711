"""Orders in which required parents come first are counted and drawn, all with the same probability.

Sources of truth: enumeration of all orders, and the kernel that counts linear extensions.
"""

from collections import Counter
from itertools import permutations
from math import exp, factorial

import numpy as np
import pytest

from ockham.errors import ModelError
from ockham.orders import required_orders
from ockham.orders.constraints import masks_of
from ockham.orders.inference.linear_extensions import log_counts
from ockham.orders.required_orders import RequiredOrders

CASES = {
    "none": (3, []),
    "a chain": (4, [(2, 1), (1, 0)]),
    "two components": (6, [(0, 1), (2, 1), (4, 3)]),
    "one that joins two": (5, [(0, 2), (1, 3), (2, 4), (3, 4)]),
}


def allowed(n, arcs):
    return [order for order in permutations(range(n)) if all(order.index(u) < order.index(v) for u, v in arcs)]


def chi_square(draws, orders):
    """Standard deviations between a chi-square statistic and its mean; infinite where an order is none of them."""
    counts = Counter(tuple(draw) for draw in draws)
    if set(counts) - set(orders):
        return np.inf
    expected = len(draws) / len(orders)
    statistic = sum((counts[order] - expected) ** 2 / expected for order in orders)
    return (statistic - (len(orders) - 1)) / np.sqrt(2 * (len(orders) - 1))


@pytest.mark.parametrize("case", CASES)
def test_they_are_counted(case):
    n, arcs = CASES[case]
    found = RequiredOrders(masks_of(n, arcs)).log_count()
    assert round(exp(found)) == len(allowed(n, arcs))
    assert found == pytest.approx(log_counts(masks_of(n, arcs)[None])[0], rel=1e-14)


@pytest.mark.parametrize("case", CASES)
def test_they_are_drawn_alike(case):
    n, arcs = CASES[case]
    orders, rng = RequiredOrders(masks_of(n, arcs)), np.random.default_rng(1)
    assert abs(chi_square([orders.draw(rng).tolist() for _ in range(6000)], allowed(n, arcs))) < 4


def test_the_first_that_is_free_is_not_drawn_alike():
    """Where every node that may come first is as probable as the others, whatever is left then."""
    rng, draws = np.random.default_rng(1), []
    for _ in range(6000):
        left, order = [0, 1, 2], []
        while left:
            free = [v for v in left if v != 1 or 0 not in left]
            order.append(free[rng.integers(len(free))])
            left.remove(order[-1])
        draws.append(order)
    assert chi_square(draws, allowed(3, [(0, 1)])) > 6


def test_without_arcs_the_draws_are_those_of_a_permutation():
    orders = RequiredOrders(np.zeros(9, dtype=np.uint64))
    found = orders.draw(np.random.default_rng(3))
    assert found.tolist() == np.random.default_rng(3).permutation(9).tolist()
    assert found.dtype == np.int32
    assert exp(orders.log_count()) == pytest.approx(factorial(9))


def test_64_nodes_with_few_arcs_are_counted():
    arcs = [(v, v + 1) for v in range(0, 20, 2)]
    found = RequiredOrders(masks_of(64, arcs)).log_count()
    assert found == pytest.approx(np.log(float(factorial(64))) - 10 * np.log(2), rel=1e-14)


def test_too_many_sets_are_refused(monkeypatch):
    monkeypatch.setattr(required_orders, "MOST_SETS", 20)
    star = RequiredOrders(masks_of(9, [(u, 8) for u in range(8)]))
    with pytest.raises(ModelError, match=r"required arcs: .* have more than 20 sets of nodes left; require fewer"):
        star.log_count()
