"""A table is the same from a CSV file, pandas, polars and an array, and what is none is refused by column and remedy.

Source of truth: the cells that were written, and the list of what is wrong with each bad table.
"""

import csv
import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ockham.errors import DataError
from ockham.io.frames import MISSING_TEXTS, CategoricalTable, read_table
from ockham.mixtures.data.tables import read_mixed_table

LABELS = st.sampled_from(["yes", "no", "a b", "é", "x;y", '"q"', "1", "2", "10", "<b>", "$x$"])
CELLS = st.lists(st.lists(st.none() | LABELS, min_size=3, max_size=3), min_size=4, max_size=9)
NAMES = ["first", "second item", "x<3"]


def write(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return path


def same(one, other):
    return (one.names, one.categories, one.states.tolist()) == (other.names, other.categories, other.states.tolist())


def labels(table, name):
    """The cells of a column as they were read."""
    column = table.names.index(name)
    return [None if state < 0 else table.categories[column][state] for state in table.states[:, column]]


@given(cells=CELLS)
def test_every_source_gives_the_cells_that_were_written(cells, tmp_path_factory):
    path = write(tmp_path_factory.mktemp("t") / "t.csv", [NAMES, *[[c or "NA" for c in row] for row in cells]])
    varied = [k for k, column in enumerate(zip(*cells, strict=True)) if len(set(column) - {None}) > 1]
    sources = [
        path,
        str(path),
        pd.DataFrame(cells, columns=NAMES),
        pl.DataFrame(cells, schema=dict.fromkeys(NAMES, pl.String), orient="row"),
        pd.DataFrame(cells, columns=NAMES).astype("category"),
    ]
    if not varied:
        for source in sources:
            with pytest.raises(DataError, match="no column with two states or more"):
                read_table(source)
        return
    tables = [read_table(source) for source in sources]
    assert tables[0].names == tuple(NAMES[k] for k in varied)
    for k in varied:
        assert labels(tables[0], NAMES[k]) == [row[k] for row in cells]
    assert all(same(tables[0], table) for table in tables)
    array = read_table(np.array(cells, dtype=object))
    assert array.names == tuple(f"x{k + 1}" for k in varied)
    assert (array.categories, array.states.tolist()) == (tables[0].categories, tables[0].states.tolist())


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_numbers_and_truth_values_are_read_as_in_a_csv_file(frame, tmp_path):
    columns = {"code": [2, 1, 10], "half": [0.5, 1.0, 1.5], "gap": [1.0, None, 2.0], "is": [True, True, False]}
    found = read_table(frame(columns))
    path = write(tmp_path / "t.csv", [columns, [2, 0.5, 1, True], [1, 1, "", True], [10, 1.5, 2, False]])
    assert same(found, read_table(path))
    assert found.categories[:2] == (("1", "2", "10"), ("0.5", "1", "1.5"))
    pd.DataFrame(columns).to_csv(path, index=False)  # which writes 1.0 where the column has fractions or a gap
    assert same(found, read_table(path))
    assert labels(found, "gap") == ["1", None, "2"]


def test_missing_of_every_kind():
    values = [None, float("nan"), pd.NA, pd.NaT, "", " ? ", "NA", "a", "b", "None"]
    found = read_table(pd.DataFrame({"x": values, "y": ["u", "v"] * 5}, dtype=object))
    assert labels(found, "x") == [None] * 7 + ["a", "b", "None"]
    assert read_table(np.array([[1.0, 0], [np.nan, 1], [2, 1]])).states.tolist() == [[0, 0], [-1, 1], [1, 1]]


def test_what_says_missing_can_be_chosen(tmp_path):
    path = write(tmp_path / "t.csv", [["x", "y"], ["?", "-9"], ["a", "1"], ["b", "2"]])
    assert read_table(path, missing=["-9"]).categories == (("?", "a", "b"), ("1", "2"))
    assert read_table(path, missing="-9").categories == (("?", "a", "b"), ("1", "2"))
    assert read_table(path).categories == (("a", "b"), ("-9", "1", "2"))
    assert read_table(path, missing=()).states.min() == 0


@pytest.mark.parametrize("text", MISSING_TEXTS)
def test_what_is_missing_by_default_is_told_where_it_is_a_state(text, tmp_path):
    rows = [["x", "y"], [text, "1"], ["a", "2"], ["b", "99"]]
    path = write(tmp_path / "t.csv", rows)
    for source in (path, pd.DataFrame(rows[1:], columns=rows[0])):
        warned = read_table(source, missing=["99"]).warnings
        assert warned == (
            f"column 'x': {text!r} is read as a state; if it says that a cell is missing, name it in missing",
        )
        assert read_table(source, missing=["99", text]).warnings == ()


def test_columns_are_dropped_and_weights_are_no_item(tmp_path):
    rows = [["p", "1", "0", "3"], ["q", "2", "1", "1"], ["r", "3", "0", "0"]]
    path = write(tmp_path / "t.csv", [["id", "x", "y", "n"], *rows])
    found = read_table(path, drop=["id"], weights="n")
    assert (found.names, found.categories) == (("x", "y"), (("1", "2"), ("0", "1")))
    assert found.weights.tolist() == [3, 1]
    assert found.n == 4
    assert found.notes[0] == ("", "1 rows of weight 0 are left out", False)
    assert found.warnings == ()
    by_hand = read_table(path, drop=["id", "n"], weights=pd.Series([3, 1, 0]))
    assert same(by_hand, found)
    assert by_hand.weights.tolist() == [3, 1]
    assert read_table(found) is found


def test_without_names_columns_are_numbered(tmp_path):
    found = read_table(write(tmp_path / "t.csv", [["a", "b"], ["b", "b"], ["a", "c"]]), header=False)
    assert found.names == ("x1", "x2")
    assert len(found.states) == 3


def test_a_table_says_what_each_column_was_read_as(tmp_path):
    rows = [
        ["x", "y", "one", "none", "count"],
        ["1", "Yes", "a", "", "1"],
        ["3", "yes", "a", "", "2"],
        ["", "no", "a", "", "1"],
    ]
    found = read_table(write(tmp_path / "t.csv", rows))
    assert found.names == ("x", "y", "count")
    said = {note.column: note.text for note in found.notes if not note.is_warning}
    assert said["x"] == "2 states: 1 (1), 3 (1); 1 missing"
    assert set(said) == set(rows[0])
    assert found.warnings == (
        "column 'y': 'Yes' and 'yes' are different states, though only case or white space differs; write them alike",
        "column 'one': left out: every cell that is not missing is 'a', so it tells no rows apart",
        "column 'none': left out: all its cells are missing, so it tells no rows apart",
        "column 'count': is read as an item; if it has frequencies of rows, give weights='count' or --weights count",
    )


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["y", "n"], ["n", "y"], ["y", "n"]], "the first row may be data: every name is a state of its column"),
        (
            [["a", "b"], ["1", "2"], ["2", "1"], ["", "?"]],
            "1 of 3 rows have no value at all",
        ),
        ([["a", "b"], ["1", "2"], ["", "1"], ["2", ""], ["", "1"], ["", "1"]], "column 'a': 3 of 5 cells are missing"),
    ],
)
def test_warnings_of_a_table(rows, message, tmp_path):
    (warning,) = read_table(write(tmp_path / "t.csv", rows)).warnings
    assert warning.startswith(message)


