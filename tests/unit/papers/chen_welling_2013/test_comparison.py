"""Claim: comparisons with AIS show levels, and below them differences, which tell scores apart without colour too.

Source of truth: a summary that is made here, whose scores are known distances from AIS.
"""

import numpy as np
import pytest
import xarray as xr
from matplotlib.colors import same_color

from ockham.contracts import Doubt
from ockham.papers.chen_welling_2013.comparison import AIS, AROUND_A_POINT, FROM_DRAWS, NEAR, comparison
from ockham.papers.chen_welling_2013.scores import SCORES

UNITS, OVER = [1, 2, 3, 4], ("score", "replicate", "n", "structure")
ALL = [*AROUND_A_POINT, *FROM_DRAWS[1:]]


@pytest.fixture
def condition():
    """Score number k is k nats below AIS, which has an error of half a nat and no value at four units."""
    levels = np.array([-100.0 - k - np.array(UNITS) for k in range(len(ALL))])
    levels[0, 3] = np.nan
    return xr.Dataset(
        {
            "log_evidence": (OVER, levels[:, None, None]),
            "standard_error": (OVER, np.full((len(ALL), 1, 1, 4), 0.5)),
            "doubt": (OVER, np.zeros((len(ALL), 1, 1, 4), np.uint8)),
        },
        {
            "score": range(len(ALL)), "estimate": ("score", [estimate for estimate, _ in ALL]),
            "role": ("score", [role for _, role in ALL]), "n": [10], "n_hidden": ("structure", UNITS),
        },
    )  # fmt: skip


def lines(axes):
    return {line.get_label(): line for line in axes.lines if not line.get_label().startswith("_")}


def drawn(condition, **more):
    return comparison("c", "structure", xr.DataTree.from_dict({"c": condition}), **more)


def labels(scores):
    return {SCORES[score].label for score in scores}


def test_every_panel_has_its_scores_and_starred_bridges_are_beside_the_others(condition):
    around, draws, near, apart = (lines(axes) for axes in drawn(condition).axes)
    assert set(around) == labels(AROUND_A_POINT)
    assert set(draws) == labels((AIS, *FROM_DRAWS)) >= {"Bridge-Geo*", "Bridge-Opt*", "Bridge-Geo", "Bridge-Opt"}
    assert set(near) == labels(NEAR)
    assert set(apart) == labels(FROM_DRAWS)


def test_levels_are_per_document_and_differences_in_nats(condition):
    around, _, _, apart = (lines(axes) for axes in drawn(condition).axes)
    np.testing.assert_allclose(around["MAP"].get_ydata(), (-100.0 - 4 - np.array(UNITS)) / 10)
    k = ALL.index(("bridge_optimal", "more_prior_draws"))
    np.testing.assert_allclose(apart["Bridge-Opt*"].get_ydata(), [-k, -k, -k, np.nan])


def test_what_a_score_lacks_breaks_its_line(condition):
    condition.log_evidence.loc[{"score": ALL.index(("laplace", ""))}] = [[[-1.0, np.nan, -3.0, -4.0]]]
    for axes in drawn(condition).axes[:2]:
        np.testing.assert_array_equal(lines(axes)["Laplace"].get_xdata(), UNITS)
        np.testing.assert_array_equal(np.isnan(lines(axes)["Laplace"].get_ydata()), [False, True, False, False])


def test_there_is_no_difference_from_what_is_doubted_and_no_band(condition):
    """AIS has no value of the last."""
    condition.doubt.loc[{"score": 0, "structure": 0}] = Doubt.RUNS_DIFFER
    panels = drawn(condition).axes
    around, _, near, _ = (lines(axes) for axes in panels)
    assert not np.isnan(around["Laplace"].get_ydata()).any()
    np.testing.assert_array_equal(np.isnan(near["Laplace"].get_ydata()), [True, False, False, True])
    (band,) = panels[2].collections
    assert sorted({x for path in band.get_paths() for x in path.vertices[:, 0]}) == list(UNITS[1:3])


@pytest.mark.parametrize("against", ["n", "n_hidden"])
def test_panels_reach_as_far_as_each_other_where_nothing_is_known(condition, against):
    condition.doubt.loc[{"score": 0}] = Doubt.RUNS_DIFFER
    figure = comparison("here", against, xr.DataTree.from_dict({"here": condition}))
    figure.draw_without_rendering()
    around, _, near, apart = figure.axes[:4]
    assert around.get_xlim() == near.get_xlim() == apart.get_xlim()


def test_lines_of_a_panel_differ_without_colour_and_without_markers(condition):
    """Those of equal colour, and any two beside Laplace's, for a doubted score has no markers."""
    for axes in drawn(condition).axes:
        found = list(lines(axes).values())
        for k, one in enumerate(found):
            for other in found[:k]:
                alike = same_color(one.get_color(), other.get_color())
                assert not alike or one._dash_pattern != other._dash_pattern
    dashes = [str(line._dash_pattern) for line in lines(drawn(condition).axes[1]).values()]
    assert len(set(dashes)) >= len(dashes) - 2


def test_the_band_around_ais_is_named_and_two_errors_wide(condition):
    for axes in drawn(condition).axes[2:]:
        (band,) = axes.collections  # where AIS is known
        assert band.get_label() == "AIS within 2 standard errors"
        heights = band.get_paths()[0].vertices[:, 1]
        assert (heights.min(), heights.max()) == (-1.0, 1.0)
        assert band.get_paths()[0].vertices[:, 0].max() == 3


def test_the_inset_has_what_is_near_ais(condition):
    assert not drawn(condition).axes[0].child_axes
    (inset,) = drawn(condition, inset=True).axes[0].child_axes
    assert set(lines(inset)) == labels((AIS, *NEAR))


def test_without_ais_there_are_no_differences(condition):
    axes = drawn(condition.isel(score=slice(1, None))).axes
    assert [bool(panel.lines) for panel in axes] == [True, True, False, False]
