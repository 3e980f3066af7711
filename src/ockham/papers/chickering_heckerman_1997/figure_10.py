"""Cost of every score against the size of the model; Figure 10 of [ChickeringHeckerman1997]."""

import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.papers.chickering_heckerman_1997.panels import SCORES
from ockham.papers.style import PAGE, Style, thin

__all__ = ["figure_10"]

FITS = {"em_map": Style("EM for the MAP", "#000000", "*"), "em_ml": Style("EM for the ML", "0.6", "*", "--")}


@journal()
def figure_10(summaries: xr.DataTree) -> Figure:
    """CPU time (a) of the scores without the fit that they rest on, and of the fits, and (b) with it.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it, with the group ``cost_curves``.
    """
    data = summaries["cost_curves"].to_dataset()
    figure = Figure(figsize=(PAGE, 2.9), layout="constrained")
    without, within = figure.subplots(1, 2, sharey=True)
    for name in data.quantity.values:
        seconds = data.seconds.sel(quantity=name)
        look = (FITS | SCORES)[name].look
        without.plot(data.n_parameters, seconds, **look)
        if fit := data.fit.sel(quantity=name).item():
            within.plot(data.n_parameters, seconds + data.seconds.sel(quantity=fit), **look)
    for axes, title in ((without, "(a) without EM"), (within, "(b) with EM")):
        _axes(axes, title)
    without.set_ylabel("CPU time (s)")
    figure.legend(*without.get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    return figure


def _axes(axes: Axes, title: str) -> None:
    axes.set_title(title, loc="left")
    axes.set_yscale("log")
    axes.set_xlabel("number of parameters")
    thin(axes)
