"""Score of every structure against its number of parameters; Figure 2 of [BealGhahramani2006]."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ockham.io.figures import journal
from ockham.papers.style import PAGE, SCORES, shown, thin

__all__ = ["figure_2"]

SIZES = (10, 160, 640, 1280, 2560, 5120, 10240)


@journal()
def figure_2(summaries: xr.DataTree) -> Figure:
    """Scores at the published parameters, a row per data set size, a column per score, corrected for aliases.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``ockham.summaries.summarise`` returns it.
    """
    data = summaries["best"].to_dataset().sel(alias_correction="log_aliases", replicate=0)
    sizes = [n for n in SIZES if n in data.n]
    scores = shown(data.log_evidence)
    figure = Figure(figsize=(PAGE, 0.7 + 1.15 * len(sizes)), layout="constrained")
    grid = figure.subplots(len(sizes), len(scores), sharex=True, sharey="row", squeeze=False)
    for row, n in zip(grid, sizes, strict=True):
        for axes, score in zip(row, scores, strict=True):
            _panel(axes, data.n_parameters, data.sel(score=score, n=n), data.attrs["true_structure"])
        row[0].set_ylabel(f"$n = {n}$", fontsize=7)
    for axes, score in zip(grid[0], scores, strict=True):
        axes.set_title(SCORES[score].label)
    figure.supxlabel("number of parameters", fontsize=8)
    figure.supylabel("score (nats)", fontsize=8)
    handles = grid[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=3, frameon=False, handletextpad=0.1)
    return figure


def _panel(axes: Axes, n_parameters: xr.DataArray, found: xr.Dataset, true_structure: str) -> None:
    """One score at one size: every structure a dot, the true one in a circle, the highest under a cross.

    Dots are lighter where the score is not to be trusted.
    """
    scores, colors = found.log_evidence, np.where(found.doubt == 0, "0.45", "0.75")
    axes.scatter(n_parameters, scores, s=2, color=colors, linewidth=0, label="structure")
    true, top = n_parameters.structure == true_structure, scores == scores.max()
    axes.scatter(
        n_parameters[true], scores[true],
        label="true structure", marker="o", s=22, facecolors="none", edgecolors="#0072B2", linewidth=0.8,
    )  # fmt: skip
    axes.scatter(
        n_parameters[top], scores[top], label="highest score", marker="x", s=16, color="#D55E00", linewidth=0.8
    )
    axes.margins(x=0.12, y=0.1)
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    thin(axes)
