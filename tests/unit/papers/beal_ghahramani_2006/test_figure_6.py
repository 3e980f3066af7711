"""Figure 6 shows every run of annealed importance sampling, and what it is compared with."""

import numpy as np

from ockham.papers.beal_ghahramani_2006.figure_6 import figure_6


def test_figure_6_draws_every_run_and_the_references(summaries):
    first = figure_6(summaries).axes[0]
    weights = summaries["schedule_length"].to_dataset().log_weight
    drawn = sorted(tuple(line.get_ydata()) for line in first.lines if line.get_label() not in ("VB", "BIC"))
    runs = [weights.sel(start="prior", run=run) for run in range(3)] + [weights.sel(start="truth", run=0)]
    np.testing.assert_array_equal(drawn, sorted(tuple(run.values) for run in runs))
    at = summaries["best"].log_evidence.sel(replicate=0, n=640, structure="s5", alias_correction="log_aliases")
    references = {line.get_label(): line.get_ydata()[0] for line in first.lines if line.get_label() in ("VB", "BIC")}
    assert references == {"VB": at.sel(score="variational_bayes"), "BIC": at.sel(score="bic")}
