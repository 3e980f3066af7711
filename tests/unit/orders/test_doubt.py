"""Scores of node orders say when they are not to be trusted, and are not doubted where they are right.

Sources of truth: a schedule of hardly any step on rows that tell the order; chains that are made hardly to exchange.
"""

import numpy as np
import pytest

from ockham.contracts import Doubt
from ockham.orders import estimates
from ockham.orders.family import FAMILY
from ockham.orders.scorers import ais, mc3
from ockham.orders.space import OrderSpace
from ockham.streams import Stream

SPACE = OrderSpace(9, 1, 1.0)


def table(n_rows):
    """Eight noisy copies of one variable, which has to come early, for each may have one parent."""
    rng = np.random.default_rng(1)
    cause = rng.random((n_rows, 1)) < 0.5
    return FAMILY.read(SPACE, np.hstack([cause, cause ^ (rng.random((n_rows, 8)) < 0.15)]).astype(int))


def test_annealing_with_few_effective_samples_is_doubted():
    long = ais.score(SPACE, table(300), ais.Settings(steps=100 * 4 * 9 * 300), Stream(1))
    assert all(evidence.trusted for evidence in long.values())
    assert all(evidence.effective_sample_size > 50 for evidence in long.values())
    assert all(evidence.degrees_of_freedom == 99 for evidence in long.values())
    short = ais.score(SPACE, table(300), ais.Settings(length=1, steps=20 * 9 * 300, curvature=1e-9), Stream(1))
    assert all(evidence.doubt == Doubt.FEW_EFFECTIVE_SAMPLES for evidence in short.values())


def test_samples_whose_graphs_were_not_counted_are_not_missed():
    found = ais.score(SPACE, table(300), ais.Settings(steps=200 * 4 * 9 * 300, count_every=2), Stream(1))
    assert all(evidence.trusted for evidence in found.values())


def test_the_error_of_chains_is_that_of_batches():
    """Two ratios whose blocks are pairwise alike, so that ten batches of 50 blocks are ten of five values."""
    rng = np.random.default_rng(2)
    kept = np.repeat(rng.normal(size=(10, 2)), 5, axis=0)
    ratios, extensions = np.vstack([np.full((50, 2), 9.0), kept]), np.full(100, -2.0)
    means = np.exp(kept[::5])
    expected = (means / means.mean(axis=0)).sum(axis=1).std(ddof=1) / np.sqrt(10)
    assert estimates.telescoped_error(ratios, extensions, "orders") == pytest.approx(expected)
    assert estimates.telescoped_error(ratios, extensions, "graphs") == pytest.approx(expected)
    assert np.isnan(estimates.telescoped_error(ratios, np.full(100, np.nan), "graphs"))


def test_samples_that_are_nearly_alike_leave_room_for_one_that_differs():
    """All orders of one row have the same probability, to the last bits."""
    found = ais.score(SPACE, table(1), ais.Settings(length=1, steps=20 * 9, curvature=1e-9), Stream(1))["ais_orders"]
    n_samples = len(found.arrays["log_weight"])
    assert n_samples > 1
    assert np.ptp(found.arrays["log_weight"]) < 1e-9
    assert found.standard_error == 1 / (n_samples + 2)
    nearly = np.random.default_rng(3).normal(0, 1e-5, (100, 2))
    assert estimates.telescoped_error(nearly, np.full(100, -2.0), "orders") == 1 / 52


def test_an_error_of_one_run_is_that_of_many():
    """The spread of 40 runs is known to a ninth, and so is what they say of themselves."""
    settings = mc3.Settings(ratios=4, steps=40_000, thin=1)
    found = [mc3.score(SPACE, table(10), settings, Stream(seed))["mc3_orders"] for seed in range(40)]
    spread = np.std([evidence.log_evidence for evidence in found], ddof=1)
    said = np.sqrt(np.mean([evidence.standard_error**2 for evidence in found]))
    assert 0.6 < said / spread < 1.6
    assert all(evidence.degrees_of_freedom == 9 for evidence in found)


def test_chains_that_hardly_exchange_are_doubted(monkeypatch):
    settings = mc3.Settings(ratios=4, steps=40_000, thin=1)
    together = mc3.score(SPACE, table(10), settings, Stream(1))
    assert all(evidence.trusted for evidence in together.values())
    right = mc3.tempering.sample
    enough = 100 / (40_000 / (5 * 4))  # exchanges of those that are proposed
    between = np.array([1.0, 1.0, 0.99 * enough, 1.0])
    monkeypatch.setattr(
        mc3.tempering,
        "sample",
        lambda *given, **named: right(*given, **named) | {"exchanged": between},
    )
    apart = mc3.score(SPACE, table(10), settings, Stream(1))
    assert all(evidence.doubt == Doubt.NOT_MIXED for evidence in apart.values())
    between[2] = 1.01 * enough
    assert all(evidence.trusted for evidence in mc3.score(SPACE, table(10), settings, Stream(1)).values())
