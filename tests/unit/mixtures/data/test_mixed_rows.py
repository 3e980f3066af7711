"""Claim: tables of mixed items are reduced to distinct rows in any order, or refused with the item and a remedy.

Sources of truth: counts by hand; the list of bad tables below.
"""

import warnings

import numpy as np
import pytest
from reference.mixed_items import ITEMS

import ockham
from ockham.errors import DataError
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.items import Binomial, Categorical, Gaussian, Poisson

NAN = np.nan
ROWS = np.array(
    [[0, 1, 9.0, 3, 5], [NAN, 0, 14.0, NAN, 1], [0, 1, 9.0, 3, 5], [NAN, 0, 14.0, NAN, 1], [1, NAN, 9, 3, 5]]
)


def test_equal_rows_are_one_and_missing_cells_are_alike():
    found = MixedRows.of(ROWS, ITEMS)
    assert found.n == 5
    np.testing.assert_array_equal(found.rows, [[0, 1, 9, 3, 5], [1, NAN, 9, 3, 5], [NAN, 0, 14, NAN, 1]])
    assert found.counts.tolist() == [2, 1, 2]


def test_the_order_of_rows_and_the_sign_of_zero_do_not_matter():
    digests = {MixedRows.of(ROWS[order], ITEMS).digest for order in ([0, 1, 2, 3, 4], [4, 1, 3, 0, 2])}
    negative = np.where(ROWS == 0, -0.0, ROWS)
    assert digests == {MixedRows.of(negative, ITEMS).digest}
    assert digests != {MixedRows.of(ROWS[:4], ITEMS).digest}


def test_masked_cells_are_missing():
    masked = np.ma.masked_invalid(ROWS)
    assert MixedRows.of(masked, ITEMS).digest == MixedRows.of(ROWS, ITEMS).digest


def test_weights_are_how_often_a_row_occurs():
    found = MixedRows.of(ROWS[[0, 2, 3, 4]], ITEMS, weights=[1, 4, 2, 0])
    assert found.n == 7
    assert found.counts.tolist() == [5, 2]


CONSTANT = {"x": Gaussian(3.0, 1.0)}
BAD = {
    "item 'a': holds -1, which is no count": ({"a": Poisson()}, [[1], [-1]]),
    "item 'a': holds 0.5, which is no count": ({"a": Poisson()}, [[0.5]]),
    "item 'a': holds 7, and counts go to 4": ({"a": Binomial(4)}, [[7]]),
    "item 'x': is constant, 3 in every row": (CONSTANT, [[3.0]] * 4),
    "item 'x': has no value in any row; leave it out": (CONSTANT, [[NAN], [NAN]]),
    "item 'x': holds 1e\\+300, more than 100000 times the deviation 1 away from the centre 3": (
        CONSTANT, [[1e300], [0.0]],
    ),
    "item 'x': holds an infinite number": (CONSTANT, [[np.inf], [0.0]]),
    "item 'c': holds 2.5, which is no state from 0 to 2": ({"c": Categorical(3)}, [[2.5]]),
    "has 2 columns, the model 1 items": (CONSTANT, [[1.0, 2.0]]),
    "cells must be numbers, got dtype <U1": (CONSTANT, [["a"]]),
    "need a non-empty table": (CONSTANT, []),
    "rows differ in length": (CONSTANT, [[1.0], [1.0, 2.0]]),
}  # fmt: skip


@pytest.mark.parametrize("words", BAD)
def test_a_bad_table_is_refused_with_the_item_and_a_remedy(words):
    items, rows = BAD[words]
    with pytest.raises(DataError, match=words):
        ockham.score(ockham.FiniteMixture(2, items), rows, "vb")


@pytest.mark.parametrize("weights", [[1, 2], [1, -1, 1], [0, 0, 0], [1.5, 1, 1], "abc", [[1, 1, 1]]])
def test_bad_weights_are_refused(weights):
    with pytest.raises(DataError, match="weights"):
        MixedRows.of(ROWS[:3], ITEMS, weights=weights)


def test_an_item_may_be_empty_in_what_was_drawn():
    assert MixedRows.of([[NAN, 1.0]], {"a": Poisson(), "x": Gaussian()}, empty=True).n == 1
    some = MixedRows.of([[3.0]] * 4, CONSTANT, empty=True)
    assert np.isfinite(ockham.score(ockham.FiniteMixture(2, CONSTANT), some, "exact")["exact"].log_evidence)


SOUND = {
    "more classes than rows": (ockham.FiniteMixture(9, {"x": Gaussian(), "a": Poisson()}), [[1.0, 2], [0.0, 4]]),
    "numbers of two values": (ockham.FiniteMixture(2, {"x": Gaussian()}), [[0.0], [1.0], [1.0], [0.0], [1.0]] * 2),
    "tiny numbers in their unit": (ockham.FiniteMixture(2, {"x": Gaussian(0, 1e-150)}), [[1e-150], [-3e-150], [0.0]]),
    "huge numbers in their unit": (
        ockham.FiniteMixture(2, {"x": Gaussian(1e150, 1e150)}),
        [[1e150], [-3e150], [2e150]],
    ),
    "a sparse prior": (ockham.FiniteMixture(3, {"c": Categorical(3, 1e-10)}, 1e-10), [[0], [1], [2], [2]]),
}


@pytest.mark.filterwarnings("ignore::ockham.errors.OckhamWarning")
@pytest.mark.parametrize("name", SOUND)
@pytest.mark.parametrize("scorer", ockham.scorers(ockham.FiniteMixture(2, CONSTANT)))
def test_what_is_odd_but_sound_is_scored_and_never_nan(name, scorer):
    model, rows = SOUND[name]
    quick = {"bridge": {"n_starts": 4, "n_burn_in": 20, "n_draws": 100, "max_draws": 100}, "smc": {"n_passes": 2}}
    found = ockham.score(model, rows, scorer, runs=1, **quick.get(scorer, {}))
    for evidence in found.values():  # no Laplace approximation has a value where the curvature is not that of a mode
        no_mode = scorer == "laplace" and not evidence.diagnostics["positive_definite"]
        assert np.isfinite(evidence.log_evidence) != no_mode


@pytest.mark.parametrize("scorer", ockham.scorers(ockham.FiniteMixture(2, CONSTANT)))
def test_the_evidence_of_rows_without_a_value_is_1(scorer):
    items = {"g": Gaussian(), "p": Poisson()}
    rows = MixedRows.of([[NAN, NAN]] * 3, items, empty=True)
    quick = {"bridge": {"n_starts": 4, "n_burn_in": 20, "n_draws": 100, "max_draws": 100}, "smc": {"n_passes": 2}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ockham.OckhamWarning)
        found = ockham.score(ockham.FiniteMixture(2, items), rows, scorer, runs=1, **quick.get(scorer, {}))
    for name, evidence in found.items():
        if name in ("exact", "bridge_sampling", "sequential_monte_carlo", "annealed_importance_sampling", "candidate"):
            assert evidence.log_evidence == pytest.approx(0, abs=0.2 if name == "candidate" else 1e-9)
