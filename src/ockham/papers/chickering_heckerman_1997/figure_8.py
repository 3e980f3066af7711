"""Three priors; Figure 8 of [ChickeringHeckerman1997]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.papers.chickering_heckerman_1997.panels import Panel, draw

__all__ = ["PANELS", "figure_8"]

PANELS = [
    Panel("classes_8", 400, r"$\alpha_{ijk} = 1$"),
    Panel("prior_1", 400, r"$\alpha_{ijk} = 1 / r_i q_i$"),
    Panel("prior_01", 400, r"$\alpha_{ijk} = 0.1 / r_i q_i$"),
]


def figure_8(summaries: xr.DataTree) -> Figure:
    """Log evidence by every score against the number of classes, a panel each."""
    return draw(PANELS, summaries)
