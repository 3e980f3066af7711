"""Numbers of hidden units selected; Figure 2 of [ChenWelling2013]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.papers.chen_welling_2013.scores import SCORES, with_bars
from ockham.papers.style import COLUMN, figure_legend, size_axis

__all__ = ["figure_2"]


@journal()
def figure_2(summaries: xr.DataTree) -> Figure:
    """Number of hidden units selected, mean and standard deviation over instances, against the size."""
    data = summaries["simulated"].to_dataset()
    highest = data.doubt.where(data.n_hidden == data.selected, 0).max("structure")
    doubted = (highest > 0).mean("replicate")
    figure = Figure(figsize=(COLUMN, 2.5), layout="constrained")
    axes = figure.subplots()
    for score in ("laplace", "cross_validation"):
        chosen = data.selected.sel(score=score).dropna("n", how="all")
        doubt = doubted.sel(score=score, n=chosen.n)
        with_bars(axes, chosen.n, chosen.mean("replicate"), chosen.std("replicate", ddof=1), SCORES[score], doubt)
    size_axis(axes)
    axes.set_ylabel("hidden units selected")
    figure_legend(axes)
    return figure
