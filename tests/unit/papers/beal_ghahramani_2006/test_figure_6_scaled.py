"""The figure of the remedy of section 5 compares the two strengths of the proposal."""

import numpy as np

from ockham.papers.beal_ghahramani_2006.figure_6_scaled import figure_6_scaled


def lines_of(axes):
    return {line.get_label(): line for line in axes.lines}


def test_figure_6_scaled_compares_the_two_strengths(summaries):
    acceptance, quarters, below = figure_6_scaled(summaries).axes
    labels = ["constant", r"growing with $n\tau$"]
    assert list(lines_of(acceptance)) == list(lines_of(below)) == labels
    assert list(lines_of(quarters)) == [f"quarter {q}" for q in range(1, 5)]
    stored = summaries["annealing"].below_vb.sel(batch_size=5, alias_correction="log_aliases", group="ais_scaled")
    np.testing.assert_allclose(lines_of(below)[labels[1]].get_ydata(), 100 * stored.dropna("n"))
