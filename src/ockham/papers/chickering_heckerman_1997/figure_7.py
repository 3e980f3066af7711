"""More and more cases; Figure 7 of [ChickeringHeckerman1997]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.papers.chickering_heckerman_1997.panels import Panel, draw

__all__ = ["PANELS", "figure_7"]

PANELS = [Panel("features_64", n, f"$n = {n}$") for n in (50, 100, 200, 400)]


def figure_7(summaries: xr.DataTree) -> Figure:
    """Log evidence by every score against the number of classes, a panel each."""
    return draw(PANELS, summaries)
