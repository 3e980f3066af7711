"""Every kind of comparison agrees where it should, and does not where the numbers are changed.

Source of truth: tables by hand. Each case has a negative control beside it.
"""

import pytest
from pydantic import TypeAdapter, ValidationError
from reference.claims import judged

from ockham.papers.claims.comparisons import MOST, Comparison

A = {"table": "ranks", "columns": ["a"]}
PAPER = {"table": "ranks", "columns": ["a (paper)"]}


def equal(ours=A, **more):
    return {"kind": "equal", "ours": ours, **more}


@pytest.mark.parametrize(
    ("comparison", "agreement"),
    [
        (equal(printed=[3, 2.5, 1]), "same"),
        (equal(printed=[3, 2.6, 1]), "differs"),
        (equal(printed=["3", "2", "1"]), "same"),  # to the printed digits: half to even
        (equal(printed=["3", "2.0", "1"]), "differs"),
        (equal({**A, "rows": {"n": [20, 40]}}, printed=["2", "1.2"]), "differs"),  # beside 1.2 it is 2.0
        (equal(printed=PAPER), "same"),
        (equal(printed={**PAPER, "rows": {"n": [10, 20]}}), "unknown"),  # another number of values
        (equal(printed=[3, 2, 9]), "differs"),
        (equal(printed=[3, 3.4, 1], error=0.5), "same within stated error"),
        (equal(printed=[3, 3.6, 1], error=0.5), "differs"),
        (equal(printed=[3, 3.4, 1], error={"table": "ranks", "columns": ["error"]}), "same within stated error"),
        (equal(printed=[3, 3.6, 1], error={"table": "ranks", "columns": ["error"]}), "differs"),
        (equal(printed=[3, 3.4, 1], error="stated"), "differs"),  # none is stated beside the values
        (equal({"table": "ranks", "columns": ["b"], "take": "sum"}, printed=8, significant=1), "differs"),
        (equal({"table": "ranks", "columns": ["b"], "take": "sum"}, printed=9, significant=1), "same"),
        (equal({**A, "rows": {"n": 20}}, printed=3, significant=1), "differs"),
        (equal({"table": "text", "columns": ["c"], "rows": {"name": "y"}}, printed="3"), "same"),
        (equal({"table": "text", "columns": ["c"], "rows": {"name": "y"}}, printed="?"), "unknown"),
        (equal({"table": "text", "columns": ["c"], "rows": {"name": "x"}}, printed=[0.4, 1]), "unknown"),
    ],
)
def test_equal(comparison, agreement, tmp_path):
    assert judged(tmp_path, comparison).agreement == agreement


def test_where_the_paper_has_no_value_ours_is_shown_and_not_judged(tmp_path):
    found = judged(tmp_path, equal({"table": "text", "columns": ["c"], "rows": {"name": "y"}}, printed="?"))
    assert (found.agreement, found.printed, found.ours) == ("unknown", "not known", "3?")


def test_the_error_that_is_stated_is_that_of_a_mean_of_draws(tmp_path):
    """0.4 (0.5) and 0.9 (0.5): two errors are 1.41 by the deviations, and 0.63 by those of means of five."""
    ours = {"table": "text", "columns": ["c"], "rows": {"name": "x", "n": 1}}
    for printed, n_draws, agreement in (
        ("0.9 (0.5)", 5, "same within stated error"), ("1.1 (0.5)", 5, "differs"),
        ("1.1 (0.5)", 1, "same within stated error"), ("1.9 (0.5)", 1, "differs"),
    ):  # fmt: skip
        comparison = equal(ours, printed=printed, error="stated", n_draws=n_draws)
        assert judged(tmp_path, comparison).agreement == agreement


def ranks(*values):
    return "n,a\n" + "".join(f"{10 * 2**i},{value}\n" for i, value in enumerate(values))


@pytest.mark.parametrize(
    ("values", "direction", "agreement"),
    [
        ((1, 2, 2, 5), "rising", "same"),
        ((1, 2, 2, 5), "falling", "differs"),
        ((5, 4, 4, 1, 2), "falling", "pattern only"),
        ((5, 6, 4, 1, 2), "falling", "differs"),
        ((1,), "rising", "unknown"),
        ((1, 2, "", 3, 4, 5), "rising", "pattern only"),  # four of five steps, whatever is not known
        ((1, "", 2, "unknown", 3), "rising", "unknown"),  # two of four
        ((1, "", 4, "unknown", 3), "rising", "unknown"),  # one, and at most three
        ((5, "", 4, "unknown", 3), "rising", "differs"),  # at most two
        (("", "unknown"), "rising", "unknown"),
    ],
)
def test_trend_over_rows(values, direction, agreement, tmp_path):
    comparison = {"kind": "trend", "ours": A, "direction": direction}
    assert judged(tmp_path, comparison, ranks=ranks(*values)).agreement == agreement


