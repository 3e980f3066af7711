"""Ranks of the true structure over draws of its parameters; Figure 4 of [BealGhahramani2006]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.papers.style import draw_by_size, one_legend, panels_by_size, rank_axis

__all__ = ["figure_4"]


def figure_4(summaries: xr.DataTree) -> Figure:
    """(a) Median rank between the quartiles; (b) highest rank; ``summaries`` from ``summarise``."""
    data = summaries["over_replicates"].to_dataset().sel(alias_correction="log_aliases")
    figure, (median, best) = panels_by_size(2)
    band = data.rank_lower_quartile, data.rank_upper_quartile
    draw_by_size(median, data.rank_median, "median rank of true structure", data.fraction_doubted, band)
    draw_by_size(best, data.rank_best, "highest rank of true structure", data.fraction_doubted)
    for axes in (median, best):
        rank_axis(axes, summaries["best"].sizes["structure"])
    return one_legend(figure)