MANY = [[f"p{i}", str(i % 2), str(100 * i + 7)] for i in range(30)]
BAD = {
    "an identifier": ([["id", "x", "y"], *[[p, x, x] for p, x, _ in MANY]],
                      r"column 'id': has a different value in each of 30 rows, as an identifier has; leave"),
    "two of them": ([["id", "x", "y"], *MANY], r"column 'id': .*; look at 'y' as well"),
    "measured": ([["x", "y"], *[[x, y] for _, x, y in MANY], ["1", "7"]], "column 'y': has 30 different numbers in 31"),
    "one cell a row": ([["a;b"], ["1;2"]], "line 1: has one cell, with semicolons in it; save the table with commas"),
    "no header": ([["", "b"], ["1", "2"]],
                  r"line 1, column 1: has no name; name every variable in the first row, or, if .* with --no-header"),
    "a name twice": ([["b", "b"], ["1", "2"]],
                     r"line 1, column 2: the name 'b' is given twice; rename one, or, if the first row is a case, "
                     r"read it with --no-header \(header=False\)"),
    "ragged": ([["a", "b"], ["1"]], "line 2: has 1 cells, the first row names 2 variables"),
    "names alone": ([["a", "b"]], "has 1 rows; need a row of names"),
    "nothing": ([], "has 0 rows; need a row of names"),
    "constant": ([["a", "b"], ["1", "2"], ["1", "2"]], "has no column with two states or more; give a table of"),
    "a huge cell": ([["a", "b"], ["1", "x" * 2000]], "line 2, column 'b': has 2000 characters, 1000 are allowed"),
    "control characters": ([["a", "b"], ["1", "\x1b[2J"]], "line 2, column 'b': .*cannot be printed"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_refused(case, tmp_path):
    rows, message = BAD[case]
    path = write(tmp_path / "t.csv", rows)
    with pytest.raises(DataError, match=f"t.csv: {message}"):
        read_table(path)


ARGUMENTS = {
    "an unknown column to drop": ({"drop": ["z"]}, "the data: has no column 'z'; it has 'x', 'y', 'w'"),
    "an unknown column of weights": ({"weights": "z"}, "the data: has no column 'z'"),
    "weights that are dropped": ({"weights": "w", "drop": "w"}, "drop: 'w' is the column of weights"),
    "fractions as weights": ({"weights": "w"}, r"column 'w': row 0 has '0.5'; a weight says how often a row occurs"),
    "negative weights": ({"weights": [1, -1]}, "weights: row 1 has '-1'"),
    "weights of another length": ({"weights": [1]}, "weights: must be the name of a column, or one number"),
    "a number as weights": ({"weights": 3}, "weights: 3 must be a list"),
    "numbers that are missing": ({"missing": [-9]}, "missing: -9 must be a text"),
    "a header of 1": ({"header": 1}, "header: 1 must be True or False"),
}  # fmt: skip


@pytest.mark.parametrize("case", ARGUMENTS)
def test_bad_arguments_are_refused(case):
    arguments, message = ARGUMENTS[case]
    with pytest.raises(DataError, match=message):
        read_table(pd.DataFrame({"x": [1, 2], "y": ["a", "b"], "w": [0.5, 1]}), **arguments)


FRAMES = {
    "two columns of one name": (pd.DataFrame([[1, 2]], columns=["a", "a"]), "unique column names"),
    "no rows": (pl.DataFrame({"a": []}), "the frame is empty"),
    "no columns": (pd.DataFrame(), "the frame is empty"),
    "a column without a name": (pl.DataFrame({"": [1], "b": [2]}), "column 1: has no name"),
    "a series": (pd.Series([1, 2]), "'Series' is no table"),
    "a lazy frame": (pl.LazyFrame({"a": [1]}), "'LazyFrame' is no table"),
    "a dictionary": ({"a": [1, 2]}, "'dict' is no table"),
    "lists in cells": (pl.DataFrame({"a": [[1], [2]]}), r"column 'a' holds .*; give text, numbers or truth values"),
    "bytes in cells": (pd.DataFrame({"a": [b"x", b"y"]}), "column 'a' holds b'x'"),
    "a masked array": (np.ma.masked_equal([[1, 2]], 1), "has masked cells"),
    "three axes": (np.zeros((2, 2, 2)), "need a non-empty table"),
    "complex numbers": (np.zeros((2, 2), complex), "cells of type complex128 are no categories"),
    "too many cells": (np.broadcast_to(np.int8(1), (10**5, 2000)), "100,000 rows of 2,000 columns; 100,000,000 cells"),
    "a long label": (pd.DataFrame({"a": ["x", "y" * 1001]}), "column 'a': has 1001 characters"),
}  # fmt: skip


@pytest.mark.parametrize("case", FRAMES)
def test_bad_frames_are_refused(case):
    source, message = FRAMES[case]
    with pytest.raises(DataError, match=message):
        read_table(source)


@pytest.mark.parametrize(
    "ordered",
    [
        lambda cells, order: pd.Series(pd.Categorical(cells, order, ordered=True)),
        lambda cells, order: pl.Series(cells, dtype=pl.Enum(order)),
    ],
)
def test_categories_in_order_that_differ_in_white_space_alone_are_one(ordered):
    column = ordered(["b", "a", " a", "b"], ["b", "a", " a"])
    found = read_table((pd if isinstance(column, pd.Series) else pl).DataFrame({"x": column}))
    assert found.categories == (("b", "a"),)
    assert found.states[:, 0].tolist() == [0, 1, 1, 0]


def test_numbers_are_in_their_own_order_whatever_that_of_the_data_type():
    """The states of a network are numbered 0, 1, ..., and its hyperparameters may tell them apart."""
    frame = pd.DataFrame({"x": pd.Categorical([0, 2, 1, 0], categories=[2, 1, 0], ordered=True)})
    found = read_table(frame)
    assert found.categories == (("0", "1", "2"),)
    assert not found.warnings
    assert found.states[:, 0].tolist() == [0, 2, 1, 0]


@pytest.mark.parametrize("read", [read_table, read_mixed_table])
def test_labels_of_a_data_type_that_no_row_has_are_named(read):
    levels = ["young", "mid", "old", "ancient"]
    frame = pd.DataFrame({"age": pd.Categorical(["old", "mid", "old"], levels, ordered=True), "b": ["x", "y", "x"]})
    (warning,) = read(frame).warnings
    assert "'age': no row has 'young', 'ancient', which its data type has" in warning
    numbers = pd.DataFrame({"x": pd.Categorical([1.0, 2.0, 1.0], [1.0, 2.0, 3.0], ordered=True), "b": ["x", "y", "x"]})
    assert "no row has '3'" in read(numbers).warnings[0]


def test_intervals_periods_and_times_are_labels():
    ages = pd.cut([5, 40, 150, 5], [0, 30, 100, 200])
    quarters = pd.PeriodIndex(["2020Q1", "2020Q2", "2020Q1", "2020Q1"], freq="Q")
    waits = pd.to_timedelta([1, 2, 1, 1], unit="D")
    found = read_table(pd.DataFrame({"age": ages, "quarter": quarters, "wait": waits}))
    assert found.categories == (
        ("(0, 30]", "(30, 100]", "(100, 200]"), ("2020Q1", "2020Q2"), ("1 days 00:00:00", "2 days 00:00:00"),
    )  # fmt: skip


def test_dates_are_labels():
    days = [datetime.date(2026, 1, 1), datetime.date(2026, 1, 2)]
    assert read_table(pl.DataFrame({"day": days * 3})).categories == (("2026-01-01", "2026-01-02"),)


def test_a_table_by_hand_is_checked():
    states = np.array([[0, 1], [1, -1]])
    assert CategoricalTable(("a", "b"), (("x", "y"), ("u", "v")), states).n == 2
    for change in ({"names": ("a",)}, {"names": ("a", "a")}, {"states": states + 1}, {"states": states - 1},
                   {"states": states.astype(np.int8)}, {"categories": (("x",), ("u", "v"))}):  # fmt: skip
        with pytest.raises(DataError, match="make the table with read_table"):
            CategoricalTable(**{"names": ("a", "b"), "categories": (("x", "y"), ("u", "v")), "states": states} | change)
    for weights in (np.array([1]), np.array([1, -1]), np.array([0, 1]), np.array([1.0, 1.0]), [1, 1]):
        with pytest.raises(DataError, match="weights: must be int64"):
            CategoricalTable(("a", "b"), (("x", "y"), ("u", "v")), states, weights)


def test_a_table_is_shown_in_a_line_however_long_it_is():
    rows = [[k % 2 or None, *[k % 3] * 9] for k in range(600)]
    assert repr(read_table(rows)) == (
        "<CategoricalTable: 600 rows, 9 items, 0 cells missing; numbers of states: x2 (3), x3 (3), x4 (3), x5 (3), "
        "x6 (3), x7 (3), ...>"
    )
    assert repr(read_table([["a", "b"], ["b", None], ["b", "c"]])) == (
        "<CategoricalTable: 3 rows, 2 items, 1 cells missing; numbers of states: x1 (2), x2 (2)>"
    )
