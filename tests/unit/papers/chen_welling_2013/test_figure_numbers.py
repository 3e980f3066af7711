"""What figures draw is in tables too: units selected, runs, held-out rows, distances of densities, and doubts.

Source of truth: values by hand.
"""

import numpy as np
import pytest
import xarray as xr

from ockham.papers.chen_welling_2013 import PAPER
from ockham.papers.chen_welling_2013.figure_numbers import (
    doubted_scores,
    held_out,
    langevin_chains,
    laplace_runs,
    posterior_distances,
    run_deviations,
    units_selected,
)
from ockham.papers.claims.stored import read_stored


def declared(name):
    about = read_stored(PAPER).tables[name]
    return {*about.rows, *about.columns}


@pytest.fixture
def summaries():
    """Laplace selects 4 and 6 units, cross validation 5 of the one instance that it has."""
    over = ("score", "replicate", "n", "structure")
    doubt = np.zeros((2, 2, 1, 2), np.uint8)
    doubt[1, 0, 0, 1] = 1
    evidence = np.full((2, 2, 1, 2), -3.0)
    evidence[1, 1] = np.nan
    data = xr.Dataset(
        {
            "selected": (over[:3], np.array([[[4.0], [6.0]], [[5.0], [np.nan]]])),
            "log_evidence": (over, evidence),
            "doubt": (over, doubt),
            "n_runs": (over, np.array([[[[3.0, 1.0]]] * 2, [[[1.0, 1.0]]] * 2])),
            "run_mean": (over, np.array([[[[-2.5, -2.0]]] * 2, [[[-3.0, -3.0]]] * 2])),
            "run_deviation": (over, np.array([[[[0.25, np.nan]]] * 2, [[[np.nan, np.nan]]] * 2])),
            "run_lowest": (over, evidence - 1.0),
            "run_highest": (over, evidence + 0.5),
            "held_out_mean": (over[1:], np.array([[[-3.5, -3.25]], [[0.0, 0.0]]])),
            "held_out_deviation": (over[1:], np.full((2, 1, 2), 0.5)),
        },
        {
            "score": ["laplace", "cross_validation"], "estimate": ("score", ["laplace", "cross_validation"]),
            "role": ("score", ["", ""]), "replicate": [1, 2], "n": [1000],
            "structure": ["hidden-01", "hidden-02"], "n_hidden": ("structure", [1, 2]),
        },
    )  # fmt: skip
    histograms = xr.Dataset(
        {
            "density": (("distribution", "parameter", "bin"), [[[1.0, 1.0]], [[2.0, 0.0]], [[1.0, 1.0]]]),
            "value": (("parameter", "bin"), [[0.0, 0.5]]),
        },
        {"distribution": ["hamiltonian", "langevin", "laplace"], "parameter": [7]},
    )
    groups = {"simulated": data, "posterior_histograms": histograms}
    return xr.DataTree.from_dict({"/": xr.Dataset(attrs={"conditions": "simulated"}), **groups})


def test_units_selected(summaries):
    table = units_selected(summaries, PAPER)
    assert set(table.columns) == declared("units_selected")
    one_has_no_deviation = ["Laplace", 1000, 5.0, 1.414, 1.0, 2, 50.0, 4.0, 1]
    assert table.values.tolist() == [one_has_no_deviation]


def test_scores_are_compared_on_the_instances_that_all_of_them_have(summaries):
    data = summaries["simulated"].to_dataset()
    more = xr.Dataset(
        {"selected": (("score", "replicate", "n"), [[[5.0], [6.0], [9.0]], [[7.0], [8.0], [np.nan]]]),
         "log_evidence": (("score", "replicate", "n", "structure"), np.zeros((2, 3, 1, 2)))},
        {"score": data.score, "estimate": data.estimate, "role": ("score", ["", "sampled_fit"]), "n": [1000]},
    )  # fmt: skip
    table = units_selected(xr.DataTree.from_dict({"simulated": more.assign_coords(replicate=[1, 2, 3])}), PAPER)
    assert table["score"].tolist() == ["Laplace", "10-fold CV, sampled"]
    assert table["mean"].tolist() == [6.667, 7.5]
    assert table[["mean in common", "in common"]].values.tolist() == [[5.5, 2.0], [7.5, 2.0]]


