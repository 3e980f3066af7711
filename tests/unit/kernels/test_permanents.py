"""Permanents are sums over permutations, also where their scaled values are too small for a number.

Source of truth: every permutation written out, in logs.
"""

from itertools import permutations

import numpy as np
import pytest

from ockham.kernels import permanents


def run(tables):
    tables = np.ascontiguousarray(tables)
    found = np.empty(len(tables))
    permanents.run(tables, found, np.empty(permanents.work_size(tables.shape[1])))
    return found


def written_out(tables):
    r = tables.shape[1]
    return np.logaddexp.reduce([tables[:, np.arange(r), list(p)].sum(axis=1) for p in permutations(range(r))])


@pytest.mark.parametrize("r", range(1, 8))
@pytest.mark.parametrize("n", [1, 7, 8, 9, 30])
def test_permanents_are_sums_over_permutations(n, r):
    tables = np.random.default_rng([n, r]).normal(-3, 5, (n, r, r))
    np.testing.assert_allclose(run(tables), written_out(tables), rtol=1e-13, atol=1e-13)
    assert not np.allclose(run(tables), written_out(np.ones_like(tables)))


@pytest.mark.parametrize("depth", [570, 580, 700, 5000])
def test_rows_that_agree_on_one_column_lose_nothing(depth):
    """Here the scaled permanent is exp(-depth) about, with a lane on either side that is not small."""
    tables = np.random.default_rng(1).normal(0, 1, (3, 3, 3))
    tables[1, 1:, 1:] -= depth
    np.testing.assert_allclose(run(tables), written_out(tables), rtol=1e-13)


def test_arrays_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="do not fit together"):
        permanents.run(np.zeros((2, 3, 4)), np.zeros(2), np.zeros(permanents.work_size(3)))
    with pytest.raises(ValueError, match="do not fit together"):
        permanents.run(np.zeros((2, 3, 3)), np.zeros(3), np.zeros(permanents.work_size(3)))
    with pytest.raises(ValueError, match="too many subsets"):
        permanents.work_size(25)
