"""G2, bivariate residuals and entropy are those of a plain loop over rows and pairs.

Source of truth: the definitions, written out cell by cell with the joint table of all items; SciPy's chi-square.
"""

from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency

from ockham.networks.classes.fit_statistics import fit_statistics
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.structure_space import naive_bayes

CARDINALITIES = [2, 3, 2]
RNG = np.random.default_rng(3)
ROWS = RNG.integers(0, CARDINALITIES, (400, 3))
GAPS = np.where(RNG.random(ROWS.shape) < 0.2, -1, ROWS)


def model(n_classes, cardinalities=CARDINALITIES, seed=1):
    """A network with parameters at random: sizes, and profiles by item as (class, value)."""
    network, rng = naive_bayes([n_classes], cardinalities)[f"classes-{n_classes}"], np.random.default_rng(seed)
    sizes = rng.dirichlet(np.ones(n_classes)) if n_classes > 1 else np.ones(1)
    profiles = [rng.dirichlet(np.ones(r), n_classes) for r in cardinalities]
    parts = ([sizes] if n_classes > 1 else []) + [profile.ravel() for profile in profiles]
    return network, np.concatenate(parts), sizes, profiles


def by_hand(rows, sizes, profiles):
    """G2 of complete rows, residuals by pair, and entropy, by loops."""
    joint = {
        cell: sum(size * np.prod([profile[c, x] for profile, x in zip(profiles, cell, strict=True)])
                  for c, size in enumerate(sizes))
        for cell in product(*(range(profile.shape[1]) for profile in profiles))
    }  # fmt: skip
    assert sum(joint.values()) == pytest.approx(1)
    complete = [tuple(row) for row in rows.tolist() if min(row) >= 0]
    g2 = 0.0
    for cell, p in joint.items():
        if n := complete.count(cell):
            g2 += 2 * n * np.log(n / (len(complete) * p))
    residuals = {}
    for j, k in combinations(range(len(profiles)), 2):
        both = rows[(rows[:, j] >= 0) & (rows[:, k] >= 0)]
        total = 0.0
        for a, b in product(range(profiles[j].shape[1]), range(profiles[k].shape[1])):
            expected = len(both) * sum(p for cell, p in joint.items() if (cell[j], cell[k]) == (a, b))
            total += (((both[:, j] == a) & (both[:, k] == b)).sum() - expected) ** 2 / expected
        residuals[j, k] = total / ((profiles[j].shape[1] - 1) * (profiles[k].shape[1] - 1))
    entropy = 0.0
    known = rows[(rows >= 0).any(axis=1)]  # a row without a value says nothing of its class
    for row in known:
        p = sizes.copy()
        for profile, x in zip(profiles, row, strict=True):
            p *= profile[:, x] if x >= 0 else 1.0
        p /= p.sum()
        entropy -= (p * np.log(p)).sum()
    return g2, residuals, 1 - entropy / len(known) / np.log(len(sizes)) if len(sizes) > 1 else np.nan


@pytest.mark.parametrize("rows", [ROWS, GAPS], ids=["complete", "with gaps"])
@pytest.mark.parametrize("n_classes", [1, 2, 3])
def test_statistics_are_those_of_a_plain_loop(rows, n_classes):
    network, parameters, sizes, profiles = model(n_classes)
    found = fit_statistics(network, UniqueRows.of(rows, CARDINALITIES, missing=True), parameters)
    g2, residuals, entropy = by_hand(rows, sizes, profiles)
    assert found.g2 == pytest.approx(g2, rel=1e-10)
    for (j, k), value in residuals.items():
        assert found.residuals[j, k] == pytest.approx(value, rel=1e-10)
        assert found.residuals[k, j] == found.residuals[j, k]
    assert np.isnan(np.diag(found.residuals)).all()
    assert found.entropy == pytest.approx(entropy, rel=1e-10, nan_ok=True)
    j, k, largest = found.largest_residual
    assert largest == pytest.approx(max(residuals.values()))
    assert residuals[j, k] == max(residuals.values())
    n_complete = (rows >= 0).all(axis=1).sum()
    assert (found.n_complete, found.n_cells, found.is_sparse) == (n_complete, 12, False)
    free = 11 - (n_classes - 1) - n_classes * 4
    assert found.degrees_of_freedom == free
    assert found.p_value == pytest.approx(chi2.sf(g2, free) if free > 0 else np.nan, nan_ok=True)


