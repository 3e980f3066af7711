"""The share of intervals that hold the evidence against the probability that they are made for, by estimator."""

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.papers.calibration.cells import EXACT, LONG, cells, labels
from ockham.papers.intervals import holds
from ockham.papers.style import PAGE, one_legend
from ockham.summaries.over_replicates import wilson

__all__ = ["intervals"]

LEVELS = np.array([0.05, *np.arange(0.1, 0.95, 0.1), 0.95, 0.99])
LOOKS = {EXACT: ("#0072B2", "-", "evidence by exact sums"), LONG: ("#D55E00", "--", "evidence by long runs")}
COLUMNS = 4
FEWEST = 5
"""Intervals, below which a curve says nothing."""


@journal()
def intervals(summaries: xr.DataTree) -> Figure:
    """A panel for each estimator that states errors, with bands of 95 % (Wilson) around each curve.

    ``summaries`` are from ``summarise``.
    """
    found = cells(summaries)
    given = found[found.given & found.judged]
    panelled = {
        name: label for name, label in labels(found).items() if found[found.estimate == name].stated.notna().any()
    }
    n_rows = max(1, -(-len(panelled) // COLUMNS))
    figure = Figure(figsize=(PAGE, 0.4 + 1.9 * n_rows), layout="constrained")
    panels = figure.subplots(n_rows, COLUMNS, squeeze=False, sharex=True, sharey=True).ravel()
    for axes in panels[len(panelled) :]:
        axes.remove()
    for axes in panels[: len(panelled)][-COLUMNS:]:
        axes.tick_params(labelbottom=True)
    for axes, (estimate, label) in zip(panels, panelled.items(), strict=False):
        axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.6, label="right errors")
        axes.set_title(label)
        for reference, (color, line, what) in LOOKS.items():
            of = given[(given.estimate == estimate) & (given.reference == reference)]
            if len(of) >= FEWEST:
                held = [holds(of, level) for level in LEVELS]
                ends = np.array([wilson(int(each.sum()), len(of)) for each in held])
                axes.plot(
                    LEVELS, [each.mean() for each in held], color=color, linestyle=line, linewidth=1.0, label=what
                )
                axes.fill_between(LEVELS, ends[:, 0], ends[:, 1], color=color, alpha=0.15, linewidth=0)
        axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    figure.supxlabel("probability of an interval", fontsize=8)
    figure.supylabel("share that holds the evidence", fontsize=8)
    return one_legend(figure)