def test_a_claim_of_every_row_has_no_pattern(tmp_path):
    for values, every, agreement in (
        ((5, 4, 4, 1, 2), False, "pattern only"),
        ((5, 4, 4, 1, 2), True, "differs"),
        ((5, 4, 4, 1, ""), True, "unknown"),
        ((5, 4, 4, 5, ""), True, "differs"),
    ):
        comparison = {"kind": "trend", "ours": A, "direction": "falling", "every": every}
        assert judged(tmp_path, comparison, ranks=ranks(*values)).agreement == agreement
    assert MOST == 0.75  # three steps of four, above


@pytest.mark.parametrize(("columns", "agreement"), [(["a", "b"], "differs"), (["error", "a"], "same")])
def test_trend_over_columns(columns, agreement, tmp_path):
    ours = {"table": "ranks", "columns": columns}
    comparison = {"kind": "trend", "ours": ours, "direction": "rising", "along": "columns"}
    assert judged(tmp_path, comparison).agreement == agreement


@pytest.mark.parametrize(
    ("column", "side", "agreement"),
    [("error", "lowest", "differs"), ("a (paper)", "lowest", "differs"), ("b", "highest", "differs")],
)
def test_leads_counts_rows(column, side, agreement, tmp_path):
    """b is 0 in the last row, where error is .5."""
    ours = {"table": "ranks", "columns": ["a", "a (paper)", "b", "error"]}
    comparison = {"kind": "leads", "ours": ours, "column": column, "side": side}
    assert judged(tmp_path, comparison).agreement == agreement


def test_leads(tmp_path):
    ours = {"table": "ranks", "columns": ["a", "error"]}
    for side, agreement in (("lowest", "same"), ("highest", "differs")):
        found = judged(tmp_path, {"kind": "leads", "ours": ours, "column": "error", "side": side})
        assert found.agreement == agreement
    assert found.ours == "0 of 3 rows, not at n = 10; n = 20; n = 40"
    ties = {"table": "ranks", "columns": ["a", "a (paper)"], "rows": {"n": [10, 40]}}
    assert judged(tmp_path, {"kind": "leads", "ours": ties, "column": "a", "side": "lowest"}).agreement == "same"


@pytest.mark.parametrize(
    ("rows", "agreement", "ours"),
    [
        ("10,1,2\n20,1,2\n", "same", "2 of 2 rows"),
        ("10,1,2\n20,1,?\n", "unknown", "1 of 2 rows, 1 not known"),
        ("10,1,2\n20,?,2\n", "unknown", "1 of 2 rows, 1 not known"),
        ("10,3,2\n20,?,2\n", "differs", "0 of 2 rows, 1 not known, not at n = 10"),
        ("10,1,2\n20,1,2\n40,1,2\n80,1,?\n", "pattern only", "3 of 4 rows, 1 not known"),
        ("10,?,2\n20,?,2\n", "unknown", "not known"),
    ],
)
def test_what_is_not_known_may_decide_who_leads(rows, agreement, ours, tmp_path):
    comparison = {"kind": "leads", "ours": {**A, "columns": ["a", "b"]}, "column": "a", "side": "lowest"}
    found = judged(tmp_path, comparison, ranks="n,a,b\n" + rows)
    assert (found.agreement, found.ours) == (agreement, ours)


def test_one_who_is_beaten_does_not_lead_whatever_is_not_known(tmp_path):
    ours = {**A, "columns": ["a", "b", "c"]}
    found = judged(
        tmp_path, {"kind": "leads", "ours": ours, "column": "a", "side": "lowest"}, ranks="n,a,b,c\n1,3,?,2\n"
    )
    assert found.agreement == "differs"


def test_what_is_not_known_may_be_outside(tmp_path):
    for values, agreement in (((1, 2, ""), "unknown"), ((1, 2, 2, ""), "pattern only"), ((5, 6, ""), "differs")):
        found = judged(tmp_path, {"kind": "within", "ours": A, "most": 3}, ranks=ranks(*values))
        assert found.agreement == agreement


@pytest.mark.parametrize(
    ("least", "most", "agreement"),
    [(1, 3, "same"), (1.5, 3, "differs"), (1, 2.9, "differs"), (None, 3, "same"), (3.5, None, "differs")],
)
def test_within(least, most, agreement, tmp_path):
    comparison = {"kind": "within", "ours": A, "least": least, "most": most}
    assert judged(tmp_path, comparison).agreement == agreement


