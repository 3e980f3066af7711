"""Speed of exact counting of linear extensions; Figure 1 of [NiinimakiKoivisto2013]."""

from typing import Literal

import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.papers.style import PAGE, figure_legend, lettered, thin

__all__ = ["figure_1"]

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
MARKERS = ("o", "s", "^", "D")
PAPER_NODES = 40
"""Section 3.3: instances of around 40 nodes are counted, typically within a few seconds."""
PAPER_BYTES = 16e9
BYTES_PER_IDEAL = 16
"""Figure 1's memory; a mask and a count of 64 bits each are the least that a table over ideals holds of one."""


@journal()
def figure_1(summaries: xr.DataTree) -> Figure:
    """(a) CPU time of a count for each random graph, with the mean over graphs; (b) the ideals of its partial order.

    Counts are ours and, dashed with open markers, those in a table of all ideals, the paper's method. There is no mean
    where the memory did not suffice for one of the graphs, as in the paper.

    Parameters
    ----------
    summaries : xarray.DataTree
        With the group ``linear_extensions``.
    """
    data = summaries["linear_extensions"].to_dataset()
    figure = Figure(figsize=(PAGE, 2.6), layout="constrained")
    times, ideals = lettered(figure.subplots(1, 2))
    _curves(times, data.seconds, "-", "full", "indegree {}")
    _curves(times, data.table_seconds, "--", "none", "indegree {}, table of ideals")
    times.set_ylabel("CPU time (s)")
    _curves(ideals, data.n_ideals, "-", "full", "indegree {}")
    ideals.set_ylabel("number of ideals")
    times.axvline(PAPER_NODES, color="0.6", linewidth=0.6, linestyle=":", label="paper: a few seconds")
    ideals.axhline(PAPER_BYTES / BYTES_PER_IDEAL, color="0.6", linewidth=0.6, linestyle=":", label="16 GB of ideals")
    for axes in (times, ideals):
        axes.set_yscale("log")
        axes.set_xlabel("number of nodes")
        thin(axes)
        figure_legend(axes)
    return figure


def _curves(axes: Axes, values: xr.DataArray, line: str, fill: Literal["full", "none"], label: str) -> None:
    """Every graph as a point, and the mean over graphs as a line, for each largest indegree."""
    for k, color, marker in zip(values.max_indegree.values, COLORS, MARKERS, strict=False):
        found = values.sel(max_indegree=k)
        axes.plot(
            values.n, found.mean("graph", skipna=False), line, color=color, linewidth=0.8, marker=marker, markersize=3,
            fillstyle=fill, markeredgewidth=0.5, label=label.format(k),
        )  # fmt: skip
        axes.plot(values.n, found, marker, color=color, markersize=1.5, fillstyle=fill, markeredgewidth=0.3)
