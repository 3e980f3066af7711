"""Figure 2, and its distances from the truth, mark the true structure and the highest score in each panel."""

import numpy as np

from ockham.papers.beal_ghahramani_2006.figure_2 import figure_2, figure_2_from_truth


def test_figure_2_marks_the_true_and_the_highest_structure(summaries):
    figure = figure_2(summaries)
    grid = np.array(figure.axes).reshape(4, 6)
    assert [axes.get_title() for axes in grid[0]] == ["MAP", "BIC", "BICp", "CS", "VB", "AIS"]
    assert [axes.get_ylabel() for axes in grid[:, 0]] == ["$n = 10$", "$n = 160$", "$n = 640$", "$n = 10240$"]
    assert "nats" in figure.get_supylabel()
    assert figure.get_supxlabel() == "number of parameters"
    assert all(axes.get_ylim() == row[0].get_ylim() for row in grid for axes in row)
    best = summaries["best"].to_dataset().sel(alias_correction="log_aliases", replicate=0, n=640, score="bicp")
    everything, true, highest = grid[2, 2].collections
    assert len(everything.get_offsets()) == 12
    assert (best.doubt == 0).any()
    lighter = np.array([color[0] for color in everything.get_facecolors()]) > 0.6
    np.testing.assert_array_equal(np.broadcast_to(lighter, 12), best.doubt != 0)
    np.testing.assert_allclose(true.get_offsets(), [[38, best.log_evidence.sel(structure="s5")]])
    assert highest.get_offsets()[0][1] == best.log_evidence.max()


def test_distances_from_the_truth_leave_out_what_has_none(with_truth):
    """One bridge is doubted; the cross stays at the highest score, whatever its distance."""
    given = with_truth.copy(deep=True)
    at = {"score": "bridge_sampling", "n": 640, "replicate": 0}
    given["best"].doubt.loc[at | {"structure": "s3"}] = 1
    figure = figure_2_from_truth(given)
    grid = np.array(figure.axes).reshape(4, 6)
    assert [axes.get_title() for axes in grid[0]] == ["MAP", "BIC", "BICp", "CS", "VB", "AIS"]
    assert "minus bridge sampling (nats)" in figure.get_supylabel()
    best = given["best"].to_dataset().sel(alias_correction="log_aliases", replicate=0, n=640)
    apart = (best.log_evidence - best.log_evidence.sel(score="bridge_sampling")).sel(score="bicp")
    everything, true, highest = grid[2, 2].collections
    drawn = everything.get_offsets()[:, 1]
    np.testing.assert_allclose(np.ma.filled(drawn, np.nan), apart.where(apart.structure != "s3"))
    assert true.get_offsets()[0][1] == apart.sel(structure="s5")
    top = best.log_evidence.sel(score="bicp").idxmax("structure")
    assert highest.get_offsets()[0][1] == apart.sel(structure=top)
