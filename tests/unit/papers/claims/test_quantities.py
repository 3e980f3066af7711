"""A quantity is the cells that its names choose; names that no table has are refused before any is read.

Source of truth: tables by hand.
"""

import pytest
from reference.claims import STORED, tables

from ockham.errors import StoreError
from ockham.papers.claims.quantities import Quantity


def read(folder, **quantity):
    given = tables(folder)
    rows = given.rows(Quantity.model_validate(quantity))
    return rows and [(row.label, *(cell.value for cell in row.cells)) for row in rows]


def test_rows_are_chosen_by_label_list_and_range(tmp_path):
    every = {"table": "ranks", "columns": ["b", "a"]}
    assert read(tmp_path, **every) == [("n = 10", 5, 3), ("n = 20", 4, 2.5), ("n = 40", 0, 1)]
    assert read(tmp_path, **every, rows={"n": 20}) == [("", 4, 2.5)]
    assert read(tmp_path, **every, rows={"n": [40, 10]}) == [("n = 10", 5, 3), ("n = 40", 0, 1)]
    assert read(tmp_path, **every, rows={"n": {"from": 20}}) == [("n = 20", 4, 2.5), ("n = 40", 0, 1)]
    assert read(tmp_path, **every, rows={"n": {"to": 10}}) == [("", 5, 3)]


def test_columns_are_subtracted_divided_and_reduced(tmp_path):
    assert [row[1] for row in read(tmp_path, table="ranks", columns=["b"], minus="a")] == [2, 1.5, -1]
    assert [row[1] for row in read(tmp_path, table="ranks", columns=["b"], over="n")] == [0.5, 0.2, 0]
    assert [row[1] for row in read(tmp_path, table="ranks", columns=["b"], minus="a", absolute=True)] == [2, 1.5, 1]
    assert read(tmp_path, table="ranks", columns=["a", "b"], take="largest") == [("", 5)]
    assert read(tmp_path, table="ranks", columns=["b", "a"], take="smallest", by_column=True) == [("", 0, 1)]


def test_what_is_not_there_is_not_stored(tmp_path):
    """A table of a study that was not made, a row that a smaller study lacks, a column that its scores leave out."""
    assert read(tmp_path, study="longer", table="ranks", columns=["a"]) is None
    assert read(tmp_path, table="text", columns=["c"], rows={"n": [1, 3]}) is None
    assert read(tmp_path, table="ranks", columns=["rare"]) is None


def test_a_table_without_what_tells_its_rows_apart_is_refused(tmp_path):
    given = tables(tmp_path, ranks="m,a\n10,3\n")
    with pytest.raises(StoreError, match=r"ranks\.csv: has no column 'n', which tells its rows apart"):
        given.rows(Quantity.model_validate({"table": "ranks", "columns": ["a"]}))


@pytest.mark.parametrize(
    ("quantity", "problem"),
    [
        ({"table": "rank", "columns": ["a"]}, "table: 'rank' is no table that claims may name; ranks, text are"),
        ({"table": "ranks", "columns": ["a", "aa"]}, "columns: 'ranks' has no column 'aa'; it has a, a (paper), b"),
        ({"table": "ranks", "columns": ["a"], "minus": "c"}, "minus: 'ranks' has no column 'c'"),
        ({"table": "ranks", "columns": ["a"], "over": "n"}, "over: 'ranks' has no column 'n'"),
        ({"table": "ranks", "columns": ["a"], "rows": {"m": 1}}, "rows.m: rows of 'ranks' are told apart by n"),
        ({"table": "ranks", "columns": ["a"], "rows": {"n": 30}}, "rows.n: 'ranks' has no row 30; it has 10, 20, 40"),
        ({"table": "text", "columns": ["c"], "rows": {"name": ["x", "z"]}}, "rows.name: 'text' has no row 'z'"),
        ({"table": "text", "columns": ["c"], "rows": {"n": "one"}}, "rows.n: 'text' has no row 'one'; it has numbers"),
        (
            {"table": "ranks", "columns": ["a"], "study": "short"},
            "study: 'short' is no other study of the paper; these",
        ),
    ],
)
def test_names_that_nothing_has_are_refused(quantity, problem):
    found = Quantity.model_validate(quantity).problem(STORED)
    assert found is not None
    assert found.startswith(problem)


def test_names_that_are_stored_are_not():
    for quantity in (
        {"table": "ranks", "columns": ["a"], "minus": "b", "rows": {"n": [10, 40]}, "study": "longer"},
        {"table": "text", "columns": ["c"], "over": "n", "rows": {"name": "x", "n": 7}},
        {"table": "ranks", "columns": ["a"], "rows": {"n": {"from": 15}}},
    ):
        assert Quantity.model_validate(quantity).problem(STORED) is None
