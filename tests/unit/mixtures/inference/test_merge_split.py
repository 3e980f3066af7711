"""Claim: a move that merges and splits leaves the posterior of completions as it is, and leads chains to all modes.

Source of truth: the evidence of every completion of few rows, one by one, and the sum over set partitions. Moves that
are always taken, and chains without moves, must be noticed.
"""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from reference.mixed_items import mixture, small_table

from ockham.mixtures.finite_mixture import Sums
from ockham.mixtures.inference import merge_split
from ockham.mixtures.inference.design import Design
from ockham.mixtures.items.binomial import Binomial
from ockham.mixtures.items.categorical import Categorical
from ockham.mixtures.items.gaussian import Gaussian
from ockham.mixtures.items.poisson import Poisson
from ockham.mixtures.scorers import bridge, exact
from ockham.streams import Stream

N_CHAINS, N_MOVES, FIRST = 200, 400, 100


def deviations(seed, n_classes=3, n=4):
    """Of the shares of the completions in chains of moves alone from their probabilities, in standard errors."""
    model = mixture(n_classes)
    design = Design.of(model, small_table(model, seed, n)).by_case()
    every = np.array(list(product(range(n_classes), repeat=n)))
    log_evidence = model.log_marginal(design.sums(every, n_classes))
    expected = np.exp(log_evidence - np.logaddexp.reduce(log_evidence))
    rng = np.random.default_rng(seed)
    classes, shares = np.zeros((N_CHAINS, n), dtype=np.int64), np.zeros((N_CHAINS, len(every)))
    for k in range(N_MOVES):
        classes = merge_split.move(model, design, classes, rng)
        if k >= FIRST:
            shares[np.arange(N_CHAINS), classes @ n_classes ** np.arange(n)[::-1]] += 1 / (N_MOVES - FIRST)
    often = expected > 0.002
    errors = shares.std(axis=0, ddof=1) / np.sqrt(N_CHAINS)
    return ((shares.mean(axis=0) - expected) / errors)[often]


@pytest.mark.parametrize("seed", [1, 3])
def test_moves_alone_sample_the_completions(seed):
    found = deviations(seed)
    assert len(found) > 10
    assert np.abs(found).max() < 4.5


def test_moves_that_are_always_taken_are_noticed(monkeypatch):
    right = merge_split.kernel.run

    def always(*given, log_ratio, **named):
        right(*given, log_ratio=log_ratio, **named)
        log_ratio[:] = np.inf

    monkeypatch.setattr(merge_split, "kernel", SimpleNamespace(run=always))
    assert np.abs(deviations(1)).max() > 4.5


def test_cases_of_other_classes_stay_where_they_are():
    model = mixture(4)
    design, rng = Design.of(model, small_table(model, 3, 12)).by_case(), np.random.default_rng(3)
    before = rng.integers(4, size=(50, 12))
    after = merge_split.move(model, design, before, rng)
    assert (before != after).any()
    for old, new in zip(before, after, strict=True):
        assert len({*old[old != new], *new[old != new]}) <= 2


def test_a_move_of_classes_that_no_case_is_in_changes_nothing():
    model = mixture(2)
    design = Design(np.empty((0, model.n_statistics)), np.empty(0), 0.0)
    assert merge_split.move(model, design, np.empty((3, 0), dtype=np.int64), np.random.default_rng(1)).shape == (3, 0)


@pytest.mark.parametrize(("n", "expected"), [(1, 1), (10, 1), (11, 2), (64, 7), (65, 0)])
def test_moves_are_rarer_the_longer_they_take(n, expected):
    model = mixture(2)
    counts = np.array([float(n - 1), 1.0]) if n > 1 else np.ones(1)
    design = Design(np.zeros((len(counts), model.n_statistics)), counts, 0.0)
    assert merge_split.sweeps_between(model, design) == expected
    assert merge_split.sweeps_between(mixture(1), design) == 0


def right_bridges():
    """Which of three are trusted and within four errors: ten rows of three far classes, taken for those of two."""
    items = {f"category {k}": Categorical(3, 0.5) for k in range(3)} | {
        **{f"number {k}": Gaussian(0.0, 1.0, 0.0833) for k in range(3)},
        "count": Poisson(3.0, 0.5),
        "share": Binomial(10, 0.5),
    }
    model, data = mixture(2, 1.0, items), small_table(mixture(3, 1.0, items), 69, 10)
    truth = exact.score(model, data, exact.Settings(), Stream(1))["exact"].log_evidence
    chosen = bridge.Settings(n_starts=8, n_burn_in=100, n_draws=300, max_draws=300)
    found = [bridge.score(model, data, chosen, Stream(seed))["bridge_sampling"] for seed in range(3)]
    return [one.trusted and abs(one.log_evidence - truth) < 4 * one.standard_error for one in found]


def test_the_bridge_of_chains_with_moves_is_within_its_error():
    assert right_bridges() == [True, True, True]


def test_the_bridge_of_chains_without_moves_is_doubted_or_wrong(monkeypatch):
    monkeypatch.setattr(merge_split, "sweeps_between", lambda *_: 0)
    assert right_bridges() == [False, False, False]


def test_sums_of_cases_are_those_of_their_rows():
    model, data = mixture(3), small_table(mixture(3), 5, 8)
    design = Design.of(model, data)
    whole = Sums(design.counts.sum(), design.counts @ design.statistics)
    by_case = design.by_case()
    found = by_case.sums(np.random.default_rng(1).integers(3, size=(2, len(by_case.counts))), 3)
    np.testing.assert_allclose(found.cases.sum(axis=-1), whole.cases)
    np.testing.assert_allclose(found.items.sum(axis=-2), np.broadcast_to(whole.items, (2, *whole.items.shape)))