def count(printed, below, **more):
    cases = [{"of": A, "below": below}, {"of": {"table": "ranks", "columns": ["b"]}, "above": 3.5}]
    return {"kind": "count", "cases": cases, "printed": printed, **more}


@pytest.mark.parametrize(
    ("comparison", "agreement"),
    [
        (count(2, 3.5), "same"),
        (count(1, 3.5), "differs"),
        (count(1, 3), "same"),  # bounds are out
        (count(1, 3.5, error=0.6), "same within stated error"),
        (count(1, 3.5, error=0.4), "differs"),
    ],
)
def test_count(comparison, agreement, tmp_path):
    assert judged(tmp_path, comparison).agreement == agreement


def test_what_is_not_known_may_decide_a_count(tmp_path):
    text = "name,n,c\nx,1,5\nx,2,\ny,1,6\n"
    for printed, agreement in ((2, "unknown"), (3, "unknown"), (1, "differs"), (4, "differs")):
        cases = [{"of": {"table": "text", "columns": ["c"]}, "above": 4}]
        found = judged(tmp_path, {"kind": "count", "cases": cases, "printed": printed}, text=text)
        assert (found.agreement, found.ours) == (agreement, "2 of 3, 1 not known")


@pytest.mark.parametrize(
    ("values", "printed", "agreement", "ours"),
    [
        ((1, 5, 6, 7), 14.2, "same", "at 14, between 10 and 20"),  # half of a step, in the logarithm
        ((1, 5, 6, 7), 19.9, "same", "at 14, between 10 and 20"),
        ((1, 5, 6, 7), 10.1, "same", "at 14, between 10 and 20"),
        ((1, 5, 6, 7), 20.1, "differs", "at 14, between 10 and 20"),
        ((1, 5, 6, 7), 9.9, "differs", "at 14, between 10 and 20"),
        ((2, 84, 6, 7), 14.5, "differs", "at 10, between 10 and 20"),  # in the step, at its other end
        ((1, 3, 6, 7), 20, "same", "at 20, between 10 and 20"),
        ((1, 4, 2, 7), 46, "same", "at 46, between 40 and 80"),  # from there on for good
        ((5, 4, 6, 7), 5, "same", "at 10 or before"),
        ((5, 4, 6, 7), 11, "differs", "at 10 or before"),
        ((1, 4, 6, 2), 15, "differs", "nowhere"),
        ((1, "", 6, 7), 20, "unknown", "not known"),
    ],
)
def test_crossing(values, printed, agreement, ours, tmp_path):
    table = "n,a,b\n" + "".join(f"{10 * 2**i},{value},3\n" for i, value in enumerate(values))
    comparison = {"kind": "crossing", "ours": {**A, "minus": "b"}, "at": "n", "printed": printed}
    found = judged(tmp_path, comparison, ranks=table)
    assert (found.agreement, found.ours) == (agreement, ours)


@pytest.mark.parametrize(
    "comparison",
    [
        equal(printed=1),
        {"kind": "trend", "ours": A, "direction": "rising"},
        {"kind": "leads", "ours": {**A, "columns": ["a", "b"]}, "column": "a", "side": "lowest"},
        {"kind": "within", "ours": A, "least": 0},
        {"kind": "count", "cases": [{"of": A}], "printed": 0},
        {"kind": "crossing", "ours": A, "at": "n", "printed": 10},
    ],
    ids=lambda comparison: comparison["kind"],
)
def test_what_is_not_stored_is_unknown(comparison, tmp_path):
    assert judged(tmp_path, comparison, ranks=None).agreement == "unknown"


@pytest.mark.parametrize(
    ("comparison", "words"),
    [
        ({"kind": "near", "ours": A}, "does not match any of the expected tags"),
        ({"kind": "within", "ours": A}, "least: give it, or most, or both"),
        ({"kind": "leads", "ours": A, "column": "a", "side": "lowest"}, "must be one of several of ours.columns"),
        (
            {"kind": "leads", "ours": {**A, "columns": ["a", "b"], "take": "sum"}, "column": "a", "side": "lowest"},
            "ours.take: makes one number of all columns; add by_column: true",
        ),
        ({"kind": "within", "ours": {**A, "by_column": True}, "most": 1}, "by_column: there is nothing to take"),
        ({"kind": "leads", "ours": {**A, "columns": ["a", "b"]}, "column": "c", "side": "lowest"}, "'c' must be one"),
        ({"kind": "crossing", "ours": {**A, "columns": ["a", "b"]}, "at": "n", "printed": 1}, "give one column"),
        (equal(printed=1, errors="stated"), "Extra inputs are not permitted"),
    ],
)
def test_what_is_no_comparison_is_refused(comparison, words):
    with pytest.raises(ValidationError, match=words):
        TypeAdapter(Comparison).validate_python(comparison)
