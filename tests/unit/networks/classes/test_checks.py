"""Claim: data from the model seldom have small p-values, and data with a dependence that it lacks have them.

Truth: discrepancies row by row; for p-values over data from the prior their mean of 1/2 and a spread of a uniform
variable's at the most ([Meng1994]); a dependence that was planted. Replicates of other parameters must be noticed.
"""

import warnings

import numpy as np
import pytest
from reference.classes import discrepancies, simulate

from ockham.api.fitting import fit_classes
from ockham.errors import ModelError, OckhamWarning
from ockham.networks.classes import checks
from ockham.networks.classes.checks import predictive_checks
from ockham.networks.classes.model import LatentClassModel
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import MISSING, UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.structure_space import naive_bayes

MIXED = LatentClassModel.of(naive_bayes([3], [2, 4, 3])["classes-3"])
BINARY = naive_bayes([2], [2] * 5)["classes-2"]
PROFILES = [[0.9] * 5, [0.1] * 5]


def fit(network, rows, **arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OckhamWarning)
        return fit_classes(network, rows, **arguments)


def mixed_rows(n, seed):
    rng = np.random.default_rng(seed)
    return np.stack([rng.integers(-1, r, n) for r in MIXED.cardinalities], axis=1)


@pytest.mark.parametrize("n_classes", [1, 3])
def test_discrepancies_are_those_of_loops_over_rows(n_classes):
    network = naive_bayes([n_classes], [2, 4, 3])[f"classes-{n_classes}"]
    model, rows = LatentClassModel.of(network), mixed_rows(60, 1)
    theta = sample_log(network, np.random.default_rng(2))
    data = UniqueRows.of(rows, [2, 4, 3], missing=True)
    found = checks._Table.of(model, data.rows, data.counts).discrepancies(model, theta)
    sizes = network.family(0, np.exp(theta))[0] if n_classes > 1 else [1.0]
    profiles = [network.family(i, np.exp(theta)) for i in network.observed]
    g2, n_distinct, margins, residuals = discrepancies(sizes, profiles, rows)
    expected = [g2, n_distinct, max(residuals.values()), *margins, *residuals.values()]
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_replicates_miss_the_same_cells_and_have_the_models_margins():
    rng, rows = np.random.default_rng(3), mixed_rows(20_000, 4)
    theta = sample_log(MIXED.network, rng)
    drawn = checks._replicate(MIXED, theta, rows == MISSING, rng)
    np.testing.assert_array_equal(drawn == MISSING, rows == MISSING)
    sizes, profiles = np.exp(MIXED.log_sizes(theta)), np.exp(MIXED.log_profiles(theta))
    p, n = sizes @ profiles, (drawn != MISSING).sum(axis=0).repeat(MIXED.cardinalities)
    z = (MIXED.indicators(drawn).sum(axis=0) - n * p) / np.sqrt(n * p * (1 - p))
    assert np.abs(z).max() < 4


def p_values(seed, wrong=False):
    """Of one data set from the prior; with ``wrong`` the replicates are from another draw of the prior."""
    rng = np.random.default_rng(seed)
    theta = sample_log(BINARY, rng)
    rows = draw(BINARY, np.exp(theta), 50, rng)[:, 1:].astype(float)
    rows[rng.random(rows.shape) < 0.1] = np.nan
    found = fit(BINARY, rows, n_draws=100, n_chains=2, seed=seed)
    points = found.draws.reshape(-1, BINARY.n_entries)[::2]
    if wrong:
        points = np.array([sample_log(BINARY, rng) for _ in points])
    result = predictive_checks(found.model, found.data, points, rng)
    pairs = {check.name: check.p_value for check in result.pairs}
    named = (result.likelihood_ratio, result.largest_residual, *result.margins[:2])
    return [*(check.p_value for check in named), pairs["y1 and y2"]], result.distinct_rows.p_value


def most_small(n):
    """Share of n p-values below .05 that may be by chance."""
    return 0.05 + 4 * np.sqrt(0.05 * 0.95 / n)


def test_p_values_of_data_from_the_model_are_uniform_or_conservative():
    found = [p_values(seed) for seed in range(40)]
    p = np.array([each for each, _ in found])
    error = p.std(axis=0, ddof=1) / np.sqrt(len(p))
    assert ((p.mean(axis=0) - 0.5) / error > -4).all()
    squares = (p - 0.5) ** 2
    assert ((squares.mean(axis=0) - 1 / 12) / (squares.std(axis=0, ddof=1) / np.sqrt(len(p))) < 4).all()
    assert ((p < 0.05).mean(axis=0) < most_small(len(p))).all()
    assert np.mean([two_sided < 0.05 for _, two_sided in found]) < most_small(len(p))


def test_replicates_of_other_parameters_are_noticed():
    p = np.array([p_values(seed, wrong=True)[0] for seed in range(10)])
    assert ((p < 0.05).mean(axis=0) > most_small(len(p))).any()


@pytest.fixture(scope="module")
def planted():
    """The fourth item of eight, so that no class can take it up, repeats the second in seven of ten rows."""
    rng = np.random.default_rng(2)
    rows, _ = simulate([0.6, 0.4], [[0.9] * 8, [0.1] * 8], 400, rng)
    rows[:, 3] = np.where(rng.random(400) < 0.7, rows[:, 1], rows[:, 3])
    rows = np.where(rng.random(rows.shape) < 0.05, -1, rows)
    return fit_classes(naive_bayes([2], [2] * 8)["classes-2"], rows, labels={"y2": ["no", "yes"]})


def test_a_planted_dependence_is_named(planted):
    result = planted.check()
    assert result.pairs[0].name == "y2 and y4"
    assert result.pairs[0].p_value < 0.01
    assert result.largest_residual.p_value < 0.05
    assert result.likelihood_ratio.p_value < 0.05
    assert all(check.p_value > 0.05 for check in result.margins)
    assert "likelihood ratio < 0.002" in repr(result)
    assert "y2 and y4" in repr(result)
    assert result.table.loc[("pair", "y2 and y4"), "observed"] == result.pairs[0].observed > 10
    assert "y2 and y4" in result._repr_html_()


def test_without_it_no_pair_stands_out():
    rows, _ = simulate([0.6, 0.4], PROFILES, 400, np.random.default_rng(6))
    result = fit_classes(BINARY, rows).check()
    assert result.largest_residual.p_value > 0.05
    assert result.likelihood_ratio.p_value > 0.05
    assert 0.05 < result.distinct_rows.p_value <= 1
    assert result.distinct_rows.lower <= result.distinct_rows.observed <= result.distinct_rows.upper


def test_frequencies_count_as_rows():
    rows, _ = simulate([0.6, 0.4], PROFILES, 80, np.random.default_rng(7))
    given, distinct = (fit(BINARY, data).check(50) for data in (rows, UniqueRows.of(rows, [2] * 5)))
    assert given == distinct


def test_the_same_seed_gives_the_same_checks(planted):
    assert planted.check(50, seed=1) == planted.check(50, seed=1) != planted.check(50, seed=2)


def test_replicates_that_memory_has_no_room_for_are_refused():
    data = UniqueRows(np.zeros((1, 5), dtype=np.int64), np.array([10**12]))
    found = fit(BINARY, data, n_draws=100)
    with pytest.raises(ModelError, match="check a sample of the rows"):
        found.check()
