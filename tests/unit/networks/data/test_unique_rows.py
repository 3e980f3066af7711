"""Unique rows hold a data set as a multiset: nothing lost, order irrelevant, everything else refused with a reason."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ockham.errors import DataError
from ockham.networks.data.unique_rows import UniqueRows

WIDTH = (2, 3, 4)
DATA = np.array([[1, 2, 3], [0, 0, 0], [1, 2, 3], [0, 2, 1], [1, 2, 3], [0, 0, 0], [1, 0, 2]])
tables = st.lists(st.tuples(*(st.integers(0, r - 1) for r in WIDTH)), min_size=1, max_size=20)
repeatable = settings(derandomize=True, max_examples=60, database=None)


def expand(unique):
    return np.repeat(unique.rows, unique.counts, axis=0)


def in_order(data):
    return np.array(sorted(map(tuple, np.asarray(data).tolist())))


def test_rows_and_counts_by_hand():
    unique = UniqueRows.of(DATA, WIDTH)
    assert unique.rows.tolist() == [[0, 0, 0], [0, 2, 1], [1, 0, 2], [1, 2, 3]]
    assert unique.counts.tolist() == [2, 1, 1, 3]
    assert unique.rows.dtype == unique.counts.dtype == np.int64
    assert unique.n == 7


@repeatable
@given(tables)
def test_the_multiset_of_rows_is_reconstructed(data):
    unique = UniqueRows.of(data, WIDTH)
    np.testing.assert_array_equal(expand(unique), in_order(data))
    assert unique.n == len(data)
    assert len(set(map(tuple, unique.rows.tolist()))) == len(unique.rows)


@repeatable
@given(tables, st.data())
def test_weights_are_rows_repeated(data, more):
    weights = more.draw(st.lists(st.integers(0, 3), min_size=len(data), max_size=len(data)).filter(any))
    unique = UniqueRows.of(data, WIDTH, weights=weights)
    assert unique.digest == UniqueRows.of(np.repeat(data, weights, axis=0), WIDTH).digest


@pytest.mark.parametrize(
    "weights",
    [[1, 2], [1] * 8, [1.0] * 7, [-1] + [1] * 6, [0] * 7, [2**31] * 7, [2**64 - 1] * 7, [[1] * 7], "w", [None] * 7],
)
def test_what_are_no_weights_is_refused(weights):
    with pytest.raises(DataError, match="weights"):
        UniqueRows.of(DATA, WIDTH, weights=weights)


@repeatable
@given(tables, st.randoms(use_true_random=False))
def test_the_digest_ignores_the_order_of_rows(data, random):
    shuffled = random.sample(data, len(data))
    assert UniqueRows.of(shuffled, WIDTH).digest == UniqueRows.of(data, WIDTH).digest


@repeatable
@given(tables, tables)
def test_digests_agree_exactly_where_the_multisets_do(first, second):
    same = sorted(first) == sorted(second)
    assert (UniqueRows.of(first, WIDTH).digest == UniqueRows.of(second, WIDTH).digest) == same


def test_the_digest_changes_with_any_cell_count_or_shape():
    changed = []
    for row in range(len(DATA)):
        for column in range(3):
            other = DATA.copy()
            other[row, column] = (other[row, column] + 1) % WIDTH[column]
            changed.append(UniqueRows.of(other, WIDTH).digest)
    changed.append(UniqueRows.of(DATA[:-1], WIDTH).digest)
    changed.append(UniqueRows.of(np.concatenate([DATA, DATA]), WIDTH).digest)
    changed.append(UniqueRows.of(DATA[:, :2], WIDTH[:2]).digest)
    original = UniqueRows.of(DATA, WIDTH).digest
    assert original not in changed
    assert len(original) == 64
    one_column, one_row = UniqueRows.of([[0], [1], [1]], (2,)), UniqueRows.of([[0, 1, 1]] * 2, (2,) * 3)
    assert [*one_column.rows.flat, *one_column.counts] == [*one_row.rows.flat, *one_row.counts]
    assert one_column.digest != one_row.digest


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64, np.float32, np.float64])
def test_the_type_that_holds_the_states_does_not_matter(dtype):
    assert UniqueRows.of(DATA.astype(dtype), WIDTH).digest == UniqueRows.of(DATA, WIDTH).digest


def test_lists_are_taken():
    assert UniqueRows.of(DATA.tolist(), WIDTH).digest == UniqueRows.of(DATA, WIDTH).digest


def altered(row, column, value, dtype=float):
    data = DATA.astype(dtype)
    data[row, column] = value
    return data


REFUSALS = {
    "empty list": ([], r"survey\.csv: need a non-empty table .* got shape \(0,\)"),
    "no rows": (np.zeros((0, 3), int), r"non-empty table .* got shape \(0, 3\)"),
    "no columns": (np.zeros((3, 0), int), r"non-empty table .* got shape \(3, 0\)"),
    "one dimension": (DATA[0], r"non-empty table .* got shape \(3,\)"),
    "three dimensions": (DATA[None], r"non-empty table .* got shape \(1, 7, 3\)"),
    "number": (3, r"non-empty table .* got shape \(\)"),
    "too narrow": (DATA[:, :2], r"survey\.csv: has 2 columns, the model observes 3 variables; give one column per"),
    "too wide": (np.c_[DATA, DATA], r"has 6 columns, the model observes 3 variables"),
    "text": (DATA.astype(str), r"states must be integers, got dtype <U\d+; code the states as 0, 1"),
    "booleans": (DATA > 1, r"states must be integers, got dtype bool"),
    "objects": (DATA.astype(object), r"states must be integers, got dtype object"),
    "complex": (DATA.astype(complex), r"states must be integers, got dtype complex"),
    "fraction": (altered(4, 1, 0.5), r"survey\.csv: row 4, column 1 holds 0\.5; states must be integers"),
    "missing": (altered(2, 0, np.nan), r"row 2, column 0 holds nan.*missing=True takes NaN"),
    "infinite": (altered(6, 2, np.inf), r"row 6, column 2 holds inf"),
    "negative": (altered(3, 1, -1, int), r"survey\.csv: row 3, column 1 holds state -1; the model allows 0 to 2 there"),
    "too large": (altered(5, 2, 4, int), r"row 5, column 2 holds state 4; the model allows 0 to 3 there"),
    "too large, as float": (altered(0, 0, 2.0), r"row 0, column 0 holds state 2.* the model allows 0 to 1 there"),
    "ragged": ([[0, 0, 0], [0, 0]], r"survey\.csv: "),
}


@pytest.mark.parametrize(("data", "message"), REFUSALS.values(), ids=REFUSALS.keys())
def test_refusals(data, message):
    with pytest.raises(DataError, match=message):
        UniqueRows.of(data, WIDTH, source="survey.csv")


def test_the_first_offender_is_named():
    data = DATA.copy()
    data[[5, 3], [0, 2]] = 9
    with pytest.raises(DataError, match=r"the data: row 3, column 2 holds state 9"):
        UniqueRows.of(data, WIDTH)


@pytest.mark.parametrize("columns", [(0,), (1,), (2,), (0, 1), (2, 0), (0, 1, 2)])
def test_projection(columns):
    unique = UniqueRows.of(DATA, WIDTH)
    configurations, which = unique.project(columns)
    np.testing.assert_array_equal(configurations[which], unique.rows[:, columns])
    assert len(set(map(tuple, configurations.tolist()))) == len(configurations)
    assert set(which) == set(range(len(configurations)))


def test_projection_on_no_column_is_one_empty_configuration():
    configurations, which = UniqueRows.of(DATA, WIDTH).project(())
    assert configurations.shape == (1, 0)
    assert which.tolist() == [0, 0, 0, 0]
