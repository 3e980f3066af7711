"""The true structure's place at the published parameters; Figure 3 (a) and (b) of [BealGhahramani2006]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.plots.style import draw_by_size, one_legend, panels_by_size, rank_axis

__all__ = ["figure_3"]


def figure_3(summaries: xr.DataTree) -> Figure:
    """(a) Rank of the true structure; (b) its score minus the top-ranked one's; ``summaries`` from ``summarise``."""
    data = summaries["ranks"].to_dataset().sel(alias_correction="log_aliases", replicate=0)
    figure, (rank, difference) = panels_by_size(2)
    draw_by_size(rank, data["rank"], "rank of true structure")
    rank_axis(rank, summaries["best"].sizes["structure"])
    draw_by_size(difference, data["difference"], "true $-$ top-ranked score (nats)")
    difference.set_ylim(top=0)
    return one_legend(figure)
