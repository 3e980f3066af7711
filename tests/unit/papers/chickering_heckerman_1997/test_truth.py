"""Scores beside the truth: minus exact values or the first sampler to be trusted, and nothing where there is none.

Source of truth: values by hand.
"""

import numpy as np
import pytest
import xarray as xr

from ockham.papers.chickering_heckerman_1997 import PAPER
from ockham.papers.chickering_heckerman_1997.differences_from_truth import differences_from_truth, selected_by_truth
from ockham.papers.chickering_heckerman_1997.panels import Panel, draw
from ockham.papers.claims.stored import read_stored

VALUES = {
    "candidate": [-30.0, -20.0, -22.0, -25.0],
    "bridge_sampling": [-30.0, -20.3, -21.0, -24.0],
    "ais_completions": [-30.0, -20.2, -21.1, -24.3],
    "sequential_monte_carlo": [-30.0, -23.0, -26.0, -29.0],
    "laplace": [-30.0, -21.5, np.nan, -29.0],
    "exact": [-30.0, -20.25, -21.0, -24.0],
}


def condition(*scores):
    """Bridge sampling is doubted with three classes, the Candidate method and annealing with four, and SMC always."""
    values = np.array([VALUES[score] for score in scores])
    data = xr.Dataset(
        {
            "log_evidence": (("score", "structure"), values),
            "doubt": (("score", "structure"), np.zeros(values.shape, np.uint8)),
            "standard_error": (("score", "structure"), np.full(values.shape, np.nan)),
            "lowest_run": ("structure", values[0] - 0.1),
            "highest_run": ("structure", values[0] + 0.1),
            "selected": ("score", np.full(len(scores), 1.0)),
            "n_hidden_configurations": ("structure", [1, 2, 3, 4]),
        },
        {"score": [*scores], "structure": [f"classes-{k}" for k in range(1, 5)]},
    )
    data.doubt.loc[{"score": "candidate", "structure": "classes-4"}] = 1
    data.standard_error.loc[{"score": "candidate"}] = 0.002
    if "bridge_sampling" in scores:
        data.standard_error.loc[{"score": "bridge_sampling"}] = 0.04
        data.doubt.loc[{"score": "bridge_sampling", "structure": "classes-3"}] = 1
    if "ais_completions" in scores:
        data.standard_error.loc[{"score": "ais_completions"}] = 0.06
        data.doubt.loc[{"score": "ais_completions", "structure": "classes-4"}] = 1
        data.doubt.loc[{"score": "sequential_monte_carlo"}] = 1
    corrected = data[["log_evidence", "selected"]].expand_dims(alias_correction=["log_aliases", "none"])
    several = data.assign(corrected.data_vars).expand_dims(replicate=[1], n=[400])
    return several.assign(n_hidden_configurations=data.n_hidden_configurations)


@pytest.fixture
def summaries():
    groups = {
        "inside": condition("candidate", "bridge_sampling", "laplace"),
        "small_125": condition("candidate", "bridge_sampling", "laplace", "exact"),
        "noise_8": condition("candidate", "laplace"),
        "audiology": condition("candidate", "bridge_sampling", "ais_completions", "sequential_monte_carlo", "laplace"),
    }
    return xr.DataTree.from_dict({"/": xr.Dataset(attrs={"conditions": " ".join(groups)}), **groups})


def declared(name):
    about = read_stored(PAPER).tables[name]
    return {*about.rows, *about.columns}


def test_differences_are_from_a_truth_that_is_known(summaries):
    """Draws that are all alike, here of two classes and ten cases, tell no error."""
    summaries["small_125"].standard_error.loc[{"score": "candidate", "structure": "classes-2"}] = 0.0
    table = differences_from_truth(summaries, PAPER)
    assert set(table.columns) <= declared("differences_from_truth")
    assert table[["condition", "classes"]].values.tolist() == [
        [name, k] for name in ("inside", "small_125", "audiology") for k in (2, 3, 4)
    ]  # fmt: skip
    assert table["truth"].tolist() == [
        "-20.30 ± 0.04", "?", "-24.00 ± 0.04", "-20.25 exact", "-21.00 exact", "-24.00 exact",
        "-20.30 ± 0.04", "-21.10 ± 0.06", "-24.00 ± 0.04",
    ]  # fmt: skip
    names = ("by", "Candidate", "Laplace", "Bridge", "Annealing", "SMC")
    of = {name: table[name].fillna("").tolist() for name in names}
    assert of["by"] == ["Bridge", "", "Bridge", *["exact"] * 3, "Bridge", "Annealing", "Bridge"]
    assert of["Candidate"] == [
        "0.30 ± 0.002", "", "-1.00 ?", "0.25", "-1.00 ± 0.002", "-1.00 ?",
        "0.30 ± 0.002", "-0.90 ± 0.002", "-1.00 ?",
    ]  # fmt: skip
    assert of["Laplace"] == ["-1.20", "", "-5.00", "-1.25", "", "-5.00", "-1.20", "", "-5.00"]
    assert of["Bridge"] == ["", "", "", "-0.05 ± 0.04", "0.00 ?", "0.00 ± 0.04", "", "0.10 ?", ""]
    assert of["Annealing"] == [*[""] * 6, "0.10 ± 0.06", "", "-0.30 ?"]
    assert of["SMC"] == [*[""] * 6, "-2.70 ?", "-4.90 ?", "-5.00 ?"]


def test_what_the_truth_selects_and_how_far_candidate_is_from_it(summaries):
    table = selected_by_truth(summaries, PAPER)
    assert set(table.columns) - {"by"} <= declared("selected_by_truth")
    assert table["condition"].tolist() == ["inside", "small_125", "audiology"]
    assert table["by"].tolist() == ["Bridge", "exact", "Annealing or Bridge"]
    assert table["truth known"].tolist() == [2, 3, 3]
    assert table["truth"].tolist() == ["2 ?", "2", "2"]
    assert table["median distance"].tolist() == [0.65, 1.0, 0.9]
    assert table["largest distance"].tolist() == [1.0, 1.0, 1.0]
    assert table["trusted and beyond"].tolist() == [1, 2, 2]  # .3 > .2 + .08; .25 and 1 > .2; .9 > .2 + .12


def test_panels_are_minus_the_truth_with_its_errors(summaries):
    figure = draw([Panel("inside", 400, "a"), Panel("small_125", 400, "b"), Panel("noise_8", 400, "c")], summaries)
    below = figure.axes[3:]
    lines = [{line.get_label(): line.get_ydata() for line in axes.lines} for axes in below]
    assert lines[0]["Candidate"] == pytest.approx([0.0, 0.3, -1.0, -1.0])
    assert lines[1]["Bridge"] == pytest.approx([0.0, -0.05, 0.0, 0.0])
    assert lines[2]["Laplace"][1] == pytest.approx(-1.5)
    bars = [collection.get_segments() for collection in below[0].collections]
    assert any(np.allclose(segments[1][:, 1], [-0.08, 0.08]) for segments in bars if len(segments) > 1)
    by_annealing = draw([Panel("audiology", 400, "a")], summaries).axes[1]
    lines = {line.get_label(): line.get_ydata() for line in by_annealing.lines}
    assert lines["Candidate"] == pytest.approx([0.0, 0.3, -0.9, -1.0])
    assert lines["Annealing"] == pytest.approx([0.0, 0.1, np.nan, -0.3], nan_ok=True)
    assert by_annealing.get_ylabel() == "score minus annealing or bridge sampling (nats)"
    assert below[0].get_ylabel() == "score minus Candidate or bridge sampling or exact value (nats)"
