"""Laplace and cross validation on one instance with many rows; Figure 1 of [ChenWelling2013]."""

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.papers.chen_welling_2013.cells import of_entry
from ockham.papers.chen_welling_2013.scores import look, units_axis, with_bars
from ockham.papers.style import COLUMN, figure_legend, lettered

__all__ = ["figure_1"]

TRUE_UNITS = 5
ABOVE = 0.15
"""Space above the highest, of the height of the panel of differences."""


@journal()
def figure_1(summaries: xr.DataTree) -> Figure:
    """Laplace over runs, and held-out rows over folds, of one instance at its largest size.

    The panel between has the differences from the highest mean, as far down as the machines of more units go.
    """
    data = summaries["simulated"].to_dataset().isel(replicate=0, n=-1)
    figure = Figure(figsize=(COLUMN, 5.2), layout="constrained")
    levels, differences, below = lettered(figure.subplots(3, 1, sharex=True))
    laplace, folds = of_entry(data, "laplace", "repeated"), of_entry(data, "cross_validation")
    units, mean, deviation = laplace.n_hidden, laplace.run_mean, laplace.run_deviation
    style = look(("laplace", "")) | {"label": f"mean and deviation of {int(laplace.n_runs.max())} runs"}
    with_bars(levels, units, mean / 1000, deviation / 1000, laplace.doubt, **style)
    apart = mean - mean.max()
    with_bars(differences, units, apart, deviation, laplace.doubt, **style | {"clip_on": True})
    larger = (apart - deviation.fillna(0.0)).isel(structure=slice(int(np.nanargmax(mean)), None))
    height = max(-1.1 * float(larger.min()), 1.0)
    differences.set_ylim(-height, ABOVE * height)
    style = look(("cross_validation", "")) | {"label": "mean and deviation over folds"}
    with_bars(below, units, folds.held_out_mean, folds.held_out_deviation, folds.doubt, **style)
    levels.set_ylabel("log evidence (1000 nats)")
    differences.set_ylabel("minus the highest (nats)")
    below.set_ylabel("log likelihood per row (nats)")
    for axes in (levels, differences, below):
        axes.axvline(TRUE_UNITS, color="0.7", linewidth=0.6, zorder=0, label="truth")
        axes.ticklabel_format(axis="y", useOffset=False)
    figure_legend(levels)
    figure_legend(below)
    units_axis(below)
    return figure
