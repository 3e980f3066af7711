"""The true structure's place at the published parameters; Figure 3 (a) and (b) of [BealGhahramani2006]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.plots.style import figure_by_size, rank_axis

__all__ = ["figure_3a", "figure_3b"]


def figure_3a(summaries: xr.DataTree) -> Figure:
    """Rank of the true structure, 1 at the top; ``summaries`` as ``summarise`` returns it."""
    figure = figure_by_size(_published(summaries)["rank"], "rank of true structure")
    rank_axis(figure.axes[0], summaries["best"].sizes["structure"])
    return figure


def figure_3b(summaries: xr.DataTree) -> Figure:
    """Score of the true structure minus that of the top-ranked one; ``summaries`` as ``summarise`` returns it."""
    figure = figure_by_size(_published(summaries)["difference"], "true $-$ top-ranked score (nats)")
    figure.axes[0].set_ylim(top=0)
    return figure


def _published(summaries: xr.DataTree) -> xr.Dataset:
    return summaries["ranks"].to_dataset().sel(alias_correction="log_aliases", replicate=0)
