"""Parameters at the boundary; Figure 9 of [ChickeringHeckerman1997]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.papers.chickering_heckerman_1997.panels import Panel, draw

__all__ = ["PANELS", "figure_9"]

PANELS = [Panel("inside", 400, r"$\eta = 1.75$"), Panel("boundary", 400, "10 % of parameters are 0")]


def figure_9(summaries: xr.DataTree) -> Figure:
    """Log evidence by every score against the number of classes, a panel each."""
    return draw(PANELS, summaries)
