"""Scores of node orders say when they are not to be trusted, and are not doubted where they are right.

Sources of truth: a schedule of hardly any step on rows that tell the order; chains that are made never to exchange.
"""

import numpy as np

from ockham.contracts import Doubt
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


def test_chains_that_never_exchange_are_doubted(monkeypatch):
    settings = mc3.Settings(ratios=4, steps=40_000, thin=1)
    together = mc3.score(SPACE, table(10), settings, Stream(1))
    assert all(evidence.trusted for evidence in together.values())
    right = mc3.tempering.sample
    between = np.array([1.0, 1.0, 0.0, 1.0])
    monkeypatch.setattr(
        mc3.tempering,
        "sample",
        lambda *given, **named: (found := right(*given, **named)) | {"exchanged": between * found["exchanged"]},
    )
    apart = mc3.score(SPACE, table(10), settings, Stream(1))
    assert all(evidence.doubt == Doubt.NOT_MIXED for evidence in apart.values())
