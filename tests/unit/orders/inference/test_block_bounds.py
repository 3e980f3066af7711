"""Sums over blocks of nodes are upper bounds. Truth: exact sums, and enumeration of what a block allows."""

from itertools import pairwise
from math import exp, log

import numpy as np
import pytest
from reference.orders import log_sum, random_scores

from ockham.orders.inference.block_bounds import block_scores, find_blocks, log_bound
from ockham.orders.inference.exact_structures import exact_graphs, exact_orders
from ockham.orders.inference.family_scores import FamilyScores
from ockham.orders.parent_sets import over_all_nodes, parent_sets

EXACT = {"graphs": exact_graphs, "orders": exact_orders}


@pytest.mark.parametrize("prior", EXACT)
@pytest.mark.parametrize("seed", range(4))
def test_it_is_above_the_exact_sum_and_falls_with_larger_blocks(prior, seed):
    scores = random_scores(seed, 7, 3, 1.0 + 30 * (seed == 3))
    exact = EXACT[prior](scores).log_total
    nested = [[[v] for v in range(7)], [[0, 3], [1, 6], [2, 4], [5]], [[0, 2, 3, 4], [1, 5, 6]], [list(range(7))]]
    bounds = [log_bound(scores, blocks, prior) for blocks in nested]
    assert bounds[-1] == pytest.approx(exact, abs=1e-9)
    assert all(finer >= coarser - 1e-9 for finer, coarser in pairwise(bounds))
    assert bounds[0] > exact


@pytest.mark.parametrize("prior", EXACT)
def test_parents_outside_must_be_summed_out(prior):
    """The control: with no parents from outside, what bounds the sum from above is below it."""
    scores = random_scores(1, 6, 2, 2.0)
    blocks = [[0, 1, 2], [3, 4, 5]]
    alone = 0.0
    for block in blocks:
        inside = block_scores(scores, block)
        own = np.full_like(inside.log_scores, -np.inf)
        masks = parent_sets(6, 2)
        for i, v in enumerate(block):
            parents = over_all_nodes(v, masks)
            within = [all(not int(mask) >> u & 1 for u in range(6) if u not in block) for mask in parents]
            assert sum(within) == own.shape[1]
            own[i] = scores.log_scores[v, within]  # in the same order
        alone += EXACT[prior](FamilyScores(inside.names, inside.cardinalities, 2, own)).log_total
    if prior == "orders":
        alone += log(20)
    assert alone < EXACT[prior](scores).log_total < log_bound(scores, blocks, prior)


def test_scores_of_a_block_are_sums_over_the_parents_outside():
    scores, block = random_scores(2, 5, 3), [1, 3, 4]
    found, masks = block_scores(scores, block), parent_sets(5, 3)
    for i, v in enumerate(block):
        others = [u for u in block if u != v]
        for column, local in enumerate(parent_sets(3, 2).tolist()):
            inside = {u for j, u in enumerate(others) if local >> j & 1}
            own = [
                score
                for mask, score in zip(over_all_nodes(v, masks).tolist(), scores.log_scores[v], strict=True)
                if {u for u in block if mask >> u & 1} == inside
            ]
            assert found.log_scores[i, column] == pytest.approx(log_sum(own), abs=1e-12)
    assert found.names == ("x1", "x3", "x4")


def test_small_scores_stay_in_the_bound():
    """Summed without logs, what is far below a node's best would be lost, and the bound with it."""
    log_scores = np.array([[0.0, -5000.0], [-5000.0, 0.0]])
    scores = FamilyScores(("a", "b"), (2, 2), 1, log_scores)
    assert log_bound(scores, [[0], [1]], "graphs") == pytest.approx(0.0, abs=1e-12)
    apart = FamilyScores(("a", "b", "c"), (2,) * 3, 1, np.array([[-5000.0, 0, -9e9], [-5000.0, 0, -9e9], [0.0] * 3]))
    assert log_bound(apart, [[0, 1], [2]], "graphs") >= exact_graphs(apart).log_total
    assert np.isfinite(block_scores(apart, [0, 1]).log_scores).all()


@pytest.mark.parametrize("most_nodes", [1, 2, 3, 7, 9])
def test_blocks_have_every_node_once_and_are_full(most_nodes):
    blocks = find_blocks(random_scores(5, 9, 2), most_nodes)
    assert sorted(v for block in blocks for v in block) == list(range(9))
    sizes = sorted(len(block) for block in blocks)
    assert sizes[-1] <= most_nodes
    assert len(sizes) == 1 or sizes[0] + sizes[1] > most_nodes


def test_pairs_that_would_be_each_others_parents_are_together():
    """Blocks of such pairs bound better than others."""
    log_scores = np.full((6, 6), -8.0)  # no parent, or one of the other five
    log_scores[:, 0] = 0.0
    for v in range(6):
        partner = (v + 3) % 6
        log_scores[v, 1 + partner - (partner > v)] = 2.0
    scores = FamilyScores(tuple("abcdef"), (2,) * 6, 1, log_scores)
    blocks = find_blocks(scores, 2)
    assert blocks == [[0, 3], [1, 4], [2, 5]]
    for prior in EXACT:
        assert log_bound(scores, blocks, prior) < log_bound(scores, [[0, 1], [2, 3], [4, 5]], prior) - 1
        assert exp(log_bound(scores, blocks, prior) - EXACT[prior](scores).log_total) < 1.2
