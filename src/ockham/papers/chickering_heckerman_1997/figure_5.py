"""More and more features; Figure 5 of [ChickeringHeckerman1997]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.papers.chickering_heckerman_1997.panels import Panel, draw

__all__ = ["PANELS", "figure_5"]

PANELS = [Panel(f"features_{k}", 400, f"{k} features") for k in (32, 64, 128)]


def figure_5(summaries: xr.DataTree) -> Figure:
    """Log evidence by every score against the number of classes, a panel each."""
    return draw(PANELS, summaries)
