"""Held-out rows; Figure 8 of [ChenWelling2013]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.papers.chen_welling_2013.scores import SCORES, UNITS, with_bars
from ockham.papers.style import PAGE, lettered

__all__ = ["figure_8"]


@journal()
def figure_8(summaries: xr.DataTree) -> Figure:
    """Log likelihood per held-out row, mean and standard deviation over the folds."""
    figure = Figure(figsize=(PAGE, 2.5), layout="constrained")
    for axes, condition in zip(lettered(figure.subplots(1, 2)), ("five_words_units", "all_words"), strict=True):
        data = summaries[condition].to_dataset().isel(replicate=0, n=0)
        doubt, style = data.doubt.sel(score="cross_validation"), SCORES["cross_validation"]
        with_bars(axes, data.n_hidden, data.held_out_mean, data.held_out_deviation, style, doubt)
        axes.set_xlabel(UNITS)
        axes.set_ylabel("log likelihood per row (nats)")
    return figure
