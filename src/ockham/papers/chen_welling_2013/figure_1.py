"""Laplace and cross validation on one instance with many rows; Figure 1 of [ChenWelling2013]."""

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.papers.chen_welling_2013.scores import SCORES, UNITS, with_bars
from ockham.papers.style import COLUMN, lettered

__all__ = ["figure_1"]


@journal()
def figure_1(summaries: xr.DataTree) -> Figure:
    """Laplace over runs, and held-out rows over folds, of one instance at its largest size."""
    data = summaries["simulated"].to_dataset().isel(replicate=0, n=-1)
    figure = Figure(figsize=(COLUMN, 3.6), layout="constrained")
    above, below = lettered(figure.subplots(2, 1))
    laplace = data.isel(score=int(np.argmax(((data.estimate == "laplace") & (data.role == "repeated")).values)))
    with_bars(above, laplace.n_hidden, laplace.run_mean, laplace.run_deviation, SCORES["laplace"], laplace.doubt)
    doubt, style = data.doubt.sel(score="cross_validation"), SCORES["cross_validation"]
    with_bars(below, data.n_hidden, data.held_out_mean, data.held_out_deviation, style, doubt)
    above.set_ylabel("log evidence (nats)")
    below.set_ylabel("log likelihood per row (nats)")
    below.set_xlabel(UNITS)
    return figure
