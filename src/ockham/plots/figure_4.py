"""Ranks of the true structure over draws of its parameters; Figure 4 of [BealGhahramani2006]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.plots.style import figure_by_size, rank_axis

__all__ = ["figure_4a", "figure_4b"]


def figure_4a(summaries: xr.DataTree) -> Figure:
    """Median rank with the band between the quartiles; ``summaries`` as ``summarise`` returns it."""
    data = summaries["over_replicates"].to_dataset().sel(alias_correction="log_aliases")
    band = data.rank_lower_quartile, data.rank_upper_quartile
    figure = figure_by_size(data.rank_median, "median rank of true structure", band)
    rank_axis(figure.axes[0], summaries["best"].sizes["structure"])
    return figure


def figure_4b(summaries: xr.DataTree) -> Figure:
    """Best rank over the draws; ``summaries`` as ``summarise`` returns it."""
    data = summaries["over_replicates"].to_dataset().sel(alias_correction="log_aliases")
    figure = figure_by_size(data.rank_best, "highest rank of true structure")
    rank_axis(figure.axes[0], summaries["best"].sizes["structure"])
    return figure
