"""Claim: what is said of sizes, items and memberships is the posterior, and of rows the posterior's predictions.

Truth: sums over every assignment of the rows of a tiny table of all kinds of items, cells missing among them, with
closed means of each kind written out; another prior must be noticed. Whatever is not known is NaN and has a reason.
"""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from reference.classes import z_scores
from reference.mixed_items import enumerated, mixture, sample_rows
from reference.mixed_posteriors import MixedPosterior, closed_means
from scipy.special import logsumexp

from ockham.api.fitting import fit_classes
from ockham.contracts import Doubt
from ockham.errors import ConfigError, DataError, ModelError, OckhamWarning
from ockham.mixtures.classes import fitted
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference import modes
from ockham.mixtures.items import Binomial, Categorical, Gaussian, Ordered, Poisson

TWO = mixture(2)
ROWS = sample_rows(TWO, np.random.default_rng(3), 6)
OTHER = FiniteMixture(
    2,
    {
        "category": Categorical(3, 2.0), "ordering": Ordered(4, 6.0), "number": Gaussian(14.0, 4.0, 2.0, 4.0),
        "count": Poisson(9.0, 6.0), "share": Binomial(5, 4.0),
    },
    6.0,
)  # fmt: skip
ITEMS = {"a": Categorical(3), "b": Ordered(3), "x": Gaussian(0.0, 3.0), "y": Gaussian(50.0, 9.0), "n": Poisson(5.0)}
CENTRES = np.array([[0, 0, -4.0, 40.0, 1.0], [1, 2, 4.0, 40.0, 9.0], [2, 1, 0.0, 70.0, 5.0]])


def three_classes(n, seed=5):
    """Rows of three classes that are easy to tell apart, some cells missing, and their classes."""
    rng = np.random.default_rng(seed)
    classes = rng.choice(3, n, p=[0.5, 0.3, 0.2])
    centre = CENTRES[classes]
    rows = np.stack(
        [
            np.where(rng.random(n) < 0.9, centre[:, 0], rng.integers(0, 3, n)),
            np.where(rng.random(n) < 0.9, centre[:, 1], rng.integers(0, 3, n)),
            rng.normal(centre[:, 2], 1.0), rng.normal(centre[:, 3], 5.0), rng.poisson(centre[:, 4]),
        ],
        axis=1,
    )  # fmt: skip
    rows[rng.random(rows.shape) < 0.05] = np.nan
    return rows, classes


