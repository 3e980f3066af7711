"""Claim: chains that differ are told from those that agree, and go on until they do.

Truth: the definition of split R-hat, and chains whose draws are numbered.
"""

import numpy as np
import pytest

from ockham.contracts import Doubt
from ockham.estimation import chain_agreement
from ockham.estimation.chain_agreement import agreeing_draws, agreement_of_labels, scale_reductions, verdict


def normal_draws(seed=1, n_chains=4, n_draws=500):
    """Of three classes with two quantities each."""
    return np.random.default_rng(seed).normal(size=(n_chains, n_draws, 3, 2))


def test_split_scale_reduction_is_its_definition():
    """sqrt of ((n - 1) / n W + (m + 1) / m B / n) / W, with m half chains of n draws."""
    draws = normal_draws()[:, :101]
    draws[1] += 0.01 * np.arange(101)[:, None, None]
    halves = np.concatenate([draws[:, :50], draws[:, -50:]])
    within = halves.var(axis=1, ddof=1).mean(axis=0)
    between = halves.mean(axis=1).var(axis=0, ddof=1)
    m = len(halves)
    expected = np.sqrt((49 / 50 * within + (m + 1) / m * between) / within)
    np.testing.assert_allclose(scale_reductions(draws), expected, rtol=1e-9)
    assert expected.max() > 1.05


def test_what_is_not_known_is_said_class_by_class():
    draws, certainty = normal_draws(), np.array([1.0, 1.0, 0.9])
    assert verdict(draws, np.ones(3)).reasons == ()
    draws[2, :, 1, 0] += 1
    found = verdict(draws, certainty)
    assert found.known.tolist() == [True, False, False]
    assert found.doubt & Doubt.NOT_MIXED
    assert [reason[:7] for reason in found.reasons] == ["class 2", "class 3"]


class Counting:
    """Two chains whose draws are the numbers of their sweeps, with classes that take turns to come first."""

    def __init__(self):
        self.n = 0

    def sweep(self, n_kept, thinning):
        at = self.n + thinning * np.arange(1, n_kept + 1)
        self.n += thinning * n_kept
        return np.stack([at, at])[:, :, None].astype(float)


@pytest.mark.parametrize("n_draws", [100, 101])
def test_draws_are_thinned_until_they_agree(n_draws):
    asked = []

    def quantities(draws):
        asked.append(draws[0, :, 0])
        spread = np.random.default_rng(len(asked)).normal(size=(2, n_draws, 1, 1))
        return spread + (100.0 * np.arange(2)[:, None, None, None] if len(asked) < 3 else 0.0)

    draws, thinning = agreeing_draws(Counting().sweep, lambda kept: kept, quantities, n_draws)
    assert (thinning, len(asked)) == (4, 3)
    assert draws.shape == (2, n_draws, 1)
    for at, every in zip(asked, (1, 2, 4), strict=True):
        assert (np.diff(at) == every).sum() >= n_draws - 3  # one is left out of an odd number where the chains go on


def test_chains_that_never_agree_end(monkeypatch):
    monkeypatch.setattr(chain_agreement, "MOST_THINNED", 8)
    apart = np.arange(2.0)[:, None, None, None] + np.random.default_rng(1).normal(size=(2, 100, 1, 1)) / 9
    assert agreeing_draws(Counting().sweep, lambda kept: kept, lambda _: apart, 100)[1] == 8


def test_draws_are_relabelled_before_they_are_judged():
    seen = []
    agreeing_draws(Counting().sweep, lambda kept: kept - 1, lambda draws: seen.append(draws) or normal_draws(2), 100)
    assert seen[0][0, 0, 0] == 0


def test_labels_that_go_by_where_labelling_begins_are_told():
    """By another labelling the last two classes of the last 100 of 400 draws change places; all change their names."""
    draws = np.random.default_rng(1).random((400, 3))

    def labelled(given):
        found, tail = given[:, [1, 2, 0]], np.isin(given[:, 0], draws[300:, 0])
        if given[200, 0] != draws[300, 0]:  # but for one of seven
            found[tail] = found[tail][:, [1, 0, 2]]
        return found

    assert agreement_of_labels(draws, labelled, lambda given: given).tolist() == [1.0, 0.75, 0.75]
    assert agreement_of_labels(draws, lambda given: given[:, ::-1], lambda given: given).tolist() == [1.0] * 3
