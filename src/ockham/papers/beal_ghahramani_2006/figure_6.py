"""How annealed importance sampling fares; Figure 6 of [BealGhahramani2006]."""

import numpy as np
import xarray as xr
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.papers.beal_ghahramani_2006.proposals import draw_acceptance, draw_quarters, draw_schedule_length
from ockham.papers.style import PAGE, figure_legend, lettered, thin

__all__ = ["figure_6"]


@journal()
def figure_6(summaries: xr.DataTree) -> Figure:
    """AIS at the published parameters; ``summaries`` from ``summarise``.

    (a) Log weights of runs against the length of the schedule, for the true structure, from draws of the prior and from
    the true parameters, and the BIC score, minus the VB score. (b) Acceptance rate of the proposals over the schedule,
    mean over structures, and plus and minus their standard deviation. (c) Acceptance rate in each quarter of the
    schedule. (d) Schedules of other curvatures e_tau.
    """
    figure = Figure(figsize=(PAGE, 5.0), layout="constrained")
    panels = lettered(figure.subplots(2, 2).ravel())
    draw_schedule_length(panels[0], summaries, from_bound=True)
    draw_acceptance(panels[1], summaries, {"": "mean over structures"})
    draw_quarters(panels[2], summaries, "")
    _schedules(panels[3], summaries)
    return figure


def _schedules(axes: Axes, summaries: xr.DataTree) -> None:
    data = summaries["schedules"].to_dataset()
    colors = colormaps["viridis"](np.linspace(0.9, 0.1, data.sizes["curvature"]))
    for curvature, color in zip(data.curvature.values, colors, strict=True):
        line = data.temperature.sel(curvature=curvature)
        axes.plot(line.fraction, line, color=color, linewidth=0.9, label=rf"$e_\tau = {curvature:g}$")
    axes.set_xlabel("step of the schedule, $k / K$")
    axes.set_ylabel(r"inverse temperature $\tau(k)$")
    thin(axes)
    figure_legend(axes)
