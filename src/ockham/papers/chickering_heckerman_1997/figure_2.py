"""Classes that overlap more and more; Figure 2 of [ChickeringHeckerman1997]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.papers.chickering_heckerman_1997.panels import Panel, draw

__all__ = ["PANELS", "figure_2"]

PANELS = [
    Panel("independent", 400, "independent classes"),
    Panel("independent", 400, "the same, closer", close=True),
    Panel("overlap_140", 400, r"$\eta = 1.4$"),
    Panel("overlap_070", 400, r"$\eta = 0.7$"),
]


def figure_2(summaries: xr.DataTree) -> Figure:
    """Log evidence by every score against the number of classes, a panel each."""
    return draw(PANELS, summaries)