def test_residuals_of_independent_items_are_those_of_a_table_of_two():
    """With one class at its maximum of the likelihood they are Pearson's X2 of independence."""
    network = naive_bayes([1], CARDINALITIES)["classes-1"]
    shares = np.concatenate([np.bincount(column) / len(ROWS) for column in ROWS.T])
    found = fit_statistics(network, UniqueRows.of(ROWS, CARDINALITIES), shares)
    table = np.zeros((2, 3))
    np.add.at(table, (ROWS[:, 0], ROWS[:, 1]), 1)
    assert found.residuals[0, 1] == pytest.approx(chi2_contingency(table, correction=False).statistic / 2)


def test_the_saturated_model_fits_and_another_does_not():
    """Two binary items and a class for each value of the first: nothing is left to explain."""
    rows = RNG.integers(0, 2, (60, 2))
    network = naive_bayes([2], [2, 2])["classes-2"]
    shares = np.bincount(rows[:, 0]) / 60
    second = np.array([np.bincount(rows[rows[:, 0] == c, 1], minlength=2) / (rows[:, 0] == c).sum() for c in (0, 1)])
    tiny = 1e-9
    first = np.array([[1 - tiny, tiny], [tiny, 1 - tiny]])
    parameters = np.concatenate([shares, first.ravel(), second.ravel()])
    found = fit_statistics(network, UniqueRows.of(rows, [2, 2]), parameters)
    assert found.g2 == pytest.approx(0, abs=1e-5)
    assert found.residuals[0, 1] == pytest.approx(0, abs=1e-5)
    assert found.entropy == pytest.approx(1, abs=1e-5)
    assert np.isnan(found.p_value)  # no degree of freedom
    wrong = fit_statistics(network, UniqueRows.of(rows, [2, 2]), np.full(10, 0.5))
    assert wrong.g2 > 0.1
    assert wrong.entropy == pytest.approx(0, abs=1e-12)


def test_repeats_count_and_sparse_tables_have_no_p_value():
    network, parameters, *_ = model(2)
    data = UniqueRows.of(ROWS, CARDINALITIES)
    twice = UniqueRows(data.rows, 2 * data.counts)
    once, double = fit_statistics(network, data, parameters), fit_statistics(network, twice, parameters)
    assert double.g2 == pytest.approx(2 * once.g2)
    np.testing.assert_allclose(double.residuals, 2 * once.residuals)
    few = fit_statistics(network, UniqueRows.of(ROWS[:59], CARDINALITIES), parameters)
    assert few.is_sparse
    assert np.isnan(few.p_value)


def test_what_no_row_has_is_unknown():
    rows = np.array([[0, -1, 1], [1, -1, 0], [-1, 2, 1], [-1, 0, 1]])
    network, parameters, *_ = model(2)
    found = fit_statistics(network, UniqueRows.of(rows, CARDINALITIES, missing=True), parameters)
    assert np.isnan(found.g2)
    assert found.n_complete == 0
    assert np.isnan(found.residuals[0, 1])
    assert not np.isnan(found.residuals[0, 2])
    alone = fit_statistics(naive_bayes([1], [2])["classes-1"], UniqueRows.of([[0], [1]], [2]), np.array([0.5, 0.5]))
    assert alone.largest_residual is None


def test_more_cells_than_numbers_are_no_overflow():
    network = naive_bayes([2], [9] * 400)["classes-2"]
    data = UniqueRows.of(RNG.integers(0, 9, (5, 400)), [9] * 400)
    found = fit_statistics(network, data, np.concatenate([[0.5, 0.5], np.full(network.n_entries - 2, 1 / 9)]))
    assert found.n_cells == np.inf
    assert found.is_sparse
