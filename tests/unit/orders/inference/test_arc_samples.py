"""Schedules become longer where few samples are effective, and samples more where enough are."""

import numpy as np
import pytest
from reference.orders import random_scores

from ockham.orders.inference import arc_samples
from ockham.orders.inference.graph_sums import order_sums
from ockham.streams import Stream

SUMS = order_sums(random_scores(4, 4, 2))
LIMITS = {"n_graphs": 3, "max_seconds": 60.0, "max_bytes": 1e9}


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ({20: 0.9}, [(20, 32), (20, 32), (20, 56)]),  # 58 of 64 are effective: those that lack, and a fifth more
        ({20: 0.04, 40: 0.2, 80: 0.3}, [(20, 32), (40, 32), (80, 32)]),
        ({20: 0.2, 40: 0.3}, [(20, 32), (40, 32), (40, 32)]),
    ],
)
def test_rounds(monkeypatch, shares, expected):
    """Of samples of which a share have all of the weight; orders of each schedule tell where its graphs count once."""
    rounds, flats = [], []

    def of_share(sums, priors, stream, numbers, n_steps, flat, n_graphs):
        rounds.append((n_steps, len(numbers)))
        flats.append(flat)
        heavy = np.arange(len(numbers)) < round(shares[n_steps] * len(numbers))
        arrays = np.where(heavy, 0.0, -100.0), np.zeros((len(numbers), 4, 4)), np.zeros((len(numbers), 1, 4))
        return {prior: arc_samples.Weighted(*arrays) for prior in priors}

    monkeypatch.setattr(arc_samples, "_round", of_share)
    looked_at = []
    monkeypatch.setattr(
        arc_samples.graph_annealing, "flat_power", lambda sums, orders: looked_at.append(orders) or 1 / len(looked_at)
    )
    arc_samples.sample(SUMS, ["graphs"], Stream(1), n_steps=20, n_effective=100, **LIMITS)
    assert rounds[:3] == expected
    schedules = sorted({n_steps for n_steps, _ in rounds})
    assert flats == [1 / (1 + schedules.index(n_steps)) for n_steps, _ in rounds]
    assert [len(orders) for orders in looked_at] == [arc_samples.ORDERS] * len(schedules)


def test_orders_have_the_same_samples_whether_graphs_are_asked_for_or_not():
    given = {"n_steps": 20, "n_effective": 10} | LIMITS
    alone, both = (
        arc_samples.sample(SUMS, priors, Stream(1), **given)[0]["orders"]
        for priors in (["orders"], ["orders", "graphs"])
    )
    n = min(len(alone.log_weights), len(both.log_weights))
    for ours, theirs in zip(alone, both, strict=True):
        assert (ours[:n] == theirs[:n]).all()


def test_what_is_predicted_is_the_sum_of_what_the_priors_take():
    seconds = [arc_samples.predicted_seconds(SUMS, 1000, 3, priors) for priors in (["orders"], ["graphs"])]
    assert arc_samples.predicted_seconds(SUMS, 1000, 3, ["orders", "graphs"]) == pytest.approx(sum(seconds))
    assert min(seconds) > 1000 * SUMS.seconds_per_step
    exchanges = arc_samples.ORDERS / arc_samples.FIRST * arc_samples.graph_annealing.seconds_of_exchanges(SUMS)
    assert arc_samples.predicted_seconds(SUMS, 0, 1, ["graphs"]) == pytest.approx(
        exchanges + arc_samples.SECONDS_PER_CALL, rel=1e-12
    )
