"""Tables and curves of coverage: right errors pass, errors that are too small do not, and unknown is not wrong.

Source of truth: estimates drawn with the error that they state, or with another.
"""

import numpy as np
import pytest
import xarray as xr

from ockham.contracts import Doubt
from ockham.papers.calibration import PAPER
from ockham.papers.calibration import intervals as drawing
from ockham.papers.calibration.coverage import coverage, coverage_by_kind, evidence_cost
from ockham.papers.calibration.intervals import intervals

N = 2000
ERROR = 0.3


def summaries(stated):
    """Three estimates that err by ``ERROR``: the last is doubted in a fifth, where it is far off."""
    rng = np.random.default_rng(11)
    truth = np.broadcast_to(rng.normal(-20, 3, N), (3, N))
    error = np.full((3, N), stated)
    value = truth + ERROR * rng.standard_normal((3, N))
    doubt = np.zeros((3, N), np.uint8)
    doubt[2, : N // 5] = Doubt.NOT_MIXED
    value[2, : N // 5] += 50
    computed = np.ones((3, N), np.int8)
    computed[1, N // 2 :] = 0

    def group(truth, truth_error):
        over = ("estimate", "replicate")
        return xr.Dataset(
            {
                "log_evidence": (over, value), "standard_error": (over, error), "truth": (over, truth),
                "degrees_of_freedom": (over, np.full((3, N), np.nan)), "doubt": (over, doubt),
                "computed": (over, computed), "truth_error": (over, truth_error),
                "n_rows": ("replicate", np.full(N, 4)), "hyperparameter": ("replicate", np.ones(N)),
            },
            {"estimate": ["bridge", "smc", "evidence"], "replicate": np.arange(N)},
        )  # fmt: skip

    known = np.where(np.arange(N) % 4 > 0, truth, np.nan)
    return xr.DataTree.from_dict({
        "/": xr.Dataset(attrs={"conditions": "rows_alike surveys"}),
        "rows_alike/calibration": group(truth, np.zeros((3, N))),
        "surveys/calibration": group(known, np.where(np.isnan(known), np.nan, 1e-3)),
    })  # fmt: skip


def test_right_errors_cover_as_they_say():
    table = coverage(summaries(ERROR), PAPER).set_index(["evidence by", "estimate"])
    assert table.index.tolist() == [
        (by, name) for by in ("exact", "long runs") for name in ("bridge", "SMC", "evidence")
    ]
    for (by, name), row in table.iterrows():
        assert row["networks"] == (N // 2 if name == "SMC" else N)
        assert row["without evidence"] == (0 if by == "exact" else row["networks"] // 4)
        assert row["says unknown (%)"] == pytest.approx(20 if name == "evidence" else 0, abs=0.5)
        for level in (50, 80, 95):
            slack = 4 * np.sqrt(level * (100 - level) / row["intervals"])
            assert row[f"within {level}% (%)"] == pytest.approx(level, abs=slack)
        assert row["from (%)"] < row["within 95% (%)"] < row["to (%)"]
        assert row["root mean square (nats)"] == pytest.approx(ERROR, rel=0.1)
        assert abs(row["mean error (nats)"]) < 4 * ERROR / np.sqrt(row["intervals"])
        assert row["wrong beyond 99.9 %"] <= 8


def test_errors_that_are_too_small_are_seen():
    """The negative control."""
    table = coverage(summaries(ERROR / 2), PAPER)
    assert (table["within 95% (%)"] < 75).all()
    assert (table["wrong beyond 99.9 %"] > 20).all()


def test_kinds_have_rows_of_their_own():
    table = coverage_by_kind(summaries(ERROR), PAPER)
    assert table["networks of"].tolist() == ["rows alike"] * 3 + ["surveys"] * 3
    whole = coverage(summaries(ERROR), PAPER)
    assert table.drop(columns="networks of").equals(whole.drop(columns="evidence by"))


def test_seconds_of_evidence_are_those_of_the_networks_that_it_was_asked_about():
    """Of the surveys it was asked about 21, which took 0 to 20 seconds; it was not of the others."""
    tree = summaries(ERROR)
    assert evidence_cost(tree, PAPER).empty
    surveys = tree["surveys/calibration"].to_dataset()
    surveys["seconds"] = "replicate", np.where(np.arange(N) < 21, np.arange(N, dtype=float), np.nan)
    tree["surveys/calibration"] = surveys
    assert evidence_cost(tree, PAPER).values.tolist() == [["surveys", 21, 10.0, 19.0, 20.0]]
    assert coverage(tree, PAPER).equals(coverage(summaries(ERROR), PAPER))


def test_estimates_of_plug_ins_have_rows_and_panels_after_the_others():
    tree = summaries(ERROR)
    for kind in ("rows_alike", "surveys"):
        renamed = tree[kind]["calibration"].to_dataset().assign_coords(estimate=["my_estimate", "smc", "evidence"])
        tree[f"{kind}/calibration"] = renamed
    assert coverage(tree, PAPER).estimate.tolist() == ["SMC", "evidence", "my estimate"] * 2
    assert coverage_by_kind(tree, PAPER).estimate.tolist() == ["SMC", "evidence", "my estimate"] * 2
    assert {axes.get_title() for axes in intervals(tree).axes} == {"SMC", "evidence", "my estimate"}


def test_a_study_without_conditions_is_of_one_kind():
    of_one = summaries(ERROR)["rows_alike/calibration"].to_dataset()
    alone = xr.DataTree.from_dict({"/": xr.Dataset(attrs={"conditions": ""}), "calibration": of_one})
    assert coverage_by_kind(alone, PAPER)["networks of"].tolist() == ["one kind"] * 3


def test_without_any_error_there_is_no_panel():
    tree = summaries(np.nan)
    assert not intervals(tree).axes
    assert coverage(tree, PAPER).intervals.tolist() == [0] * 6


def test_an_estimate_that_is_always_unknown_has_no_intervals():
    tree = summaries(ERROR)
    tree["rows_alike/calibration"] = (
        tree["rows_alike/calibration"].to_dataset().assign(doubt=lambda of: of.doubt * 0 + 8)
    )
    table = coverage(tree, PAPER)
    assert (table[table["evidence by"] == "exact"]["says unknown (%)"] == 100).all()
    assert table[table["evidence by"] == "exact"]["within 95% (%)"].isna().all()


def test_an_approximation_has_errors_but_no_intervals():
    tree = summaries(ERROR)
    for kind in ("rows_alike", "surveys"):
        group = tree[f"{kind}/calibration"].to_dataset()
        tree[f"{kind}/calibration"] = group.assign(standard_error=group.standard_error.where(group.estimate != "smc"))
    table, usual = (coverage(each, PAPER).set_index(["evidence by", "estimate"]) for each in (tree, summaries(ERROR)))
    of_all = ["networks", "without evidence", "says unknown (%)", "mean error (nats)", "root mean square (nats)"]
    assert table[of_all].equals(usual[of_all])
    others = [label for label in table.index if label[1] != "SMC"]
    assert table.loc[others].equals(usual.loc[others].astype(table.dtypes))
    for by in ("exact", "long runs"):
        row = table.loc[(by, "SMC")]
        assert row["intervals"] == 0
        assert row.drop([*of_all, "intervals"]).isna().all()
    assert [axes.get_title() for axes in intervals(tree).axes] == ["bridge", "evidence"]


def test_the_lowest_panel_of_each_column_has_numbers(monkeypatch):
    """Also above a place that no estimator takes."""
    monkeypatch.setattr(drawing, "COLUMNS", 2)
    figure = intervals(summaries(ERROR))
    shown = [axes.xaxis.get_tick_params().get("labelbottom", True) for axes in figure.axes]
    assert shown == [False, True, True]


def test_curves_are_of_the_same_shares():
    figure = intervals(summaries(ERROR))
    titles = [axes.get_title() for axes in figure.axes]
    assert titles == ["bridge", "SMC", "evidence"]
    table = coverage(summaries(ERROR), PAPER)
    for axes, title in zip(figure.axes, titles, strict=True):
        curves = {line.get_label(): line for line in axes.lines}
        assert set(curves) == {"right errors", "evidence by exact sums", "evidence by long runs"}
        at = curves["evidence by exact sums"].get_xdata().tolist().index(0.95)
        (share,) = table[(table["evidence by"] == "exact") & (table.estimate == title)]["within 95% (%)"]
        assert 100 * curves["evidence by exact sums"].get_ydata()[at] == pytest.approx(share, abs=1e-3)
