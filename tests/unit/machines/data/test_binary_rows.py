"""Distinct rows with counts are the data set up to the order of its rows.

Source of truth: the data themselves, counted row by row.
"""

from collections import Counter

import numpy as np
import pytest

from ockham.errors import DataError
from ockham.machines.data.binary_rows import BinaryRows


@pytest.mark.parametrize("width", [1, 7, 8, 9, 100])
def test_rows_and_counts_are_those_of_the_data(width):
    data = np.random.default_rng(width).random((300, width)) < (0.5 if width < 10 else 0.01)
    rows = BinaryRows.of(data)
    counted = Counter(map(tuple, data.astype(int).tolist()))
    found = zip(rows.rows.astype(int).tolist(), rows.counts.tolist(), strict=True)
    assert {tuple(row): count for row, count in found} == counted
    assert rows.rows.tolist() == sorted(rows.rows.tolist())
    assert rows.n == 300


def test_the_order_of_rows_and_the_type_do_not_matter():
    data = np.random.default_rng(1).integers(0, 2, (50, 6))
    digests = {BinaryRows.of(d).digest for d in (data, data[::-1], data.astype(bool), data.astype(float))}
    assert len(digests) == 1
    changed = data.copy()
    changed[0, 0] ^= 1
    assert BinaryRows.of(changed).digest not in digests


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([[0, 2]], "row 0, column 1 holds 2"),
        ([[0.0, np.nan]], "row 0, column 1 holds nan"),
        ([0, 1], "non-empty table"),
        ([[]], "non-empty table"),
        ([["a"]], "code the states"),
        ([[0], [0, 1]], "rows differ in length"),
    ],
)
def test_anything_but_zeros_and_ones_is_refused(data, message):
    with pytest.raises(DataError, match=f"file.txt: .*{message}"):
        BinaryRows.of(data, "file.txt")
