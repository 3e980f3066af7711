"""Real data; Figure 11 of [ChickeringHeckerman1997]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.papers.chickering_heckerman_1997.panels import Panel, draw

__all__ = ["PANELS", "figure_11"]

PANELS = [
    Panel("small_soybean", 47, "small soybean"),
    Panel("audiology", 226, "audiology"),
    Panel("lung_cancer", 32, "lung cancer"),
]


def figure_11(summaries: xr.DataTree) -> Figure:
    """Log evidence by every score against the number of classes, a panel each."""
    return draw(PANELS, summaries)
