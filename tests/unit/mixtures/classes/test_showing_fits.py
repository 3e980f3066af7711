"""Claim: tables, pages, pictures and datasets of mixed fits hold what the fit says, "unknown" where it says nothing.

Truth: the fit's own arrays.
"""

import numpy as np
import pytest

from ockham.api.fitting import fit_classes
from ockham.errors import OckhamWarning
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.items import Categorical, Gaussian, Poisson

ITEMS = {"colour": Categorical(3), "size": Gaussian(0.0, 3.0), "<visits>": Poisson(5.0)}
LABELS = {"colour": ["<red>", "blue", "$green"]}


def rows_of_two(n, seed=1):
    rng = np.random.default_rng(seed)
    classes = (rng.random(n) < 0.4).astype(int)
    colour = np.where(rng.random(n) < 0.8, classes, 2)
    return np.stack([colour, rng.normal(6.0 * classes, 1.0), rng.poisson(2.0 + 8 * classes)], axis=1)


@pytest.fixture(scope="module")
def known():
    rows = rows_of_two(150)
    rows[0, 1] = np.nan
    return fit_classes(FiniteMixture(2, ITEMS), rows, labels=LABELS, n_draws=200)


@pytest.fixture(scope="module")
def unknown():
    with pytest.warns(OckhamWarning):
        return fit_classes(FiniteMixture(4, ITEMS), rows_of_two(80), labels=LABELS, n_draws=100)


def test_the_table_has_every_quantity_by_item(known):
    table = known.table
    assert table.index.tolist() == [
        ("size", ""), ("colour", "probability of <red>"), ("colour", "probability of blue"),
        ("colour", "probability of $green"), ("size", "mean"), ("size", "standard deviation"), ("<visits>", "rate"),
    ]  # fmt: skip
    assert table.loc[("size", "mean"), ("class 2", "upper")] == known.profiles["size"]["mean"].upper[1]
    assert table.loc[("size", ""), ("class 1", "mean")] == known.sizes.mean[0]
    lower, mean, upper = (table.xs(part, axis=1, level=1).to_numpy() for part in ("lower", "mean", "upper"))
    assert ((lower < mean) & (mean < upper)).all()


def test_text_and_page_say_what_is_not_known(known, unknown):
    assert "unknown" not in repr(known) + known._repr_html_()
    assert "2 classes of 150 rows of 3 items" in repr(known)
    assert "&lt;visits&gt;" in known._repr_html_()
    assert "probability of &lt;red&gt;" in known._repr_html_()
    assert f"{known.profiles['size']['mean'].mean[1]:.3g} (" in known._repr_html_()
    assert not unknown.trusted
    assert repr(unknown).count("unknown") == (~unknown.known).sum() > 0
    assert unknown.table.isna().sum().sum() == (~unknown.known).sum() * 3 * 7


def test_the_picture_has_bars_densities_and_rates_of_every_class_that_is_known(known, unknown):
    made = known.plot()
    colour, size, visits = made.axes
    assert [axes.get_title() for axes in made.axes] == ["colour", "size", "<visits>"]
    heights = [patch.get_height() for patch in visits.patches]
    np.testing.assert_allclose(heights, known.profiles["<visits>"]["rate"].mean)
    assert len(colour.patches) == 6
    tops = [line.get_xdata()[line.get_ydata().argmax()] for line in size.lines]
    np.testing.assert_allclose(tops, known.profiles["size"]["mean"].mean, atol=0.1)
    summary = known.profiles["size"]["mean"]
    ends = np.array([each.get_segments()[0][:, 0] for each in size.collections])
    np.testing.assert_allclose(ends, np.stack([summary.lower, summary.upper], axis=1))
    names = [text.get_text() for text in unknown.plot().legends[0].get_texts()]
    assert [name.endswith("not known") for name in names] == (~unknown.known).tolist()


def test_the_dataset_has_all_draws(known, unknown, tmp_path):
    import xarray as xr

    found = known.to_xarray()
    assert dict(found.profile.sizes) == {"chain": 4, "draw": 200, "class": 2, "quantity": 6}
    np.testing.assert_allclose(found["size"].mean(("chain", "draw")), known.sizes.mean)
    rate = found.profile.sel(quantity="<visits>: rate").mean(("chain", "draw"))
    np.testing.assert_allclose(rate, known.profiles["<visits>"]["rate"].mean)
    np.testing.assert_array_equal(found.membership, known.memberships.probabilities)
    assert all("long_name" in variable.attrs for variable in found.data_vars.values())
    for name, fit in (("known", known), ("unknown", unknown)):
        fit.to_xarray().to_netcdf(tmp_path / name)
        with xr.open_dataset(tmp_path / name) as stored:
            xr.testing.assert_equal(stored, fit.to_xarray())


def test_arviz_gets_its_groups(known):
    tree = known.to_arviz()
    assert set(tree.children) == {"posterior", "log_likelihood", "observed_data"}
    assert tree["log_likelihood/rows"].dims == ("chain", "draw", "row")
    predicted = np.log(np.exp(tree["log_likelihood/rows"]).mean(("chain", "draw")))
    np.testing.assert_allclose(predicted, known.log_predictive(known.data.rows[known.given.which]))
    assert np.isnan(tree["observed_data/items"][0, 1])
