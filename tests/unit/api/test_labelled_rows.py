"""Rows that have labels are read by those of the fit, however they are given.

Source of truth: the states and numbers that the labels stand for, as an array; a table in which 2 is the second state.
"""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ockham
from ockham.mixtures.items import Categorical, Gaussian
from ockham.networks.classes.model import LatentClassModel

LABELS = {"b": ("1", "2", "3"), "c": ("no", "yes"), "d": ("no", "yes")}
OTHERS = pd.DataFrame(
    {"x": [0.5, -1.0, None, 2.0], "d": ["no", "yes"] * 2, "c": ["yes", "yes", None, "no"], "b": [2, 3, 2, None]}
)
"""Read as states, 2 would be the last one."""
CELLS = np.array([[1, 1, 0, 0.5], [2, 1, 1, -1.0], [1, np.nan, 0, np.nan], [np.nan, 0, 1, 2.0]])
TYPES = {"x": "gaussian", "b": "categorical"}


@pytest.fixture(scope="module", params=["categorical", "mixed"])
def fit_read_and_columns(request):
    rng = np.random.default_rng(5)
    kind, same = np.repeat([0, 1], 100), rng.random((3, 200)) < 0.95
    states = np.where(same, kind * np.array([[2], [1], [1]]), 1 - kind).T
    short = {"n_draws": 100, "n_chains": 2, "progress": False, "labels": LABELS}
    if request.param == "mixed":
        items = {"b": Categorical(3), "c": Categorical(2), "d": Categorical(2), "x": Gaussian(0.0, 1.0)}
        fit = ockham.fit_classes(ockham.FiniteMixture(2, items), np.column_stack([states, rng.normal(kind)]), **short)
        return fit, lambda frame: ockham.read_mixed_table(frame[["b", "c", "d", "x"]], TYPES), ["x", "c", "b", "d"]
    parents = {name: ["k"] for name in LABELS}
    network = ockham.DiscreteNetwork.build({"k": 2, "b": 3, "c": 2, "d": 2}, parents, hidden=["k"])
    return ockham.fit_classes(network, states, **short), ockham.read_table, ["c", "b", "d"]


def test_files_frames_and_tables_are_read_by_the_labels_of_the_fit(fit_read_and_columns, tmp_path):
    fit, read, columns = fit_read_and_columns
    others, cells, path = OTHERS[columns], CELLS[:, : len(columns)], tmp_path / "others.csv"
    others.to_csv(path, index=False)  # where 2 is 2.0
    expected = fit.predict(cells).probabilities
    assert np.ptp(expected[:, 0]) > 0
    for rows in (others, pl.read_csv(path), path, str(path), read(others)):  # the table has two states of b
        np.testing.assert_array_equal(fit.predict(rows).probabilities, expected)
    np.testing.assert_array_equal(fit.log_predictive(others), fit.log_predictive(cells))
    twos = others[others.b == 2]
    np.testing.assert_array_equal(fit.predict(twos).probabilities, expected[[0, 2]])
    unnamed = pd.DataFrame(cells)  # has states, as an array has
    np.testing.assert_array_equal(fit.predict(unnamed).probabilities, expected)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"b": [2, 3, 4, 2]}, r"rows: row 2, column 'b' has '4', which is no label of the item, which has 1, 2, 3;"),
        ({"c": ["yes", "No", "no", None]}, "rows: row 1, column 'c' has 'No', which is no label of the item"),
        ({"e": 1}, "rows: the table has the columns .*'e', and the model 'b', 'c', 'd'.*; give"),
    ],
)
def test_other_labels_and_columns_are_refused(change, message, fit_read_and_columns):
    fit, _, columns = fit_read_and_columns
    with pytest.raises(ockham.DataError, match=message):
        fit.predict(OTHERS[columns].assign(**change))


def test_bad_files_are_refused_with_the_line(fit_read_and_columns, tmp_path):
    fit, _, columns = fit_read_and_columns
    path = tmp_path / "others.csv"
    OTHERS[columns].assign(b=["2", "3", "two", "1"]).to_csv(path, index=False)
    with pytest.raises(ockham.DataError, match="rows: line 4, column 'b' has 'two', which is no label of the item"):
        fit.predict(path)
    if "x" in columns:
        OTHERS.assign(x=["1", "?", "1,5", "2"]).to_csv(path, index=False)
        with pytest.raises(ockham.DataError, match="rows: line 4, column 'x' has '1,5', which is no number"):
            fit.predict(path)
    with pytest.raises(ockham.DataError, match=r"none\.csv: cannot be read"):
        fit.predict(tmp_path / "none.csv")


def test_labels_are_known_however_their_numbers_are_written():
    """A label that is 1.0 is 1 in a frame of numbers, and in a file."""
    network = ockham.DiscreteNetwork.build({"b": 2, "c": 2}, {}, hidden=[])
    labels = {"b": ("2.0", "1.0"), "c": ("no", "yes")}
    model = LatentClassModel.of(network, labels)
    for b in ([1, 2, 2], [1.0, 2.0, 2.0], ["1", "2", "2"], ["1.0", "2.0", "2.0"]):
        rows, given = model.read(pd.DataFrame({"b": b, "c": ["yes", "yes", "no"]}))
        assert rows.rows[given.which].tolist() == [[1, 1], [0, 1], [0, 0]]


def test_categories_are_no_numbers_and_numbers_no_categories():
    """Though a number has as many sufficient statistics as an item of two states."""
    numbers = pd.DataFrame({"x": [0.5, 1.5, 2.25, 4.0, 3.0, 1.0], "c": ["u", "v"] * 3})
    model = ockham.read_mixed_table(numbers).model(1)
    assert len(ockham.read_mixed_table(numbers.assign(x=[10, 20] * 3)).categories["x"]) == 2
    for frame, message in (
        (numbers.assign(x=[10, 20] * 3), "column 'x' was read as categorical, in the model it is gaussian; read the"),
        (numbers.assign(c=numbers.x), r"column 'c' was read as gaussian, .* is categorical; read .* types={'c': 'cate"),
    ):
        with pytest.raises(ockham.DataError, match=message):
            ockham.score(model, ockham.read_mixed_table(frame), "exact", runs=1)