def fit(model, rows, **arguments):
    """Tiny data leave much unknown."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OckhamWarning)
        return fit_classes(model, rows, **arguments)


@pytest.fixture(scope="module")
def tiny():
    return fit(TWO, ROWS)


@pytest.fixture(scope="module")
def three():
    rows, classes = three_classes(300)
    return fit_classes(FiniteMixture(3, ITEMS), rows, labels={"a": ["p", "q", "r"]}, n_draws=500), rows, classes


def over_classes(found):
    """Sums over classes of size times quantity, of every draw, and of the squares of the sizes."""
    model, draws = found.model, found.draws
    sizes, profiles = model.sizes(draws), model.profiles(draws)
    values = {name: (sizes * profiles[..., j]).sum(axis=-1) for j, name in enumerate(model.quantities)}
    deviation = profiles[..., model.quantities.index(("number", "standard deviation"))]
    values["number", "precision"] = (sizes / deviation**2).sum(axis=-1)
    named = closed_means(found.model.mixture.items)
    return np.stack([values[name] for name in named] + [(sizes**2).sum(axis=-1)], axis=-1)


def exact_over_classes(model):
    posterior = MixedPosterior(model, ROWS)
    return [posterior.over_classes(mean) for mean in closed_means(model.items).values()] + [posterior.squared_sizes()]


def test_items_and_sizes_are_those_of_every_assignment(tiny):
    assert np.abs(z_scores(over_classes(tiny), exact_over_classes(TWO))).max() < 4


def test_another_prior_is_noticed_in_every_kind_of_item(tiny):
    assert np.abs(z_scores(over_classes(tiny), exact_over_classes(OTHER))).min() > 4


def test_rows_are_of_one_class_as_often_as_in_every_assignment(tiny):
    joint = tiny.model.log_joint(ROWS, tiny.points)
    each = np.exp(joint - logsumexp(joint, axis=2, keepdims=True))
    together = np.einsum("tik,tjk->tij", each, each).reshape(*tiny.draws.shape[:2], len(ROWS), len(ROWS))
    i, j = np.triu_indices(len(ROWS), 1)
    z = [np.abs(z_scores(together[:, :, i, j], MixedPosterior(m, ROWS).together()[i, j])).max() for m in (TWO, OTHER)]
    assert z[0] < 4 < z[1]


def test_what_a_row_adds_is_predicted(tiny):
    """p(x | D) = p(x, D) / p(D), each a sum over assignments."""
    new = sample_rows(TWO, np.random.default_rng(8), 3)

    def ratios(model):
        tables = [ROWS, *(np.concatenate([ROWS, row[None]]) for row in new)]
        evidence = [enumerated(model, MixedRows.of(rows, model.items)) for rows in tables]
        return np.exp(np.array(evidence[1:]) - evidence[0])

    each = np.exp(logsumexp(tiny.model.log_joint(new, tiny.points), axis=2))
    z = [np.abs(z_scores(each.reshape(*tiny.draws.shape[:2], -1), ratios(model))).max() for model in (TWO, OTHER)]
    assert z[0] < 4 < z[1]
    np.testing.assert_allclose(tiny.log_predictive(new), np.log(each.mean(axis=0)), rtol=1e-9)


def test_three_classes_are_recovered(three):
    found, _, classes = three
    assert found.trusted
    np.testing.assert_allclose(found.sizes.mean, [0.5, 0.3, 0.2], atol=0.1)
    assert (np.diff(found.sizes.mean) < 0).all()
    for name, column, tolerance in (("x", 2, 0.5), ("y", 3, 2.0), ("n", 4, 1.0)):
        quantity = "rate" if name == "n" else "mean"
        summary = found.profiles[name][quantity]
        np.testing.assert_allclose(summary.mean, CENTRES[:, column], atol=tolerance)
        assert ((summary.lower < summary.mean) & (summary.mean < summary.upper)).all()
    np.testing.assert_allclose(found.profiles["x"]["standard deviation"].mean, 1.0, atol=0.2)
    assert found.profiles["a"]["probability of q"].mean.argmax() == 1
    assert (found.memberships.assigned == classes + 1).mean() > 0.95
    assert found.memberships.relative_entropy > 0.9


def test_every_row_is_predicted_by_itself(three):
    found, rows, _ = three
    expected = found.predict(rows).probabilities
    for part in (slice(None), slice(None, None, -1), slice(7), slice(1)):
        np.testing.assert_allclose(found.predict(rows[part]).probabilities, expected[part], rtol=1e-9)


def test_a_row_without_cells_has_the_sizes(three):
    found, _, _ = three
    np.testing.assert_allclose(found.predict(np.full((1, 5), np.nan)).probabilities[0], found.sizes.mean)


def test_frequencies_are_rows_so_many_times():
    model = FiniteMixture(2, {"a": Categorical(2), "n": Poisson(4.0)})
    rows = np.random.default_rng(2).integers(0, 2, (60, 2)) * [1, 9]
    given, distinct = fit(model, rows, n_draws=100), fit(model, MixedRows.of(rows, model.items), n_draws=100)
    np.testing.assert_array_equal(given.draws, distinct.draws)
    assert distinct.memberships.counts.sum() == len(given.memberships.counts) == 60
    np.testing.assert_allclose(
        distinct.memberships.probabilities[given.given.which], given.memberships.probabilities, rtol=1e-9
    )


def test_one_class_has_closed_means():
    items = {"x": Gaussian(0.0, 1.0), "n": Poisson(2.0)}
    cells = np.array([[1.0, 3], [2.5, 0], [0.5, 4], [np.nan, 1]])
    found = fit_classes(FiniteMixture(1, items), cells)
    assert found.trusted
    assert found.sizes.mean.tolist() == [1.0]
    assert found.profiles["x"]["mean"].mean[0] == pytest.approx(4.0 / (3 + 1 / 3), abs=0.05)
    assert found.profiles["n"]["rate"].mean[0] == pytest.approx((1 + 8) / (0.5 + 4), abs=0.05)


def test_classes_to_spare_are_unknown_and_the_others_are_not():
    rows, _ = three_classes(200)
    with pytest.warns(OckhamWarning, match="classes 4 and 5: labels switch too often"):
        found = fit_classes(FiniteMixture(5, ITEMS), rows, n_draws=300)
    assert found.known.tolist() == [True, True, True, False, False]
    assert np.isnan(found.sizes.mean).tolist() == np.isnan(found.profiles["x"]["mean"].lower).tolist()
    assert set(found.memberships.assigned) <= {0, 1, 2, 3}
    assert np.isfinite(found.log_predictive(rows)).all()


@pytest.mark.parametrize("seed", range(3))
def test_classes_of_partitions_that_cross_are_not_told_apart(seed):
    """Rows go by the first two items or by the last two, and which class of one is which of the other nothing says."""
    rows = np.array([[0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 1, 1]]).repeat(5, axis=0)
    with pytest.warns(OckhamWarning, match="labels switch too often to tell them apart"):
        found = fit_classes(FiniteMixture(2, {f"y{j}": Categorical(2) for j in range(4)}), rows, seed=seed)
    assert not found.known.any()


def test_classes_that_chains_differ_about_are_unknown():
    """One mode with the classes of one half of the items, and one with those of the other half."""
    half = np.array([[6.0 * a] * 4 + [6.0 * b] * 4 for a in (0, 1) for b in (0, 1)] * 10)
    half += np.random.default_rng(1).normal(size=half.shape)
    rows = np.concatenate([half, np.roll(half, 4, axis=1)])
    model = FiniteMixture(2, {f"x{j}": Gaussian(3.0, 2.0) for j in range(8)})
    with pytest.warns(OckhamWarning, match="the chains differ, as if they kept to different modes"):
        found = fit_classes(model, rows, n_draws=100)
    assert found.doubt & Doubt.NOT_MIXED
    assert np.isnan(found.sizes.mean).all()
    assert (found.memberships.assigned == 0).all()


def test_a_mode_that_starts_seldom_lead_to_is_doubted(monkeypatch):
    rows, _ = three_classes(60)
    find = modes.find
    monkeypatch.setattr(modes, "find", lambda *given: find(*given)._replace(hits=np.ones(1)))
    with pytest.warns(OckhamWarning, match="there may be better ones"):
        assert fit_classes(FiniteMixture(1, ITEMS), rows, n_draws=100).doubt == Doubt.NOT_MIXED


def test_the_same_seed_gives_the_same_draws():
    rows, _ = three_classes(40)
    first, same, other = (fit(FiniteMixture(2, ITEMS), rows, seed=s, n_draws=100) for s in (1, 1, 2))
    np.testing.assert_array_equal(first.draws, same.draws)
    assert not (first.draws == other.draws).any()


def test_units_do_not_matter():
    """A number in another unit, a power of 2, with its prior: the same draws, and profiles in that unit."""
    rows, _ = three_classes(60)
    others = rows * [1, 1, 1024.0, 1, 1]
    items = ITEMS | {"x": replace(ITEMS["x"], deviation=3072.0)}
    one, other = fit(FiniteMixture(2, ITEMS), rows, n_draws=100), fit(FiniteMixture(2, items), others, n_draws=100)
    np.testing.assert_allclose(other.memberships.probabilities, one.memberships.probabilities, rtol=1e-6)
    for quantity, summary in other.profiles["x"].items():
        np.testing.assert_allclose(summary.mean, 1024 * one.profiles["x"][quantity].mean, rtol=1e-6)
    shift = np.log(1024) * ~np.isnan(rows[:, 2])
    np.testing.assert_allclose(other.log_predictive(others), one.log_predictive(rows) - shift, rtol=1e-6)


THREE = FiniteMixture(3, ITEMS)
ONE_ROW = [[0, 0, 0.5, 50.0, 3]]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"n_draws": 10}, ConfigError, "n_draws: 10 must be an integer of at least 100"),
        ({"n_draws": 10**6, "n_chains": 256}, ModelError, "take fewer n_chains or n_draws"),
        ({"model": FiniteMixture(21, ITEMS)}, ModelError, "21 classes are too many"),
        ({"data": [[0, 3, 0.5, 50.0, 3]]}, DataError, "item 'b': holds 3, which is no state"),
        ({"data": [[0, 0, 1.0, 1.0, 1], [1, 1, 1.0, 2.0, 2]]}, DataError, "item 'x': is constant"),
        ({"labels": {"x": ["low"]}}, ConfigError, "labels of x: .'low',. must be 0 different texts"),
        ({"labels": {"a": ["p", "q", "q"]}}, ConfigError, "labels of a: .* must be 3 different texts"),
        ({"labels": {"z": ["p"]}}, ConfigError, "labels: 'z' is no item: the model has a, b, x"),
        ({"model": "mixture"}, ModelError, "model: 'mixture' is neither a FiniteMixture nor a DiscreteNetwork"),
    ],
)
def test_what_cannot_be_is_refused_before_any_work(arguments, error, message, monkeypatch):
    monkeypatch.setattr(fitted, "_fit", None)
    with pytest.raises(error, match=message):
        fit_classes(**({"model": THREE, "data": ONE_ROW} | arguments))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([0, 3, 0.5, 50.0, 3], "rows: item 'b', row 1: holds 3, which is no state from 0 to 2"),
        ([0, 0, np.inf, 50.0, 3], "rows: item 'x', row 1: holds an infinite number"),
        ([0, 0, 0.5, 50.0, -3], "rows: item 'n', row 1: holds -3, which is no count"),
        ([0, 0, 0.5, 50.0], "rows differ in length"),
    ],
)
def test_rows_that_do_not_fit_are_refused_with_their_place(row, message, three):
    found, _, _ = three
    for ask in (found.predict, found.log_predictive):
        with pytest.raises(DataError, match=message):
            ask([*ONE_ROW, row])


def test_rows_in_which_a_number_is_constant_are_predicted(three):
    found, _, _ = three
    np.testing.assert_allclose(*found.predict(ONE_ROW * 2).probabilities)
