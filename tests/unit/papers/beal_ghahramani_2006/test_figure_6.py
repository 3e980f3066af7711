"""Figure 6, and that of 2003, show every run of annealed importance sampling, and what it is compared with."""

import numpy as np

from ockham.papers.beal_ghahramani_2006.figure_6 import figure_6
from ockham.papers.beal_ghahramani_2006.valencia_2003 import valencia_2003


def test_figure_6_draws_every_run_and_the_references(summaries):
    levels, apart = valencia_2003(summaries).axes[2], figure_6(summaries).axes[0]
    weights = summaries["schedule_length"].to_dataset().log_weight
    runs = [weights.sel(start="prior", run=run) for run in range(3)] + [weights.sel(start="truth", run=0)]
    at = summaries["best"].log_evidence.sel(replicate=0, n=640, structure="s5", alias_correction="log_aliases")
    bound = float(at.sel(score="variational_bayes"))
    for axes, less in ((levels, 0.0), (apart, bound)):
        lines = [(line.get_label(), line.get_ydata()) for line in axes.lines]
        drawn = sorted(tuple(line) for label, line in lines if label not in ("VB", "BIC"))
        np.testing.assert_array_equal(drawn, sorted(tuple(run.values - less) for run in runs))
        references = {label: line[0] for label, line in lines if label in ("VB", "BIC")}
        assert references == {"VB": bound - less, "BIC": at.sel(score="bic") - less}
        assert ("minus VB" in axes.get_ylabel()) == bool(less)
