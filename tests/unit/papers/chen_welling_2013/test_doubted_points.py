"""Claim: figures of one curve a score have markers where nothing speaks against what is shown, and nowhere else.

Source of truth: the doubts of a summary that is made here.
"""

import numpy as np
import pytest
import xarray as xr

from ockham.contracts import Doubt
from ockham.papers.chen_welling_2013.figure_1 import figure_1
from ockham.papers.chen_welling_2013.figure_2 import figure_2
from ockham.papers.chen_welling_2013.figure_8 import figure_8

UNITS, SIZES = [1, 2, 3], [100, 1000, 10_000]
SCORES = ["laplace", "cross_validation", "laplace_laplace_again"]
OVER = ("score", "replicate", "n", "structure")


@pytest.fixture
def condition():
    """Three units are selected by all; Laplace's repeated score, and what is held out, are in doubt at two."""
    held_out = (OVER[1:], np.full((2, 3, 3), 2.0))
    found = xr.Dataset(
        {
            "log_evidence": (OVER, np.full((3, 2, 3, 3), -10.0)),
            "n_runs": (OVER, np.full((3, 2, 3, 3), 4.0)),
            "run_mean": (OVER, np.full((3, 2, 3, 3), -10.0)),
            "run_deviation": (OVER, np.ones((3, 2, 3, 3))),
            "doubt": (OVER, np.zeros((3, 2, 3, 3), np.uint8)),
            "selected": (OVER[:3], np.full((3, 2, 3), 3.0)),
            "held_out_mean": held_out,
            "held_out_deviation": held_out,
        },
        {
            "score": SCORES,
            "estimate": ("score", ["laplace", "cross_validation", "laplace"]),
            "role": ("score", ["", "", "repeated"]),
            "n": SIZES,
            "n_hidden": ("structure", UNITS),
        },
    )
    found.doubt.loc[{"score": ["laplace_laplace_again", "cross_validation"], "structure": 1}] = Doubt.NOT_CONVERGED
    return found


def marks(axes):
    return [container.lines[0].get_markevery() for container in axes.containers]


def test_points_of_doubted_scores_have_no_marker(condition):
    panels = figure_1(xr.DataTree.from_dict({"simulated": condition})).axes
    assert [marks(axes) for axes in panels] == [[[0, 2]]] * 3
    both = {"five_words_units": condition, "all_words": condition}
    assert [marks(axes) for axes in figure_8(xr.DataTree.from_dict(both)).axes] == [[[0, 2]]] * 2


def test_a_choice_is_doubted_with_the_score_that_is_highest(condition):
    assert marks(figure_2(xr.DataTree.from_dict({"simulated": condition})).axes[0]) == [[0, 1, 2]] * 2
    condition.doubt.loc[{"score": "laplace", "replicate": 0, "n": 1000, "structure": 2}] = Doubt.NOT_A_MODE
    assert marks(figure_2(xr.DataTree.from_dict({"simulated": condition})).axes[0]) == [[0, 2], [0, 1, 2]]
