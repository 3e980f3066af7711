"""Claim: the kernel walks in the distribution that its header states, and tells the share of the present name.

Source of truth: all completions of a few cases and all of their names, listed, and shares drawn in turn in plain
Python, whose sum over all names is 1. A chain that took every name must be noticed, and arrays that do not fit together
refused.
"""

from itertools import permutations, product

import numpy as np
import pytest
from scipy.special import gammaln, logsumexp
from scipy.stats import chisquare

from ockham.kernels import named_completions as kernel

N_CASES, N_ROWS, N_ITEMS = 4, 3, 2


class Case:
    """Rows of binary items in K classes: cells are an item's value in a class, and the cases of a class."""

    def __init__(self, k, seed=1, listed=False, rows=(0, 1, 1, 2)):
        rng = np.random.default_rng(seed)
        self.k, self.rows = k, np.array(rows, dtype=np.int32)
        items = rng.integers(0, 2, (N_ROWS, N_ITEMS))
        self.starts = (k * np.arange(N_ROWS + 1)).astype(np.int32)
        cells = [[k * (2 * j + items[u, j]) + z for j in range(N_ITEMS)] + [2 * N_ITEMS * k + z]
                 for u in range(N_ROWS) for z in range(k)]  # fmt: skip
        self.cells = np.array(cells, dtype=np.int32)
        counts = np.arange(len(self.rows) + 1)
        of_value, of_class = gammaln(0.7 + counts) - gammaln(0.7), N_ITEMS * (gammaln(1.4) - gammaln(1.4 + counts))
        of_class = of_class + gammaln(1 + counts)
        self.log_factors = np.array([of_value] * (2 * N_ITEMS * k) + [of_class] * k)
        self.log_reference = np.log(rng.dirichlet(np.ones(k), N_ROWS)).ravel()
        names = list(permutations(range(k)))
        self.all_names = np.array(names, dtype=np.int32)
        self.names = self.all_names if listed else np.empty((0, k), dtype=np.int32)

    def log_joint(self, classes):
        counts = np.zeros(len(self.log_factors), dtype=int)
        for row, z in zip(self.rows, classes, strict=True):
            counts[self.cells[self.k * row + z]] += 1
        return self.log_factors[np.arange(len(counts)), counts].sum()

    def log_q(self, classes):
        return self.log_reference[self.k * self.rows + np.array(classes)].sum()

    def log_share(self, classes):
        """Of all names where they are listed; else of names that the parts of the cases draw one after another."""
        if len(self.names):
            every = [self.log_q(name[list(classes)]) for name in self.all_names]
            return self.log_q(classes) - logsumexp(every)
        parts, free, found = {}, list(range(self.k)), 0.0
        for row, z in zip(self.rows, classes, strict=True):
            parts[z] = parts.get(z, 0.0) + self.log_reference[self.k * row + np.arange(self.k)]
        gaps = {z: -np.subtract(*np.sort(says)[-2:]) for z, says in parts.items()}
        order = sorted(parts, key=lambda z: -gaps[z])
        for k, z in enumerate(order):
            following = order[k + 1 :] if gaps[z] < 40 else []
            without = {j: [i for i in free if i != j] for j in free}
            says = {j: parts[z][j] + sum(logsumexp(parts[g][without[j]]) for g in following) for j in free}
            found += says[z] - logsumexp(list(says.values()))
            free.remove(z)
        return found - gammaln(len(free) + 1)

    def run(self, classes, steps, rng, **other):
        ways = (self.k * self.rows + np.array(classes)).astype(np.int32)
        increments = np.pad(np.diff(self.log_factors, axis=1), ((0, 0), (0, 1)))
        arrays = {
            "rows": self.rows, "starts": self.starts, "cells": self.cells, "names": self.names,
            "log_steps": increments, "log_factors": self.log_factors, "log_reference": self.log_reference,
            "position": np.empty(len(self.log_factors), dtype=np.int32), "temperatures": np.array(steps),
            "chosen": ways, "before": np.empty_like(self.rows),
            "work": np.full(kernel.work_size(self.k, self.k, len(self.log_factors)), np.nan),
            "parts": np.full((2, self.k), 7, dtype=np.int32),
        } | other  # fmt: skip
        found = kernel.run(rng.bit_generator, **arrays)
        return found, tuple((ways - self.starts[self.rows]).tolist())


CASES = pytest.mark.parametrize(("k", "listed"), [(2, True), (3, True), (2, False), (3, False), (4, False)])


@CASES
def test_the_share_of_a_name_is_the_stated_one(k, listed):
    case, rng = Case(k, listed=listed), np.random.default_rng(1)
    for classes in product(range(k), repeat=N_CASES):
        (_, first, _, _), _ = case.run(classes, [0.5, 0.5], rng)
        assert first == pytest.approx(case.log_share(classes), abs=1e-9)


@pytest.mark.parametrize("scale", [1.0, 40.0, 4000.0])
def test_the_shares_of_all_names_are_one_whole(scale):
    """However far apart they are, where parts are alike and where some are empty."""
    case, rng = Case(5, 2), np.random.default_rng(2)
    case.log_reference = case.log_reference * scale
    for classes in rng.integers(0, 5, (40, N_CASES)):
        shares = [case.run(name[classes], [0.5, 0.5], rng)[0][1] for name in case.all_names]
        assert logsumexp(shares) == pytest.approx(0.0, abs=1e-9)
        assert shares == pytest.approx([case.log_share(name[classes]) for name in case.all_names], rel=1e-9, abs=1e-9)


