"""Columns of text become categories in a stated order, and what looks like none is refused or doubted.

Source of truth: columns by hand, and the order that Python gives numbers and text.
"""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ockham.errors import DataError
from ockham.io.categories import MISSING, coded, doubts, frequencies, objection, summary

NONE = frozenset()


def test_numbers_are_sorted_as_numbers_and_before_text():
    labels, states = coded(["10", "9", "b", "-1.5", "1e1", "a", "9"], NONE)
    assert labels == ("-1.5", "9", "10", "1e1", "a", "b")
    assert states.tolist() == [2, 1, 5, 0, 3, 4, 1]


@pytest.mark.parametrize("text", ["nan", "inf", "1_000", "٣", "0x10", "1e", "+", "."])
def test_what_only_looks_like_a_number_is_text(text):
    assert coded([text, "5", "zz"], NONE)[0][0] == "5"


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        (["2.0", "1.0", "-3.0", "a"], ("-3", "1", "2", "a")),
        (["0.5", "1.0", "1.50", "2.00"], ("0.5", "1", "1.50", "2.00")),  # as text, what no program writes so
        (["1", "1.0", "2.0"], ("1", "1.0", "2")),
        (["01.0", "1e0", "x.0", "v1.0"], ("01.0", "1e0", "v1.0", "x.0")),
        (["1.0", "2.0", "999.0"], ("1", "2")),
    ],
)
def test_whole_numbers_are_called_alike_however_they_are_written(cells, labels):
    found, states = coded(cells, frozenset(["999"]))
    assert sorted(found) == sorted(labels)
    assert [found[s] for s in states if s != MISSING] == [c if c in labels else c[:-2] for c in cells if c != "999.0"]
    assert coded(["2.0", "1.0"], NONE, ["2.0", "1.0"])[0] == ("2.0", "1.0")  # as a frame's data type calls them


def test_labels_that_an_order_has_twice_are_one_state():
    labels, states = coded(["b", "a", "b"], NONE, ["b", "b", "c", "a", "b"])
    assert labels == ("b", "a")
    assert states.tolist() == [0, 1, 0]


@given(st.lists(st.none() | st.text(max_size=3), min_size=1, max_size=30), st.sets(st.text(max_size=1), max_size=2))
def test_codes_give_the_cells_back(cells, missing):
    labels, states = coded(cells, frozenset(missing))
    for cell, state in zip(cells, states, strict=True):
        called = cell[:-2] if cell and re.fullmatch("[0-9][.]0", cell) and cell[:-2] not in cells else cell
        assert (state == MISSING) == (cell is None or cell in missing or called in missing)
        assert state == MISSING or labels[state] == called
    assert set(states[states != MISSING]) == set(range(len(labels)))


def test_a_summary_names_states_and_their_rows():
    labels, states = coded(["a", "b", "a", "?"], frozenset("?"))
    assert summary(labels, states) == "2 states: a (2), b (1); 1 missing"
    many = [str(k) for k in range(10)]
    assert summary(*coded(many, NONE)).endswith("7 (1), and 2 more")


@pytest.mark.parametrize(
    ("n_labels", "n_known", "numeric", "message"),
    [
        (11, 11, False, r"has a different value in each of 11 rows, as an identifier has; leave .*--drop x"),
        (60, 100, True, "has 60 different numbers in 100 rows, so they are no categories"),
        (60, 100, False, "has 60 different texts in 100 rows"),
        (1001, 10**6, True, "has 1001 states, 1000 are allowed"),
        (10, 10, True, None),
        (50, 100, True, None),
    ],
)
def test_objections(n_labels, n_known, numeric, message):
    labels = [f"{'' if numeric else 'v'}{k}" for k in range(n_labels)]
    found = objection("x", labels, n_known)
    assert found is None if message is None else re.match(message, found)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (("Yes", "no", "yes"), "'Yes' and 'yes' are different states, though only case or white space differs"),
        (("very  good", "very good"), "'very  good' and 'very good' are different states, though only case or white"),
        (("01", "1", "2"), "'01' and '1' are different states, though they are the same number"),
        (("no", "none", "yes"), "'none' is read as a state; if it says that a cell is missing, name it in missing"),
        (("1", "2", "9", "99"), "'99' is read as a state"),
        (("-9", "0", "1"), "'-9' is read as a state"),
        (tuple(f"s{k}" for k in range(21)), "has 21 states, each with a parameter in every class"),
    ],
)
def test_doubts(labels, message):
    (found,) = doubts(labels, 100, 100)
    assert found.startswith(message)


@pytest.mark.parametrize(
    "labels", [("no", "yes"), ("1", "2", "3"), ("98", "99", "100"), ("-1", "-2", "1"), ("-1", "a"), ("a", "b b")]
)
def test_nothing_is_said_of_what_is_in_order(labels):
    assert list(doubts(labels, 60, 100)) == []
    assert list(doubts(labels, 40, 100)) == ["60 of 100 cells are missing"]


def test_frequencies_are_whole_numbers():
    assert frequencies(["3", "0", "12.0"], "w", "row {}".format).tolist() == [3, 0, 12]
    assert frequencies(["3"], "w", "row {}".format).dtype == np.int64


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (["1", "-1"], "w: row 1 has '-1'; a weight says how often a row occurs, as a whole number"),
        (["0.5"], "w: row 0 has '0.5'.*Sampling weights are no frequencies"),
        (["1", None], "w: row 1 has nothing"),
        (["much"], "w: row 0 has 'much'"),
        (["0", "0"], "w: the weights sum to 0; need 1 to 100,000,000"),
        (["99999999", "2"], "w: the weights sum to 100,000,001"),
        (["9" * 30], "w: row 0 has '999"),
    ],
)
def test_what_is_no_frequency_is_refused(cells, message):
    with pytest.raises(DataError, match=message):
        frequencies(cells, "w", "row {}".format)


@pytest.mark.parametrize("written", ["{},5", "{}%", "1,00{}", "€{}.25", "1 20{}"])
def test_numbers_that_are_written_otherwise_are_told(written):
    """Words are not, nor numbers that are read as such."""
    labels = [written.format(k) for k in range(30)]
    remedy = f"; if {labels[0]!r} is a number, write all with a decimal point, without units or marks between thousands"
    assert objection("x", labels, 30).endswith(remedy)
    assert any(doubt.endswith(remedy) for doubt in doubts(labels, 300, 300))
    for others in ([f"name {k}" for k in range(30)], [f"{k}.5" for k in range(30)]):
        assert "decimal point" not in objection("x", others, 30)


def test_a_column_without_states_is_no_other_number():
    assert objection("x", [], 0) is None
