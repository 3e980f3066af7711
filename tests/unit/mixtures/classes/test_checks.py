"""Claim: tables of the model seldom have small p-values, and overdispersion, skewness and dependence are named.

Truth: discrepancies in loops over rows; for p-values over tables from the prior a mean of 1/2 and a spread of a uniform
variable's at the most ([Meng1994]); misfits that were planted. Replicates of other parameters must be noticed.
"""

import warnings
from itertools import combinations

import numpy as np
import pytest
from reference.mixed_items import ITEMS, mixture, prior_draws, sample_rows

from ockham.api.fitting import fit_classes
from ockham.errors import ConfigError, ModelError, OckhamWarning
from ockham.mixtures.classes import checks
from ockham.mixtures.classes.checks import discrepancies, predictive_checks, replicate
from ockham.mixtures.classes.model import MixtureClasses
from ockham.mixtures.classes.profiles import item_scores, misfit_scores
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.items import Binomial, Categorical, Gaussian, Poisson

MODEL = MixtureClasses.of(mixture(3))
N_TABLES = 30


def fit(model, rows, **arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OckhamWarning)
        return fit_classes(model, rows, **arguments)


def a_point(seed=1, model=MODEL):
    drawn = model.mixture.sample(model.mixture.nothing, np.random.default_rng(seed))
    return np.concatenate([drawn.log_weights, drawn.natural.ravel()])


def in_loops(model, point, rows):
    """By name, one row, class and item after another."""
    shares = np.exp(model.log_joint(rows, point[None])[0])
    shares /= shares.sum(axis=1, keepdims=True)
    natural, found, misfits, deviations = model.parameters(point).natural, {}, [0.0], []
    for j, (name, (item, at)) in enumerate(zip(model.items, model.mixture.slices, strict=True)):
        x = rows[:, j]
        there, own = np.flatnonzero(~np.isnan(x)), natural[:, at]
        score = (
            [sum(shares[i, k] * misfit_scores(item, own[[k]], x[[i]])[0, 0] for k in range(3)) for i in there]
            if misfit_scores(item, own, x[there]) is not None
            else None
        )
        deviations.append({i: [item_scores(item, own[[k]], x[[i]])[0, 0] for k in range(3)] for i in there})
        if name in ("category", "ordering"):
            p = np.exp(point[:3]) @ np.exp(own)
            terms = [((x == v).sum() - len(there) * p[v]) ** 2 / (len(there) * p[v]) for v in range(len(p))]
            found[name, "margin"] = sum(terms) / (len(p) - 1)
            continue
        found[name, "mean"], found[name, "largest"] = x[there].mean(), x[there].max()
        if name == "number":
            found[name, "standard deviation"], found[name, "smallest"] = x[there].std(), x[there].min()
            found[name, "skewness in classes"], found[name, "kurtosis in classes"] = np.mean(score, axis=0)
        else:
            found[name, "share of zeros"] = (x[there] == 0).mean()
            found[name, "overdispersion in classes"] = np.mean(score)
        misfits += list(np.sum(score, axis=0) ** 2 / np.sum(np.square(score), axis=0))
    pairs = []
    for a, b in combinations(range(5), 2):
        each = [
            sum(shares[i, k] * np.outer(deviations[a][i][k], deviations[b][i][k]) for k in range(3))
            for i in range(len(rows)) if i in deviations[a] and i in deviations[b]
        ]  # fmt: skip
        pairs.append(float((np.sum(each, axis=0) ** 2 / np.sum(np.square(each), axis=0)).mean()))
    return found, max(misfits), pairs