def test_laplace_over_its_runs(summaries):
    """The one machine with several runs is half a nat below the other in the mean."""
    table = laplace_runs(summaries, PAPER)
    assert set(table.columns) == declared("laplace_runs")
    assert table.values.tolist() == [["simulated", 1000, 1, 3, -3.0, -2.5, 0.25, -4.0, -2.5, -0.5]]


def test_the_repeated_runs_of_laplace_are_taken_where_there_are_any(summaries):
    data = summaries["simulated"].to_dataset()
    again = data.assign_coords(estimate=("score", ["laplace"] * 2), role=("score", ["", "repeated"]))
    again.n_runs.loc[{"score": "cross_validation"}] = 2.0
    tree = {"/": xr.Dataset(attrs={"conditions": "simulated"}), "simulated": again}
    table = laplace_runs(xr.DataTree.from_dict(tree), PAPER)
    assert table[["K", "runs", "mean"]].values.tolist() == [[1, 2, -3.0], [2, 2, -3.0]]


def test_deviations_of_runs_are_those_of_scores_that_have_several(summaries):
    table = run_deviations(summaries, PAPER)
    assert set(table.columns) <= declared("run_deviations")
    assert table.values.tolist() == [["simulated", 1000, 1, 0.25]]


def test_held_out(summaries):
    table = held_out(summaries, PAPER)
    assert set(table.columns) == declared("held_out")
    assert table.values.tolist() == [["simulated", 1000, 1, -3.5, 0.5, -0.25], ["simulated", 1000, 2, -3.25, 0.5, 0.0]]


def test_chains_are_shown_with_their_agreement_and_the_errors_that_they_leave(summaries):
    """Factors are of the first entry; errors of each score that has one."""
    data = summaries["simulated"].to_dataset()
    factors = np.array([[[[1.5, np.nan]], [[9.0, 9.0]]], [[[7.0, 7.0]]] * 2])
    errors = np.array([[[[0.25, 8.0]], [[9.0, 9.0]]], [[[0.75, 8.0]]] * 2])
    chains = data.assign_coords(
        estimate=("score", ["harmonic_1", "bridge_optimal"]), role=("score", ["", "more_prior_draws"])
    )
    chains["scale_reduction"] = data.log_evidence.dims, factors
    chains["independent_scale_reduction"] = 1 + (chains.scale_reduction - 1) / 2
    chains["sampling_error"] = data.log_evidence.dims, errors
    tree = {"/": xr.Dataset(attrs={"conditions": "simulated"}), "simulated": chains}
    table = langevin_chains(xr.DataTree.from_dict(tree), PAPER)
    assert table.to_dict("records") == [
        {
            "condition": "simulated",
            "N": 1000,
            "K": 1,
            "scale reduction": 1.5,
            "of independent draws": 1.25,
            "Harmonic-1": 0.25,
            "Bridge-Opt*": 0.75,
        },
    ]
    assert set(table.columns) <= declared("langevin_chains")


def test_a_density_that_has_half_of_its_mass_elsewhere_is_half_away(summaries):
    table = posterior_distances(summaries, PAPER)
    assert set(table.columns) == declared("posterior_distances")
    assert table.values.tolist() == [[7, 0.5, 0.0]]


def test_doubted_scores_are_those_of_known_values(summaries):
    # columns are in the order of legends, whatever the first condition has
    data = summaries["simulated"].to_dataset()
    swapped = data.isel(score=[1, 0]).isel(score=slice(0, 1))
    tree = {"/": xr.Dataset(attrs={"conditions": "other simulated"}), "other": swapped, "simulated": data}
    assert doubted_scores(xr.DataTree.from_dict(tree), PAPER).columns.tolist() == [
        "condition", "Laplace", "10-fold CV",
    ]  # fmt: skip
    table = doubted_scores(summaries, PAPER)
    assert set(table.columns) <= declared("doubted_scores")
    assert table.values.tolist() == [["simulated", 0.0, 50.0]]
