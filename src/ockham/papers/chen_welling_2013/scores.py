"""How figures of [ChenWelling2013] draw the scores."""

from typing import Any

import xarray as xr
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from ockham.papers.chen_welling_2013.cells import STANDARD
from ockham.papers.style import Style, marked, thin

__all__ = ["SCORES", "SELECTING", "UNITS", "Score", "look", "units_axis", "with_bars"]

Score = tuple[str, str]
"""An estimate, and the role of its entry."""

SCORES: dict[Score, Style] = {
    (STANDARD, ""): Style("AIS", "#000000", "|", "--"),
    ("laplace", ""): Style("Laplace", "#D55E00", "D"),
    ("laplace", "exact_fit"): Style("Laplace, exact", "#7F3800", "h", "-."),
    ("laplace_0", ""): Style("Laplace0", "#E69F00", "s", ":"),
    ("map", ""): Style("MAP", "#009E73", "^"),
    ("bic_ml", ""): Style("BIC-ML", "#0072B2", "x", (0, (6, 2))),
    ("harmonic_1", ""): Style("Harmonic-1", "#009E73", "v"),
    ("harmonic_4", ""): Style("Harmonic-4", "#0072B2", "+", (0, (6, 2))),
    ("bridge_geometric", ""): Style("Bridge-Geo", "#CC79A7", "o"),
    ("bridge_geometric", "more_prior_draws"): Style("Bridge-Geo*", "#CC79A7", ".", ":"),
    ("bridge_optimal", ""): Style("Bridge-Opt", "#56B4E9", "P", (0, (4, 1, 1, 1))),
    ("bridge_optimal", "more_prior_draws"): Style("Bridge-Opt*", "#56B4E9", "p", (0, (1, 3))),
    ("dic", ""): Style("DIC", "#999999", "*", (0, (8, 2, 1, 2, 1, 2))),
    ("cross_validation", ""): Style("10-fold CV", "#0072B2", "o", (0, (6, 2))),
    ("cross_validation", "sampled_fit"): Style("10-fold CV, sampled", "#CC79A7", "s", "none"),
}
UNITS = "hidden units $K$"
SELECTING: tuple[Score, ...] = (("laplace", ""), ("cross_validation", ""), ("cross_validation", "sampled_fit"))
"""The scores whose choice of the number of hidden units is shown."""


def look(score: Score) -> dict[str, Any]:
    """What a line of a score is drawn with."""
    return SCORES[score].look | ({"zorder": 4, "linewidth": 1.2} if score == (STANDARD, "") else {})


def units_axis(axes: Axes) -> None:
    """Numbers of hidden units on the horizontal axis, as whole numbers."""
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(UNITS)
    thin(axes)


def with_bars(
    axes: Axes, x: xr.DataArray, mean: xr.DataArray, deviation: xr.DataArray, doubted: xr.DataArray, **style: Any
) -> None:
    """A line with a bar at every point, and a marker where nothing speaks against it, as ``marked`` says."""
    axes.errorbar(x, mean, deviation, capsize=1.5, elinewidth=0.6, **style | marked(doubted))
    thin(axes)
