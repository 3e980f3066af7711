"""Cells of tables are read as tables write them.

Source of truth: cells by hand, of every form that the project's tables have.
"""

from math import isnan, nan

import pytest

from ockham.errors import StoreError
from ockham.papers.claims.cells import Cell, apart, is_label, parse, ratio, read_rows, taken


@pytest.mark.parametrize(
    ("text", "value", "error", "decimals", "doubted"),
    [
        ("3", 3.0, nan, 0, False),
        ("-0.50", -0.5, nan, 2, False),
        ("2e-05", 2e-5, nan, 0, False),
        ("0.6 (0.5)", 0.6, 0.5, 1, False),
        ("3.3 ± 0.2", 3.3, 0.2, 1, False),
        ("1.9 ?", 1.9, nan, 1, True),
        ("4*", 4.0, nan, 0, True),
        ("2* ?", 2.0, nan, 0, True),
        ("?", None, nan, 0, False),
        ("3-4", "3-4", nan, 0, False),
        ("best", "best", nan, 0, False),
        ("", None, nan, 0, False),
        ("unknown", None, nan, 0, False),
        ("at least -186.2", None, nan, 0, False),
    ],
)
def test_a_cell(text, value, error, decimals, doubted):
    found = parse(text)
    assert (found.value, found.decimals, found.doubted) == (value, decimals, doubted)
    assert found.error == error or (isnan(found.error) and isnan(error))


def test_labels_are_compared_as_numbers_or_as_text():
    assert is_label("10", 10)
    assert is_label("10.0", 10)
    assert not is_label("100", 10)
    assert is_label("mushroom", "mushroom")
    assert not is_label("mushroom_17", "mushroom")


def test_a_difference_has_the_error_of_both():
    found = apart(Cell(1.5, 0.3, 1), Cell(1.0, 0.4, 2, doubted=True))
    assert found == (0.5, pytest.approx(0.5), 2, True)
    assert apart(Cell(1.0), Cell(None)).value is None
    assert ratio(Cell(3.0), Cell(2.0)).value == 1.5
    assert ratio(Cell(3.0), Cell(0.0)).value is None


def test_what_is_taken_leaves_out_what_is_not_known():
    cells = [Cell(3.0), Cell(None), Cell(-1.0), Cell("3-4"), Cell(4.0)]
    assert [taken(cells, what).value for what in ("largest", "smallest", "median", "sum")] == [4, -1, 3, 6]
    assert taken([Cell(None)], "largest").value is None


def test_what_is_no_table_is_refused(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "b.csv").write_text("n,a\n10\n")
    (tmp_path / "c.csv").write_text("")
    for name in ("a.csv", "b.csv", "c.csv", "missing.csv"):
        with pytest.raises(StoreError, match=f"{name}: not a readable table"):
            read_rows(tmp_path / name)
