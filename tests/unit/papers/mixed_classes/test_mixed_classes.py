"""The study of latent classes shows what its summaries say, and the calibration what errors are worth.

Source of truth: stores set by hand, one a condition; intervals of estimates drawn with the error that they state.
"""

import numpy as np
import pytest
import xarray as xr
from scipy.stats import norm

from ockham.contracts import Doubt
from ockham.mixtures.summaries import summarise
from ockham.papers.mixed_classes import PAPER
from ockham.papers.mixed_classes.calibration import agreement, calibration
from ockham.papers.mixed_classes.distances import LEAST, distances, league_table
from ockham.papers.mixed_classes.recovery import recovery, recovery_by_size

DIMENSIONS = ("replicate", "n", "structure", "run")
N_DRAWS, SIZES, LABELS = 200, [10, 50], ["classes-1", "classes-2", "classes-3"]
ERROR = 0.5


def group(name, values, scorer, *, error=None, doubt=0, **about):
    """The store of one entry, values of shape (replicate, n, structure)."""
    about = {"units": "nats", "long_name": name, "bound": "none", "local": 0, "over_runs": "median"} | about
    variables = {name: (DIMENSIONS, values[..., None], about), "n_evaluations": (DIMENSIONS, 7 + 0 * values[..., None])}
    variables["key"] = (DIMENSIONS, np.isfinite(values)[..., None].astype(np.int64))
    if error is not None:
        variables[f"{name}_standard_error"] = (DIMENSIONS, np.full((*values.shape, 1), error))
        variables[f"{name}_doubt"] = (DIMENSIONS, np.broadcast_to(np.uint8(doubt), (*values.shape, 1)).copy())
    coordinates = {"replicate": np.arange(1, N_DRAWS + 1), "n": SIZES, "structure": LABELS, "run": [0]}
    about = {"scorer": scorer, "scorer_settings": "", "role": "", "from_truth": 0}
    return xr.Dataset(variables, coordinates, about)


def stores(stated=ERROR):
    """The second structure has the highest evidence, and the bound is below by a nat, by two more of the second.

    Bridge sampling errs by ``ERROR``, and states ``stated``.
    """
    rng = np.random.default_rng(8)
    evidence = np.broadcast_to([-12.0, -10.0, -11.5], (N_DRAWS, 2, 3))
    known = np.where([[[True]], [[False]]], evidence.swapaxes(0, 1), np.nan).swapaxes(0, 1)
    bound = evidence - np.array([1.0, 3.0, 1.0])
    estimated = evidence + ERROR * rng.standard_normal(evidence.shape)
    doubt = np.zeros((*evidence.shape, 1), np.uint8)
    doubt[:50, 0] = Doubt.NOT_MIXED
    groups = {
        "exact": group("exact", known, "exact", reference="known"),
        "vb": group("variational_bayes", bound, "vb", bound="lower", over_runs="max"),
        "bridge": group(
            "bridge_sampling", estimated, "bridge", error=stated, doubt=doubt, reference="estimated"
        ),
    }  # fmt: skip
    found = {}
    for condition in ("mixed_near", "mixed_far"):
        root = xr.Dataset(
            {"n_parameters": ("structure", [2, 5, 8]), "log_aliases": ("structure", [0.0, 0.0, 0.0])},
            {"structure": LABELS},
            {"study": "by_hand", "condition": condition, "true_structure": "classes-2"},
        )
        found[condition] = xr.DataTree.from_dict({"/": root, **groups})
    return found


@pytest.fixture(scope="module")
def summaries():
    return summarise(stores(), {})


def test_choices_are_those_of_the_scores(summaries):
    table = recovery_by_size(summaries, PAPER).set_index(["condition", "n", "score"])
    vb = table.loc[("mixed_near", 10, "VB")]
    assert vb[["data sets", "too few (%)", "true (%)", "too many (%)", "doubted (%)"]].tolist() == [200, 0, 0, 100, 0]
    bridge = table.loc[("mixed_far", 50, "bridge")]
    chosen = summaries["mixed_far/best"].to_dataset().log_evidence
    chosen = chosen.sel(score="bridge_sampling", n=50, alias_correction="none").argmax("structure").values
    counts = np.bincount(chosen, minlength=3) / 2
    assert bridge[["too few (%)", "true (%)", "too many (%)"]].tolist() == counts.tolist()
    assert bridge["from (%)"] < bridge["true (%)"] < bridge["to (%)"]
    assert table.loc[("mixed_far", 10, "bridge"), "doubted (%)"] == 25.0
    assert table.loc[("mixed_far", 10, "exact"), "true (%)"] == 100.0
    assert ("mixed_far", 50, "exact") not in table.index


def test_distances_are_from_the_truth(summaries):
    table = league_table(summaries, PAPER).set_index(["condition", "n", "score"])
    assert table.index.get_level_values("score").unique().tolist() == ["VB"]
    assert table.loc[("mixed_near", 10, "VB"), "median error (nats)"] == 1.0
    assert table.loc[("mixed_near", 10, "VB"), "same number on top (%)"] == 0.0
    assert table.loc[("mixed_near", 10, "VB"), "passes over the data"] == 7


