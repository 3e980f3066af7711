"""What figures draw is in tables too: units selected, held-out rows, distances of densities, and doubts.

Source of truth: values by hand.
"""

import numpy as np
import pytest
import xarray as xr

from ockham.papers.chen_welling_2013 import PAPER
from ockham.papers.chen_welling_2013.figure_numbers import (
    doubted_scores,
    held_out,
    posterior_distances,
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
            "held_out_mean": (over[1:], np.array([[[-3.5, -3.25]], [[0.0, 0.0]]])),
            "held_out_deviation": (over[1:], np.full((2, 1, 2), 0.5)),
        },
        {
            "score": ["laplace", "cross_validation"], "replicate": [1, 2], "n": [1000],
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
    assert table.values.tolist() == [["Laplace", 1000, 5.0, 1.414, 1.0, 2, 50.0]]  # one instance has no deviation


def test_held_out(summaries):
    table = held_out(summaries, PAPER)
    assert set(table.columns) == declared("held_out")
    assert table.values.tolist() == [["simulated", 1000, 1, -3.5, 0.5, -0.25], ["simulated", 1000, 2, -3.25, 0.5, 0.0]]


def test_a_density_that_has_half_of_its_mass_elsewhere_is_half_away(summaries):
    table = posterior_distances(summaries, PAPER)
    assert set(table.columns) == declared("posterior_distances")
    assert table.values.tolist() == [[7, 0.5, 0.0]]


def test_doubted_scores_are_those_of_known_values(summaries):
    table = doubted_scores(summaries, PAPER)
    assert set(table.columns) <= declared("doubted_scores")
    assert table.values.tolist() == [["simulated", 0.0, 50.0]]
