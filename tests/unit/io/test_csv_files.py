"""One reader of CSV files for every family: the cells are those that were written, or the refusal names the place.

Source of truth: Python's own writer, and files by hand.
"""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ockham.errors import DataError
from ockham.io.csv_files import read_cells

TEXT = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=5)


@given(names=st.lists(TEXT, min_size=2, max_size=4, unique=True), data=st.data(), header=st.booleans())
def test_what_was_written_is_read(names, data, header, tmp_path_factory):
    rows = data.draw(st.lists(st.lists(TEXT | st.just(""), min_size=len(names), max_size=len(names)), min_size=1))
    path = tmp_path_factory.mktemp("csv") / "table.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([names, *rows])
    found = read_cells(path, header=header)
    assert found.names == (names if header else [f"x{c + 1}" for c in range(len(names))])
    assert found.rows == (rows if header else [names, *rows])
    assert found.lines == list(range(1 + header, 2 + len(rows)))


CASES = {
    "semicolons": ("a;b\n1;2\n", "line 1: has one cell, with semicolons in it; save the table with commas"),
    "tabs": ("\na\tb\n1\t2\n", "line 2: has one cell, with tabs in it"),
    "bars": ("a|b\n1|2\n", "line 1: has one cell, with vertical bars in it"),
    "no rows": ("a,b\n", "has 1 rows; need a row of names and at least one row of states"),
    "ragged": ("a,b\n1,2\n1\n", "line 3: has 1 cells, the first row names 2 variables"),
    "two names": ("a,a\n1,2\n", "line 1, column 2: the name 'a' is given twice"),
}


@pytest.mark.parametrize("case", CASES)
def test_refused(case, tmp_path):
    content, message = CASES[case]
    (tmp_path / "table.csv").write_text(content)
    with pytest.raises(DataError, match=f"table.csv: {message}"):
        read_cells(tmp_path / "table.csv")


def test_without_names_the_first_row_is_a_case(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,a\nb,\n")
    assert read_cells(path, header=False).rows == [["a", "a"], ["b", ""]]
    path.write_text("1,2\n3\n")
    with pytest.raises(DataError, match="line 2: has 1 cells, the first row has 2"):
        read_cells(path, header=False)
    path.write_text("")
    with pytest.raises(DataError, match="has 0 rows; need at least one row of states"):
        read_cells(path, header=False)