@CASES
def test_the_weight_is_of_the_states_that_it_leaves(k, listed):
    case, rng = Case(k, listed=listed), np.random.default_rng(3)
    for _ in range(50):
        (found, _, last, _), classes = case.run(rng.integers(0, k, N_CASES), [0.3, 0.8], rng)
        assert found == pytest.approx(0.5 * (case.log_joint(classes) - case.log_q(classes)), abs=1e-9)
        assert last == pytest.approx(case.log_share(classes), abs=1e-9)


@pytest.mark.parametrize(
    ("n", "together", "listed"),
    [(63, 64, False), (64, 64, False), (65, 64, False), (200, 64, False), (700, 88, False), (200, 200, True)],
)
def test_cases_that_are_drawn_together_and_after_others_leave_such_states_too(n, together, listed):
    """Where names are clear and where they are not, so that some are taken back; of those all are counted again."""
    rng = np.random.default_rng(8)
    for scale in (0.02, 1.0):
        case, shares = Case(4, listed=listed, rows=rng.integers(0, N_ROWS, n)), []
        case.log_reference, moved = case.log_reference * scale, np.zeros(n, dtype=bool)
        for _ in range(20):
            start = rng.integers(0, 4, n)
            (found, _, last, accepted), classes = case.run(start, [0.3, 0.8], rng)
            moved |= start != classes
            assert found == pytest.approx(0.5 * (case.log_joint(classes) - case.log_q(classes)), abs=1e-8)
            assert last == pytest.approx(case.log_share(classes), abs=1e-8)
            shares.append(accepted)
        n_times = -(-n // together)
        assert set(np.round(np.array(shares) * n_times, 9)) <= set(range(n_times + 1))
        assert n_times == 1 or len(set(shares)) > 1
        assert np.mean(shares) > 0.05
        assert moved.mean() > 0.9
        assert moved[-1]


@CASES
def test_it_walks_in_the_stated_distribution_and_not_in_that_of_every_name(k, listed):
    case, rng, temperature = Case(k, listed=listed), np.random.default_rng(4), 0.7
    states = list(product(range(k), repeat=N_CASES))
    of_all = np.array([temperature * case.log_joint(s) + (1 - temperature) * case.log_q(s) for s in states])
    stated = of_all + [case.log_share(s) for s in states]
    seen, classes, n = dict.fromkeys(states, 0), states[0], 6000
    for _ in range(n):
        _, classes = case.run(classes, [temperature] * 4, rng)
        seen[classes] += 1

    def probability(log_density):
        expected = n * np.exp(log_density - logsumexp(log_density))
        few = expected < 10
        counts = np.array(list(seen.values()))
        observed, predicted = [*counts[~few], counts[few].sum()], [*expected[~few], expected[few].sum()]
        kept = np.array(predicted) > 0
        return chisquare(np.array(observed)[kept], np.array(predicted)[kept]).pvalue

    assert probability(stated) > 1e-3
    assert probability(of_all) < 1e-6


def test_a_row_that_can_be_completed_in_one_way_stays():
    case, rng = Case(3, listed=True), np.random.default_rng(5)
    case.names = np.array([[0]], dtype=np.int32)
    case.starts = np.array([0, 1, 2, 3], dtype=np.int32)
    case.cells, case.log_reference = case.cells[::3].copy(), np.zeros(3)
    ways, expected = case.rows.copy(), Case(3).log_joint([0] * N_CASES)
    one = {"work": np.empty(kernel.work_size(1, 1, len(case.log_factors))), "parts": np.empty((2, 1), dtype=np.int32)}
    found, _ = case.run([0] * N_CASES, [0.0, 1.0], rng, chosen=ways, **one)
    assert (ways == case.rows).all()
    assert found == (pytest.approx(expected, abs=1e-12), 0.0, 0.0, 1)


def test_arrays_that_do_not_fit_together_are_refused():
    case, rng = Case(3), np.random.default_rng(6)

    def refused(match="do not fit together", **other):
        with pytest.raises(ValueError, match=match):
            case.run([0] * N_CASES, [0.0, 1.0], rng, **other)

    refused(position=np.empty(1, dtype=np.int32))
    refused(chosen=np.zeros(2, dtype=np.int32))
    refused(before=np.empty(1, dtype=np.int32))
    refused(work=np.empty(3))
    refused(parts=np.empty((2, 2), dtype=np.int32))
    refused(parts=np.empty((1, 3), dtype=np.int32))
    refused(log_reference=np.zeros(4))
    refused(log_steps=np.zeros((1, N_CASES + 1)))
    refused(temperatures=np.array([1.0]))
    out = "out of range"
    refused(out, chosen=np.full(N_CASES, 8, dtype=np.int32))
    refused(out, rows=np.full(N_CASES, 7, dtype=np.int32))
    refused(out, cells=case.cells + np.int32(1000))
    refused(out, starts=np.array([0, 3, 3, 9], dtype=np.int32))
    refused(out, log_factors=case.log_factors[:, :2].copy(), log_steps=np.zeros((len(case.log_factors), 2)))
    names = np.array([[0, 1, 2], [0, 1, 3]], dtype=np.int32)
    refused(out, names=names)
    two = {"work": np.empty(kernel.work_size(2, 3, len(case.log_factors))), "parts": np.empty((2, 2), dtype=np.int32)}
    refused("times the hidden configurations", names=np.array([[0, 1]], dtype=np.int32), **two)
