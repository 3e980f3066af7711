"""Claim: the exact evidence of a mixture is the sum over all assignments of rows to classes.

Source of truth: reference/mixed_items.py, K^n assignments one by one; the closed form for one class.
"""

import numpy as np
import pytest
from reference.mixed_items import ITEMS, enumerated, mixture, small_table

from ockham.estimation import partition_sums
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.inference import completions
from ockham.mixtures.inference.design import Design


def log_evidence(model, data):
    return completions.log_evidence(model, Design.of(model, data))


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("n_classes", [1, 2, 3, 7])
def test_equals_the_sum_over_assignments(n_classes, n):
    model = mixture(n_classes)
    for seed in range(3 if n_classes < 7 else 1):
        data = small_table(model, seed, n)
        assert log_evidence(model, data) == pytest.approx(enumerated(model, data), rel=1e-12)


def test_the_check_notices_classes_without_their_names(monkeypatch):
    model, data = mixture(3), small_table(mixture(3), 1, 5)
    monkeypatch.setattr(partition_sums, "_log_namings", lambda n_classes, most: np.zeros(most))
    assert abs(log_evidence(model, data) - enumerated(model, data)) > 0.1


def test_a_row_of_weight_three_is_three_rows():
    model, cells = mixture(2), np.array([[0, 1, 9.0, 3, 5], [2, np.nan, 14.0, 0, 1]])
    heavy = MixedRows.of(cells, ITEMS, weights=[3, 2])
    repeated = MixedRows.of(np.repeat(cells, [3, 2], axis=0), ITEMS)
    assert heavy.digest == repeated.digest
    assert log_evidence(model, heavy) == log_evidence(model, repeated)
    assert log_evidence(model, heavy) == pytest.approx(enumerated(model, repeated), rel=1e-12)


def test_missing_cells_are_summed_out():
    """The evidence of a table is the sum of those with the cell filled in, over all states of a category."""
    model, cells = mixture(2), np.array([[np.nan, 1, 9.0, 3, 5], [2, 0, 14.0, 0, 1], [1, 3, 10.0, 2, 4]])
    filled = []
    for state in range(3):
        cells[0, 0] = state
        filled.append(log_evidence(model, MixedRows.of(cells, ITEMS)))
    cells[0, 0] = np.nan
    assert log_evidence(model, MixedRows.of(cells, ITEMS)) == pytest.approx(np.logaddexp.reduce(filled), rel=1e-12)


def test_rows_without_a_value_change_nothing():
    model, cells = mixture(3), np.array([[0, 1, 9.0, 3, 5], [2, 0, 14.0, 0, 1]])
    more = np.vstack([cells, np.full((2, 5), np.nan)])
    assert log_evidence(model, MixedRows.of(more, ITEMS)) == log_evidence(model, MixedRows.of(cells, ITEMS))
