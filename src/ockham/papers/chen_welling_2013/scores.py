"""How figures of [ChenWelling2013] draw the scores."""

import xarray as xr
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from ockham.papers.style import MARKED, Style, marked, thin

__all__ = ["AIS", "SCORES", "UNITS", "look", "with_bars"]

AIS = "annealed_importance_sampling"
SCORES = {
    AIS: Style("AIS", "#000000", ""),
    "laplace": Style("Laplace", "#D55E00", "D"),
    "laplace_0": Style("Laplace0", "#E69F00", "s"),
    "map": Style("MAP", "#009E73", "^"),
    "bic_ml": Style("BIC-ML", "#0072B2", "x"),
    "harmonic_1": Style("Harmonic-1", "#009E73", "v"),
    "harmonic_4": Style("Harmonic-4", "#0072B2", "+"),
    "bridge_geometric": Style("Bridge-Geo", "#CC79A7", "o"),
    "bridge_optimal": Style("Bridge-Opt", "#56B4E9", "P"),
    "dic": Style("DIC", "#999999", "*"),
    "cross_validation": Style("10-fold CV", "#0072B2", "o"),
}
UNITS = "hidden units $K$"


def look(style: Style) -> dict:
    """What a line of a score is drawn with."""
    return MARKED | {"label": style.label, "color": style.color, "marker": style.marker}


def with_bars(
    axes: Axes,
    x: xr.DataArray,
    mean: xr.DataArray,
    deviation: xr.DataArray,
    style: Style,
    doubted: xr.DataArray,
) -> None:
    """A line with a bar at every point, and a marker where nothing speaks against it, as ``marked`` says."""
    axes.errorbar(x, mean, deviation, capsize=1.5, elinewidth=0.6, **look(style) | marked(doubted))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    thin(axes)