def test_discrepancies_are_those_of_loops_over_rows():
    point, rows = a_point(), sample_rows(MODEL.mixture, np.random.default_rng(4), 25)
    values, largest, pairs = in_loops(MODEL, point, rows)
    names = [(name, what) for name, item in ITEMS.items() for what in checks._names(item)]
    expected = [largest, max(pairs), *(values[name] for name in names), *pairs]
    data = MixedRows.of(np.concatenate([rows, rows[:3]]), ITEMS)
    np.testing.assert_allclose(discrepancies(MODEL, point, rows, np.ones(25)), expected, rtol=1e-9)
    twice = discrepancies(MODEL, point, np.concatenate([rows, rows[:3]]), np.ones(28))
    np.testing.assert_allclose(discrepancies(MODEL, point, data.rows, data.counts), twice, rtol=1e-9)


def test_rows_in_parts_give_the_same(monkeypatch):
    point, rows = a_point(), sample_rows(MODEL.mixture, np.random.default_rng(4), 25)
    whole = discrepancies(MODEL, point, rows, np.ones(25))
    monkeypatch.setattr(checks, "AT_ONCE", 1)
    np.testing.assert_allclose(discrepancies(MODEL, point, rows, np.ones(25)), whole, rtol=1e-9)


def test_replicates_miss_the_same_cells_and_have_the_models_means():
    point, rng = a_point(), np.random.default_rng(3)
    missing = rng.random((20_000, 5)) < 0.2
    drawn = replicate(MODEL, point, missing, rng)
    np.testing.assert_array_equal(np.isnan(drawn), missing)
    sizes, profiles = MODEL.sizes(point), MODEL.profiles(point)
    for j, name, factor in ((2, ("number", "mean"), 1), (3, ("count", "rate"), 1), (4, ("share", "probability"), 5)):
        x = drawn[~missing[:, j], j]
        expected = factor * sizes @ profiles[:, MODEL.quantities.index(name)]
        assert abs(x.mean() - expected) < 4 * x.std() / np.sqrt(len(x))


TWO = mixture(2)


def p_values(seed, wrong=False):
    """Of one table from the prior; with ``wrong`` the replicates are from other draws of the prior."""
    rng = np.random.default_rng(seed)
    rows = sample_rows(TWO, rng, 60, missing=0.1)
    found = fit(TWO, rows, n_draws=100, n_chains=2, seed=seed)
    points = found.points[::2]
    if wrong:
        drawn = prior_draws(TWO, rng, len(points))
        points = np.concatenate([drawn.log_weights, drawn.natural.reshape(len(points), -1)], axis=1)
    result = predictive_checks(found.model, found.data, points, rng)
    one_sided = (result.largest_misfit, result.largest_dependence, *result.of_items[:2])
    pairs = {check.name: check.p_value for check in result.pairs}
    return [*(check.p_value for check in one_sided), pairs["category and number"]], [
        check.p_value for check in result.of_items[2:]
    ]


def most_small(n):
    """Share of n p-values below .05 that may be by chance."""
    return 0.05 + 4 * np.sqrt(0.05 * 0.95 / n)


def test_p_values_of_tables_of_the_model_are_uniform_or_conservative():
    found = [p_values(seed) for seed in range(N_TABLES)]
    p = np.array([one_sided for one_sided, _ in found])
    error = p.std(axis=0, ddof=1) / np.sqrt(N_TABLES)
    assert ((p.mean(axis=0) - 0.5) / error > -4).all()
    squares = (p - 0.5) ** 2
    assert ((squares.mean(axis=0) - 1 / 12) / (squares.std(axis=0, ddof=1) / np.sqrt(N_TABLES)) < 4).all()
    assert ((p < 0.05).mean(axis=0) < most_small(N_TABLES)).all()
    two_sided = np.array([each for _, each in found])
    assert ((two_sided < 0.05).mean(axis=0) < most_small(N_TABLES)).all()


def test_replicates_of_other_parameters_are_noticed():
    found = [p_values(seed, wrong=True) for seed in range(10)]
    one_sided, two_sided = (np.array([each[side] for each in found]) for side in (0, 1))
    assert ((one_sided < 0.05).mean(axis=0) > most_small(len(found))).any()
    assert ((two_sided < 0.05).mean(axis=0) > most_small(len(found))).any()


