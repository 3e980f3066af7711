"""Claim: every mode that starts lead to is found once, whatever its labels, and mirror images of one bound are several.

Truth: the symmetry of the data, which maps each mode to others of the same bound.
"""

from dataclasses import replace

import numpy as np
import pytest

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference import modes
from ockham.networks.structure_space import naive_bayes
from ockham.streams import Stream


def two_factors(rng, n=40, n_items=4):
    """Items of two independent classes of two; as likely with the two exchanged, and with either turned round."""
    classes = rng.integers(0, 2, (n, 2))
    rows = (rng.random((n, 2 * n_items)) < np.repeat(np.where(classes, 0.95, 0.05), n_items, axis=1)).astype(int)
    rows = np.concatenate([rows, np.roll(rows, n_items, axis=1)])
    first = np.arange(2 * n_items) < n_items
    rows = np.concatenate([rows, np.where(first, 1 - rows, rows)])
    return np.concatenate([rows, np.where(first, rows, 1 - rows)])


def found(n_classes, rows):
    network = naive_bayes([n_classes], [2] * rows.shape[1])[f"classes-{n_classes}"]
    return modes.find(network, UniqueRows.of(rows, [2] * rows.shape[1]), Stream(3), 64, 8)


@pytest.mark.parametrize(("n_classes", "n_modes"), [(2, 2), (3, 4)])
def test_mirror_images_are_modes_of_their_own(n_classes, n_modes):
    """Two classes are those of either factor; three have one pair of the four combinations in one."""
    search = found(n_classes, two_factors(np.random.default_rng(1)))
    bounds = [mode.bound for mode in search.found]
    assert sum(bound > bounds[0] - 0.01 for bound in bounds) == n_modes
    assert search.share_missing < 0.01


def test_modes_that_agree_on_every_row_of_the_data_are_two():
    """Every combination of the factors equally often: the likelihood of a row is the same under either."""
    rows = np.repeat([[a, b] for a in (0, 1) for b in (0, 1)], 5, axis=1)
    bounds = [mode.bound for mode in found(2, np.tile(rows, (30, 1))).found]
    assert sum(bound > bounds[0] - 0.01 for bound in bounds) == 2


def test_bounds_alone_would_take_them_for_one(monkeypatch):
    monkeypatch.setattr(modes, "APART", np.inf)
    bounds = [mode.bound for mode in found(3, two_factors(np.random.default_rng(1))).found]
    assert sum(bound > bounds[0] - 0.01 for bound in bounds) == 1


@pytest.mark.parametrize("n_classes", [1, 2, 3])
def test_one_mode_is_found_once_whatever_its_labels(n_classes):
    rng = np.random.default_rng(2)
    profiles = np.array([[0.9] * 6, [0.1] * 6, [0.9] * 3 + [0.1] * 3])[:n_classes]
    rows = (rng.random((300, 6)) < profiles[rng.integers(0, n_classes, 300)]).astype(int)
    search = found(n_classes, rows)
    assert len([mode for mode in search.found if mode.bound > search.found[0].bound - 1]) == 1
    assert search.share_missing < 0.01


@pytest.mark.parametrize("n_starts", [64, 1024])
def test_many_starts_do_not_crowd_out_a_mode_of_less_evidence(n_starts):
    """Three answers, of which two are in one class: which two has .82 and .18 of the evidence, by the exact sum."""
    network = naive_bayes([2], [2, 3, 3, 3, 3], prior=0.1)["classes-2"]
    data = UniqueRows(np.array([[0, 0, 2, 1, 2], [0, 1, 2, 0, 0], [1, 1, 1, 0, 1]]), np.array([3, 3, 2]))
    search = modes.find(network, data, Stream(4), n_starts, 8)
    assert len(search.found) == 2
    assert search.shares[:2] == pytest.approx([0.82, 0.18], abs=0.01)
    assert search.hits[:2].min() > 4
    assert search.hits.sum() >= n_starts // 8
    assert search.share_missing < 0.001


def shares_of(shares, hits):
    return modes.Modes([], np.array(shares), np.array(hits), np.empty((0, 0)), np.empty((0, 0)), 0)


@pytest.mark.parametrize(("hits", "missing"), [([3, 3], 0.3), ([3, 1], 0.6), ([1, 3], 1.0)])
def test_modes_beyond_the_number_asked_for_are_missing(hits, missing):
    assert replace(shares_of([0.7, 0.3], hits), found=[None]).share_missing == pytest.approx(missing)
