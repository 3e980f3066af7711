"""The assignment of rows to columns has the largest total.

Source of truth: all permutations of small tables, and SciPy for large ones.
"""

from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from ockham.estimation.assignments import best_assignments
from ockham.kernels import assignments


def totals(tables, columns):
    return np.take_along_axis(tables, columns[..., None], axis=2)[..., 0].sum(axis=1)


def tables(n, r, seed):
    """Of products of square roots as well as of any numbers, far apart and nearly alike."""
    rng = np.random.default_rng(seed)
    scale = 10 ** rng.uniform(-6, 6, (n, 1, 1))
    return rng.standard_normal((n, r, r)) * scale + rng.choice([0, 1e3], (n, 1, 1))


@pytest.mark.parametrize("r", [1, 2, 3, 4, 5, 6])
def test_no_permutation_has_more(r):
    given = tables(60, r, r)
    every = np.array(list(permutations(range(r))))
    best = given[:, np.arange(r), every].sum(axis=2)
    np.testing.assert_array_equal(best_assignments(given), every[best.argmax(axis=1)])


@pytest.mark.parametrize("r", [8, 20, 60])
def test_large_tables_are_as_scipy_has_them(r):
    given = tables(20, r, r)
    expected = np.array([linear_sum_assignment(table, maximize=True)[1] for table in given])
    np.testing.assert_array_equal(best_assignments(given), expected)


def test_equal_entries():
    """Any assignment is the best; of whole numbers, with many that are equal, the total is SciPy's."""
    assert sorted(best_assignments(np.ones((1, 5, 5)))[0]) == list(range(5))
    given = np.random.default_rng(1).integers(0, 3, (50, 7, 7)).astype(float)
    expected = [table[linear_sum_assignment(table, maximize=True)].sum() for table in given]
    found = best_assignments(given)
    np.testing.assert_array_equal(totals(given, found), expected)
    np.testing.assert_array_equal(np.sort(found, axis=1), np.tile(np.arange(7), (50, 1)))


def test_the_check_notices_a_greedy_assignment():
    given = tables(60, 4, 4)
    greedy = np.empty((60, 4), dtype=int)
    for i, table in enumerate(given):
        left = table.copy()
        for _ in range(4):
            row, column = np.unravel_index(left.argmax(), left.shape)
            greedy[i, row] = column
            left[row], left[:, column] = -np.inf, -np.inf
    assert (totals(given, greedy) < totals(given, best_assignments(given)) - 1e-9).any()


def test_entries_that_are_no_numbers_are_refused():
    for wrong in (np.nan, np.inf, -np.inf):
        given = np.zeros((3, 2, 2))
        given[1, 0] = wrong
        with pytest.raises(ValueError, match="not finite"):
            best_assignments(given)


def test_arrays_that_do_not_fit_are_refused():
    good = np.zeros((3, 2, 2)), np.zeros((3, 2), np.int32), np.zeros(9), np.zeros(9, np.int32)
    assignments.run(*good)
    for i, wrong in enumerate([np.zeros((3, 2, 3)), np.zeros((3, 1), np.int32), np.zeros(8), np.zeros(8, np.int32)]):
        with pytest.raises(ValueError, match="do not fit"):
            assignments.run(*good[:i], wrong, *good[i + 1 :])
    assert best_assignments(np.zeros((0, 3, 3))).shape == (0, 3)