def two_classes(rng, n=300):
    """A category, two numbers and a count of two classes that are far apart."""
    classes = (rng.random(n) < 0.4).astype(int)
    category = np.where(rng.random(n) < 0.8, classes, 2)
    return classes, [
        category,
        rng.normal(6.0 * classes, 1.0),
        rng.normal(-4.0 * classes, 1.0),
        rng.poisson(3 + 9 * classes),
    ]


PLAIN = FiniteMixture(
    2, {"c": Categorical(3), "x": Gaussian(2.0, 2.0), "y": Gaussian(-1.0, 2.0), "n": Poisson(6.0)}
)  # fmt: skip


def checked(columns):
    return fit(PLAIN, np.stack(columns, axis=1), n_draws=300).check(200)


def small(result):
    return {check.name for check in result.of_items if check.p_value < 0.02}


def inside(result):
    """Those of distributions inside classes."""
    return {name for name in small(result) if name.endswith("in classes")}


@pytest.mark.parametrize("seed", range(3))
def test_a_right_model_is_not_flagged(seed):
    _, columns = two_classes(np.random.default_rng(seed))
    result = checked(columns)
    assert result.largest_misfit.p_value > 0.02
    assert result.largest_dependence.p_value > 0.02
    assert len(small(result)) <= 1  # of fifteen
    assert {check.name for check in result.of_items} >= {"c: margin", "x: smallest", "n: overdispersion in classes"}


def test_overdispersed_counts_are_named():
    rng = np.random.default_rng(1)
    classes, columns = two_classes(rng)
    result = checked([*columns[:3], rng.poisson(rng.gamma(2.0, (3 + 9 * classes) / 2.0))])
    assert result.largest_misfit.p_value < 0.02
    assert inside(result) == {"n: overdispersion in classes"}
    assert "n: overdispersion in classes < 0.005" in repr(result)


def test_a_skewed_number_is_named():
    rng = np.random.default_rng(2)
    classes, columns = two_classes(rng)
    result = checked([columns[0], 6.0 * classes + rng.exponential(1.0, len(classes)), *columns[2:]])
    assert result.largest_misfit.p_value < 0.02
    assert "x: skewness in classes" in inside(result) <= {"x: skewness in classes", "x: kurtosis in classes"}


def test_a_planted_dependence_is_named():
    rng = np.random.default_rng(3)
    _, columns = two_classes(rng)
    columns[2] = columns[2] + 0.8 * (columns[1] - np.where(columns[1] > 3, 6, 0))
    result = checked(columns)
    assert result.pairs[0].name == "x and y"
    assert result.pairs[0].p_value < 0.01
    assert result.largest_dependence.p_value < 0.02
    assert result.table.loc[("pair", "x and y"), "observed"] == result.pairs[0].observed > 10
    assert "x and y" in result._repr_html_()


def test_counts_of_at_most_one_have_no_overdispersion():
    model = FiniteMixture(1, {"b": Binomial(1), "x": Gaussian(0.0, 1.0)})
    rows = np.stack([np.tile([0, 1], 20), np.random.default_rng(1).normal(size=40)], axis=1)
    found = fit(model, rows, n_draws=100)
    names = [check.name for check in found.check(20).of_items]
    assert names[:4] == ["b: mean", "b: largest", "b: share of zeros", "x: mean"]


def test_the_same_seed_gives_the_same_checks_and_bounds_are_kept():
    rows = sample_rows(TWO, np.random.default_rng(1), 30)
    found = fit(TWO, rows, n_draws=100)
    assert found.check(20, seed=1) == found.check(20, seed=1) != found.check(20, seed=2)
    with pytest.raises(ConfigError, match="n_replicates"):
        found.check(n_replicates=1)


def test_replicates_that_memory_has_no_room_for_are_refused():
    model = FiniteMixture(1, {"b": Categorical(2)})
    found = fit(model, MixedRows(np.array([[0.0], [1.0]]), np.array([10**12, 10**12])), n_draws=100)
    with pytest.raises(ModelError, match="check a sample of the rows"):
        found.check()
