"""Figure 2 marks the true structure and the highest, in a panel for each score and size."""

import numpy as np

from ockham.papers.beal_ghahramani_2006.figure_2 import figure_2


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
