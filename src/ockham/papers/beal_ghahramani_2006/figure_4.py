"""Ranks of the true structure over draws of its parameters; Figure 4 of [BealGhahramani2006]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.papers.beal_ghahramani_2006.trusted import over_draws
from ockham.papers.style import draw_by_size, one_legend, panels_by_size, rank_axis
from ockham.summaries.over_replicates import prior_draws

__all__ = ["figure_4", "of_fewer_draws"]


def figure_4(summaries: xr.DataTree) -> Figure:
    """(a) Median rank between the quartiles; (b) highest rank; ``summaries`` from ``summarise``."""
    data = over_draws(summaries)
    figure, (median, best) = panels_by_size(2)
    remarks = of_fewer_draws(summaries)
    band = data.rank_lower_quartile, data.rank_upper_quartile
    doubted = data.fraction_doubted
    draw_by_size(median, data.rank_median, "median rank of true structure", doubted, band, "quartiles", remarks)
    draw_by_size(best, data.rank_best, "highest rank of true structure", doubted, remarks=remarks)
    for axes in (median, best):
        rank_axis(axes, summaries["best"].sizes["structure"])
    return one_legend(figure)


def of_fewer_draws(summaries: xr.DataTree) -> dict[str, str]:
    """Of scores that are on fewer prior draws than others: on how many, and of how many runs, for the legend."""
    n_draws = summaries["over_replicates"].n_replicates.max(["alias_correction", "n"])
    n_runs = prior_draws(summaries["best"].n_runs).max(["replicate", "n", "structure"])
    fewer = n_draws.score[(n_draws > 0) & (n_draws < n_draws.max())].values.tolist()
    remarks = {}
    for score in fewer:
        runs = int(n_runs.sel(score=score))
        remarks[score] = f" ({int(n_draws.sel(score=score))} draws, {runs} run{'' if runs == 1 else 's'} each)"
    return remarks
