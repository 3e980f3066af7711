"""More and more true classes; Figure 6 of [ChickeringHeckerman1997]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.papers.chickering_heckerman_1997.panels import Panel, draw

__all__ = ["PANELS", "figure_6"]

PANELS = [
    Panel("features_64", 400, "4 true classes"),
    Panel("classes_6", 400, "6 true classes"),
    Panel("classes_8", 400, "8 true classes"),
]


def figure_6(summaries: xr.DataTree) -> Figure:
    """Log evidence by every score against the number of classes, a panel each."""
    return draw(PANELS, summaries)
