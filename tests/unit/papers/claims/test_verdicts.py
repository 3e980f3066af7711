"""A verdict follows from comparisons alone, in a fixed order; a cause counts only where its own test agrees.

Source of truth: the rule, spelled out case by case on tables by hand.
"""

import pytest
from reference.claims import PAPER, RANKS, tables

from ockham.papers.claims import verdicts
from ockham.papers.claims.files import Claim
from ockham.papers.claims.verdicts import VERDICTS, claims_table, counts_table, judge

A = {"table": "ranks", "columns": ["a"]}
SAME = {"kind": "equal", "ours": A, "printed": [3, 2.5, 1]}
NEAR = {"kind": "equal", "ours": A, "printed": [3, 3, 1.5], "error": 0.5}
MOST = {"kind": "within", "ours": A, "least": 1, "most": 2.5}
FALLS = {"kind": "trend", "ours": A, "direction": "falling"}
RISES = {"kind": "trend", "ours": A, "direction": "rising"}
DIFFERS = {"kind": "equal", "ours": A, "printed": [3, 3, 1]}
ELSEWHERE = {"kind": "equal", "ours": {**A, "study": "longer"}, "printed": [3, 3, 1]}
NOT_STORED = {"kind": "not_stored", "missing": "seconds of the decomposition"}
LONGER = RANKS.replace("20,2.5", "20,3")


def claim(judged_by, **more):
    return Claim.model_validate({"where": "Table 1", "quote": "3, 3, 1", "judged_by": judged_by, **more})


def cause(comparison):
    return {"says": "longer runs find it", "tested_by": comparison}


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        (claim(SAME), "same"),
        (claim(NEAR), "same within stated error"),
        (claim(DIFFERS), "differs, open"),
        (claim(DIFFERS, pattern=FALLS), "pattern only"),
        (claim(DIFFERS, pattern=RISES), "differs, open"),
        (claim(DIFFERS, cause=cause(ELSEWHERE)), "differs, known cause"),
        (claim(DIFFERS, cause=cause(DIFFERS)), "differs, open"),  # the cause does not hold
        (claim(DIFFERS, cause=cause(RISES)), "differs, open"),
        (claim(DIFFERS, pattern=FALLS, cause=cause(ELSEWHERE)), "pattern only"),
        (claim(SAME, pattern=RISES, cause=cause(DIFFERS)), "same"),
        (claim(SAME, trusted_if=FALLS), "same"),
        (claim(SAME, trusted_if=RISES), "unknown"),
        (claim(DIFFERS, trusted_if=RISES, cause=cause(ELSEWHERE)), "unknown"),
    ],
)
def test_the_rule(given, verdict, tmp_path):
    assert judge(given, tables(tmp_path, longer=LONGER)).verdict == verdict


def test_a_cause_in_a_study_that_was_not_run_is_none(tmp_path):
    found = judge(claim(DIFFERS, cause=cause(ELSEWHERE)), tables(tmp_path))
    assert (found.verdict, found.because) == ("differs, open", "")


def test_a_cause_that_was_tested_and_is_none_is_said(tmp_path):
    found = judge(claim(DIFFERS, cause=cause(DIFFERS)), tables(tmp_path))
    assert found.because.startswith("not so: longer runs find it (")


def test_a_cause_that_holds_only_mostly_is_none(tmp_path):
    mostly = {"kind": "within", "ours": {"table": "ranks", "columns": ["a", "error"]}, "most": 2.9}
    assert judge(claim(mostly), tables(tmp_path)).verdict == "pattern only"
    assert judge(claim(DIFFERS, cause=cause(mostly)), tables(tmp_path)).verdict == "differs, open"


def test_what_is_not_stored_is_unknown(tmp_path):
    assert judge(claim(ELSEWHERE), tables(tmp_path)).verdict == "unknown"
    assert judge(claim(SAME, trusted_if=ELSEWHERE), tables(tmp_path)).verdict == "unknown"


def test_what_no_study_stores_is_unknown_and_says_what_is_missing(tmp_path):
    found = judge(claim(NOT_STORED), tables(tmp_path))
    assert found == ("unknown", "", "not stored: seconds of the decomposition", "")


def test_the_tables(tmp_path, monkeypatch):
    given = {"first": claim(SAME), "second": claim(DIFFERS, cause=cause(ELSEWHERE)), "third": claim(ELSEWHERE)}
    given["fourth"] = claim(NOT_STORED)
    monkeypatch.setattr(verdicts, "read_claims", lambda paper: given)
    monkeypatch.setattr(verdicts, "read_stored", lambda paper: tables(tmp_path).stored)
    table = claims_table(PAPER, tables(tmp_path, longer=LONGER).find)
    assert table["claim"].tolist() == [*given]
    assert table["verdict"].tolist() == ["same", "differs, known cause", "same", "unknown"]
    assert table["judged by"].tolist() == [f"{PAPER.name}/ranks", f"{PAPER.name}/ranks", "longer/ranks", ""]
    assert table.loc[1, ["kind", "printed", "ours"]].tolist() == ["equal", "3, 3, 1", "3.0, 2.5, 1.0"]
    assert table.loc[1, "because"] == "longer runs find it (3.0, 3, 1.0)"
    path = tmp_path / "claims.csv"
    table.to_csv(path, index=False)
    counts = counts_table({"b": path, "a": path})
    assert counts["paper"].tolist() == ["a", "b"]
    assert counts.loc[0, ["claims", *VERDICTS]].tolist() == [4, 2, 0, 0, 1, 0, 1]
