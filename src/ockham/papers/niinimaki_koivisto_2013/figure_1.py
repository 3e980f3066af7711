"""Speed of exact counting of linear extensions; Figure 1 of [NiinimakiKoivisto2013]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.papers.style import PAGE, figure_legend, lettered, thin

__all__ = ["figure_1"]

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
PAPER_NODES = 40
"""Section 3.3: instances of around 40 nodes are counted, typically within a few seconds."""
PAPER_BYTES = 16e9
BYTES_PER_IDEAL = 16
"""Figure 1's memory; a mask and a count of 64 bits each are the least that a table over ideals holds of one."""


@journal()
def figure_1(summaries: xr.DataTree) -> Figure:
    """(a) CPU time of a count for each random graph, with the mean over graphs; (b) the ideals of its partial order.

    There is no mean where the memory did not suffice for one of the graphs, as in the paper.

    Parameters
    ----------
    summaries : xarray.DataTree
        With the group ``linear_extensions``.
    """
    data = summaries["linear_extensions"].to_dataset()
    figure = Figure(figsize=(PAGE, 2.6), layout="constrained")
    times, ideals = lettered(figure.subplots(1, 2))
    for axes, name, label in ((times, "seconds", "CPU time (s)"), (ideals, "n_ideals", "ideals")):
        for k, color in zip(data.max_indegree.values, COLORS, strict=False):
            values = data[name].sel(max_indegree=k)
            axes.plot(data.n, values.mean("graph", skipna=False), color=color, linewidth=0.8, label=f"indegree {k}")
            axes.plot(data.n, values, ".", color=color, markersize=2)
        axes.set_yscale("log")
        axes.set_xlabel("number of nodes")
        axes.set_ylabel(label)
        thin(axes)
    times.axvline(PAPER_NODES, color="0.6", linewidth=0.6, linestyle=":", label="paper: a few seconds")
    ideals.axhline(PAPER_BYTES / BYTES_PER_IDEAL, color="0.6", linewidth=0.6, linestyle=":", label="16 GB of ideals")
    for axes in (times, ideals):
        figure_legend(axes)
    return figure