def test_a_stated_error_that_is_right_makes_intervals_that_hold(summaries):
    table = calibration(summaries, PAPER).set_index("score")
    bridge = table.loc["bridge"]
    assert list(table.index) == ["bridge"]
    assert (bridge.cells, bridge["without one (%)"]) == (800, 25.0)  # one class is left out
    assert bridge["stated (nats)"] == ERROR
    assert bridge["root mean square (nats)"] == pytest.approx(ERROR, rel=0.1)
    for level in (0.5, 0.8, 0.95):
        spread = 4 * np.sqrt(level * (1 - level) / 300)  # both conditions have the same 300 estimates
        assert bridge[f"within {level:.0%} (%)"] / 100 == pytest.approx(level, abs=spread)


def test_a_stated_error_of_half_the_size_does_not(summaries):
    table = calibration(summarise(stores(ERROR / 2), {}), PAPER).set_index("score")
    held = table.loc["bridge", "within 95% (%)"] / 100
    assert held == pytest.approx(1 - 2 * norm.sf(norm.isf(0.025) / 2), abs=0.1)
    assert held < 0.8


def test_estimates_that_failed_are_counted_and_one_class_is_not():
    """Of one class the estimate is the evidence, with no error."""
    found = stores()
    for store in found.values():
        bridge = store["bridge"]
        bridge["bridge_sampling"][:, 0, 0] = -12.0
        bridge["bridge_sampling_standard_error"][:, 0, 0] = 0.0
        bridge["bridge_sampling"][50:100, 0] = np.nan
        bridge["bridge_sampling_doubt"][50:100, 0] = np.uint8(Doubt.RUN_FAILED)
    bridge = calibration(summarise(found, {}), PAPER).set_index("score").loc["bridge"]
    assert (bridge.cells, bridge["without one (%)"]) == (800, 50.0)
    assert bridge["within 50% (%)"] == pytest.approx(50, abs=15)


def test_a_score_that_is_doubted_everywhere_has_a_row_without_shares():
    found = stores()
    for store in found.values():
        store["bridge/bridge_sampling_doubt"][:] = np.uint8(Doubt.NOT_MIXED)
    bridge = calibration(summarise(found, {}), PAPER).set_index("score").loc["bridge"]
    assert bridge.to_dict() == {"cells": 800, "without one (%)": 100.0}


def with_a_second_estimate(stated):
    """Sequential Monte Carlo errs as bridge sampling does, and is doubted of ten data sets of 50 rows."""
    found, rng = stores(stated), np.random.default_rng(9)
    for store in found.values():
        values = np.array([-12.0, -10.0, -11.5]) + ERROR * rng.standard_normal((N_DRAWS, 2, 3))
        doubt = np.zeros((N_DRAWS, 2, 3, 1), np.uint8)
        doubt[:10, 1] = Doubt.FEW_EFFECTIVE_SAMPLES
        store["smc"] = xr.DataTree(group("sequential_monte_carlo", values, "smc", error=stated, doubt=doubt))
    return summarise(found, {})


def test_estimates_agree_as_often_as_both_errors_say():
    table = agreement(with_a_second_estimate(ERROR), PAPER)
    assert table[["n", "score"]].values.tolist() == [[50, "SMC"]]  # of ten rows the evidence is known
    (smc,) = table.to_dict("records")
    assert (smc["cells"], smc["either without (%)"]) == (800, 5.0)
    assert smc["stated (nats)"] == pytest.approx(ERROR * np.sqrt(2), abs=1e-3)
    assert smc["root mean square (nats)"] == pytest.approx(ERROR * np.sqrt(2), rel=0.1)
    for level in (0.5, 0.8, 0.95):
        spread = 4 * np.sqrt(level * (1 - level) / 380)  # both conditions have the same bridges
        assert smc[f"within {level:.0%} (%)"] / 100 == pytest.approx(level, abs=spread)


def test_estimates_that_state_half_their_errors_do_not():
    held = agreement(with_a_second_estimate(ERROR / 2), PAPER)["within 95% (%)"].item() / 100
    assert held == pytest.approx(1 - 2 * norm.sf(norm.isf(0.025) / 2), abs=0.1)
    assert held < 0.8


@pytest.mark.parametrize("figure", [recovery, distances])
def test_there_is_a_panel_for_each_condition(figure, summaries):
    drawn = figure(summaries)
    assert [axes.get_title() for axes in drawn.axes] == ["mixed, near", "mixed, far"]
    labels = [line.get_label() for line in drawn.axes[0].lines]
    assert labels == (["exact", "VB", "bridge"] if figure is recovery else ["VB"])
    line = drawn.axes[0].lines[labels.index("VB")]
    upper = 1 + ERROR * norm.ppf(0.75)  # two of three distances are spread about 1, the other is above
    assert line.get_ydata().tolist() == ([0.0, 0.0] if figure is recovery else [1.0, pytest.approx(upper, abs=0.1)])


def test_points_below_the_axis_are_cut(summaries):
    for axes in distances(summaries).axes:
        assert axes.get_ylim()[0] == LEAST
        assert axes.get_ylim()[1] > max(max(line.get_ydata()) for line in axes.lines)
        assert all(line.get_clip_on() for line in axes.lines)


def test_a_study_without_conditions_has_one_panel():
    store = stores()["mixed_far"]
    store.attrs["condition"] = ""
    alone = summarise({"by_hand": store}, {})
    assert len(recovery(alone).axes) == 1
    assert set(league_table(alone, PAPER).condition) == {""}
