"""Score statistics are about 1 of a true model, and tell of dependence and of other distributions.

Sources of truth: draws of the model itself, and the likelihood written out.
"""

import numpy as np
import pytest

from ockham.mixtures.classes.fit_statistics import fit_statistics, memberships
from ockham.mixtures.classes.profiles import item_scores, misfit_scores, profile
from ockham.mixtures.data.drawing import draw_rows
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters
from ockham.mixtures.items import Binomial, Categorical, Gaussian, Ordered, Poisson
from ockham.streams import Stream

ITEMS = {
    "c": Categorical(3),
    "o": Ordered(4),
    "g": Gaussian(100.0, 15.0),
    "h": Gaussian(-1.0, 0.1),
    "p": Poisson(6.0),
    "b": Binomial(8),
}
MODEL = FiniteMixture(2, ITEMS)
N = 4000


def parameters(seed=1):
    return MODEL.sample(MODEL.nothing, np.random.default_rng(seed))


def drawn(missing=0.05):
    return draw_rows(MODEL, parameters(), N, missing, Stream(5))


def natural(name):
    at = dict(zip(ITEMS, (at for _, at in MODEL.slices), strict=True))[name]
    return parameters().natural[:, at]


@pytest.mark.parametrize("name", ITEMS)
def test_profiles_are_the_means_of_draws(name):
    item, about = ITEMS[name], profile(ITEMS[name], natural(name))
    for k in range(2):
        cells = item.sample_cells(np.tile(natural(name)[k], (N, 1)), np.random.default_rng(k))
        if name in "co":
            expected = about["probability"][k] @ np.arange(item.n_values)
        elif name == "b":
            expected = 8 * about["probability"][k]
        else:
            expected = about["rate" if name == "p" else "mean"][k]
        assert abs(cells.mean() - expected) < 4 * cells.std() / np.sqrt(N)
        if name in "gh":
            assert cells.std() == pytest.approx(about["standard_deviation"][k], rel=0.05)


@pytest.mark.parametrize("name", ITEMS)
def test_scores_are_0_in_the_mean(name):
    item = ITEMS[name]
    for k in range(2):
        cells = item.sample_cells(np.tile(natural(name)[k], (N, 1)), np.random.default_rng(k))
        for scores in (item_scores(item, natural(name), cells), misfit_scores(item, natural(name), cells)):
            if scores is None:
                assert name in "co"
                continue
            own, other = scores[k], scores[1 - k]
            errors = own.std(axis=0) / np.sqrt(N)
            assert (np.abs(own.mean(axis=0)) <= 4 * errors).all()
            assert (np.abs(other.mean(axis=0)) > 4 * errors).any()  # of a class that they are not drawn from


def test_a_true_model_has_statistics_about_1():
    found = fit_statistics(MODEL, MixedRows.of(drawn(), ITEMS), parameters())
    pairs = found.residuals[np.triu_indices(6, 1)]
    assert np.mean(pairs) < 2
    assert np.nanmax(pairs) < 12
    assert np.isnan(found.misfits[:2]).all()
    assert found.misfits[2:].max() < 12
    assert found.classification.sum() == pytest.approx(N)


@pytest.mark.parametrize(("first", "second"), [("g", "h"), ("g", "p"), ("c", "g"), ("c", "o"), ("b", "p")])
def test_dependence_inside_a_class_is_seen(first, second):
    """Cells of one class, sorted in some rows, so that every item keeps its distribution."""
    rows = drawn(missing=0)
    a, b = (list(ITEMS).index(name) for name in (first, second))
    own = memberships(MODEL, parameters(), rows)[:, 0] > 0.5
    some = np.flatnonzero(own)[: int(own.sum()) // 3]
    for column in (a, b):
        rows[some, column] = np.sort(rows[some, column])
    found = fit_statistics(MODEL, MixedRows.of(rows, ITEMS), parameters())
    assert found.residuals[a, b] > 15
    others = found.residuals[np.triu_indices(6, 1)]
    assert found.largest_residual[:2] == (min(a, b), max(a, b)) or found.residuals[a, b] > np.median(others) * 5


@pytest.mark.parametrize("name", ["g", "p", "b"])
def test_another_distribution_is_seen(name):
    """Cells that are spread wider inside classes."""
    rows, column = drawn(missing=0), list(ITEMS).index(name)
    rng = np.random.default_rng(1)
    rows[:, column] = {
        "g": lambda x: x * rng.choice([0.7, 1.3], N) + 30 * rng.standard_exponential(N),
        "p": lambda x: np.round(x * rng.gamma(1.0, 1.0, N)),
        "b": lambda x: np.where(rng.random(N) < 0.3, rng.choice([0, 8], N), x),
    }[name](rows[:, column])
    found = fit_statistics(MODEL, MixedRows.of(rows, ITEMS), parameters())
    assert found.misfits[column] > 20


def test_memberships_are_those_of_the_likelihood():
    rows = drawn()[:50]
    at = parameters()
    expected = np.exp(at.log_weights)[None].repeat(50, axis=0)
    for column, (item, part) in zip(rows.T, MODEL.slices, strict=True):
        for r, cell in enumerate(column):
            if not np.isnan(cell):
                expected[r] *= np.exp(at.natural[:, part] @ item.statistics(np.array([cell]))[0])
    np.testing.assert_allclose(memberships(MODEL, at, rows), expected / expected.sum(axis=1, keepdims=True), rtol=1e-9)


def test_certainty_is_that_of_the_memberships():
    sure = Parameters(np.log([0.5, 0.5]), np.array([[0.0, -1e9], [-1e9, 0.0]]))
    model = FiniteMixture(2, {"c": Categorical(2)})
    rows = MixedRows.of([[0.0], [1.0], [1.0]], model.items)
    assert fit_statistics(model, rows, sure).entropy == pytest.approx(1)
    vague = Parameters(np.log([0.5, 0.5]), np.log(np.full((2, 2), 0.5)))
    assert fit_statistics(model, rows, vague).entropy == pytest.approx(0)
    np.testing.assert_allclose(fit_statistics(model, rows, sure).classification, [[1, 0], [0, 2]])


def test_two_items_of_very_many_states_have_no_statistic():
    model = FiniteMixture(2, {"a": Categorical(100), "b": Categorical(100), "g": Gaussian()})
    at = model.sample(model.nothing, np.random.default_rng(1))
    found = fit_statistics(model, MixedRows.of(draw_rows(model, at, 300, 0.0, Stream(1)), model.items), at)
    assert np.isnan(found.residuals[0, 1])
    assert np.isfinite(found.residuals[[0, 1], 2]).all()


@pytest.mark.parametrize("item", [Poisson(3.0, 0.001), Binomial(8, 0.001)], ids=["poisson", "binomial"])
def test_scores_are_numbers_where_a_rate_is_too_small_for_any(item):
    natural = item.sample(np.zeros((50, item.n_statistics)), np.random.default_rng(1))
    assert (np.exp(natural).min(axis=0) == 0).any()
    with np.errstate(all="raise", under="ignore"):
        cells = np.array([0.0, 1.0, 2.0])
        assert np.isfinite(item_scores(item, natural, cells)).all()
        assert np.isfinite(misfit_scores(item, natural, cells)).all()
