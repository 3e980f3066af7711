"""Claim: tables, pages, pictures and datasets hold what the fit says, and "unknown" where it says nothing.

Truth: the fit's own arrays.
"""

import sys

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from reference.classes import simulate

from ockham.api.fitting import fit_classes
from ockham.errors import ConfigError, OckhamWarning
from ockham.networks.structure_space import naive_bayes


@pytest.fixture(scope="module")
def known():
    rng = np.random.default_rng(1)
    rows, classes = simulate([0.6, 0.4], [[0.9] * 5, [0.1] * 5], 200, rng)
    rows = np.column_stack([rows, np.where(rng.random(200) < 0.8, classes, 2)])
    rows[0, 0] = -1
    labels = {"y1": ["<no>", "yes"], "y6": ["low", "high", "other"]}
    return fit_classes(naive_bayes([2], [2] * 5 + [3])["classes-2"], rows, labels=labels)


@pytest.fixture(scope="module")
def unknown():
    rows, _ = simulate([0.6, 0.4], [[0.95] * 6, [0.05] * 6], 300, np.random.default_rng(7))
    with pytest.warns(OckhamWarning):
        return fit_classes(naive_bayes([4], [2] * 6)["classes-4"], rows)


def test_the_table_has_every_size_and_probability(known):
    table = known.table
    assert table.shape == (1 + 5 * 2 + 3, 2 * 3)
    assert table.index[0] == ("size", "")
    assert table.loc[("y6", "other"), ("class 2", "upper")] == known.profiles["y6"].upper[1, 2]
    assert table.loc[("size", ""), ("class 1", "mean")] == known.sizes.mean[0]
    lower, mean, upper = (table.xs(part, axis=1, level=1).to_numpy() for part in ("lower", "mean", "upper"))
    assert (lower < mean).all()
    assert (mean < upper).all()
    np.testing.assert_allclose(table.xs("mean", axis=1, level=1).groupby("item", sort=False).sum()["class 1"][1:], 1)


def test_intervals_have_equal_tails(known):
    draws = np.exp(known.model.log_sizes(known.draws))[..., 0]
    assert (draws < known.sizes.lower[0]).mean() == pytest.approx(0.025, abs=0.001)
    assert (draws > known.sizes.upper[0]).mean() == pytest.approx(0.025, abs=0.001)


def test_text_and_page_say_what_is_not_known(known, unknown):
    assert "unknown" not in repr(known) + known._repr_html_()
    assert "2 classes of 200 rows of 6 items" in repr(known)
    assert "&lt;no&gt;" in known._repr_html_()
    assert repr(unknown).count("unknown") == 2
    assert "classes 3 and 4: labels switch too often" in repr(unknown)
    assert "classes 3 and 4" in unknown._repr_html_()
    assert unknown.table.isna().sum().sum() == 2 * 3 * 13
    assert unknown.diagnostics["known"].tolist() == [True, True, False, False]
    assert len(repr(unknown).splitlines()) < 5


def test_the_picture_has_every_class_that_is_known(known, unknown):
    with mpl.rc_context({"backend": "agg"}):
        axes = known.plot()
        named = [text.get_text() for text in axes.get_legend().get_texts()]
        assert [name[:7] for name in named] == ["class 1", "class 2"]
        ticks = [label.get_text() for label in axes.get_xticklabels()]
        assert ticks == ["y1: yes", "y2: 1", "y3: 1", "y4: 1", "y5: 1", "y6: low", "y6: high", "y6: other"]
        np.testing.assert_array_equal(axes.lines[1].get_ydata()[0], known.profiles["y1"].mean[1, 1])
        assert unknown.plot(axes) is axes
        assert "class 4: not known" in [text.get_text() for text in axes.get_legend().get_texts()]
        plt.close(axes.figure)


def test_the_dataset_has_all_draws_and_no_value_beyond_an_items(known):
    found = known.to_xarray()
    assert dict(found.profile.sizes) == {"chain": 4, "draw": 1000, "class": 2, "item": 6, "value": 3}
    assert found["class"].values.tolist() == [1, 2]
    assert np.isnan(found.profile.sel(item="y1", value=2)).all()
    np.testing.assert_allclose(found.profile.sum("value"), 1)
    np.testing.assert_allclose(found["size"].mean(("chain", "draw")), known.sizes.mean)
    np.testing.assert_allclose(found.profile.mean(("chain", "draw")).sel(item="y6"), known.profiles["y6"].mean)
    np.testing.assert_array_equal(found.membership, known.memberships.probabilities)
    assert found.value_label.sel(item="y1").values.tolist() == ["<no>", "yes", ""]
    assert found.attrs["not_known"] == ""
    assert all(variable.attrs["long_name"] for variable in found.data_vars.values())


def test_the_dataset_can_be_stored(known, unknown, tmp_path):
    import xarray as xr

    for name, fit in (("known", known), ("unknown", unknown)):
        fit.to_xarray().to_netcdf(tmp_path / name)
        with xr.open_dataset(tmp_path / name) as stored:
            xr.testing.assert_equal(stored, fit.to_xarray())


def test_arviz_gets_its_groups(known):
    tree = known.to_arviz()
    assert set(tree.children) == {"posterior", "log_likelihood", "observed_data"}
    np.testing.assert_allclose(tree["posterior/size"].mean(("chain", "draw")), known.sizes.mean)
    assert tree["log_likelihood/rows"].dims == ("chain", "draw", "row")
    predicted = np.log(np.exp(tree["log_likelihood/rows"]).mean(("chain", "draw")))
    rows = known.data.rows[known.given.which]
    np.testing.assert_allclose(predicted, known.log_predictive(rows))
    assert np.isnan(tree["observed_data/items"][0, 0])


def test_arviz_that_is_not_there_has_a_remedy(known, monkeypatch):
    monkeypatch.setitem(sys.modules, "arviz_base", None)
    with pytest.raises(ConfigError, match=r"pip install 'ockham\[arviz\]'"):
        known.to_arviz()
