"""Held-out rows; Figure 8 of [ChenWelling2013]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.papers.chen_welling_2013.cells import of_entry
from ockham.papers.chen_welling_2013.scores import look, units_axis, with_bars
from ockham.papers.style import PAGE, figure_legend, lettered

__all__ = ["figure_8"]


@journal()
def figure_8(summaries: xr.DataTree) -> Figure:
    """Log likelihood per held-out row, mean and standard deviation over the folds."""
    figure = Figure(figsize=(PAGE, 2.5), layout="constrained")
    style = look(("cross_validation", "")) | {"label": "mean and deviation over folds"}
    for axes, condition in zip(lettered(figure.subplots(1, 2)), ("five_words_units", "all_words"), strict=True):
        found = of_entry(summaries[condition].to_dataset().isel(replicate=0, n=0), "cross_validation")
        with_bars(axes, found.n_hidden, found.held_out_mean, found.held_out_deviation, found.doubt, **style)
        axes.set_ylabel("log likelihood per row (nats)")
        units_axis(axes)
        figure_legend(axes)
    return figure
