"""Ten cases, with the exact values; Figure 4 of [ChickeringHeckerman1997]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.papers.chickering_heckerman_1997.panels import Panel, draw

__all__ = ["PANELS", "figure_4"]

PANELS = [
    Panel("small_125", 10, r"$\eta = 1.25$"),
    Panel("small_350", 10, r"$\eta = 3.5$"),
    Panel("small_575", 10, r"$\eta = 5.75$"),
]


def figure_4(summaries: xr.DataTree) -> Figure:
    """Log evidence by every score against the number of classes, a panel each."""
    return draw(PANELS, summaries)
