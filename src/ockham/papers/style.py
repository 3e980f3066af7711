"""The look of every figure: one colour, marker and name per score, and sizes for a journal column."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, NullLocator, StrMethodFormatter

from ockham.io.figures import journal

__all__ = [
    "COLUMN",
    "DASH_DOTS",
    "FEW_DOTS",
    "LONG",
    "LONG_DOTS",
    "MARKED",
    "PAGE",
    "SCORES",
    "SHORT",
    "Style",
    "draw_by_size",
    "figure_legend",
    "lettered",
    "marked",
    "one_legend",
    "panels_by_size",
    "rank_axis",
    "shown",
    "size_axis",
    "thin",
    "with_others",
]

COLUMN, PAGE = 3.4, 7.0
"""Widths of a journal's column and page in inches."""

MARKED: dict[str, Any] = {
    "linewidth": 0.8,
    "markersize": 3.5,
    "markerfacecolor": "none",
    "markeredgewidth": 0.7,
    "clip_on": False,
    "zorder": 3,
}
"""Open markers, so that scores that coincide are all seen, and not cut at the edge of the axes."""


DOUBTED = 0.1
"""Fraction of doubted values from which on what rests on them has no marker."""


Dashes = str | tuple[float, tuple[float, ...]]
"""The pattern of a line, as Matplotlib takes it."""
LONG: Dashes = (0, (8, 2))
SHORT: Dashes = (0, (2, 1))
FEW_DOTS: Dashes = (0, (1, 4))
DASH_DOTS: Dashes = (0, (4, 1, 1, 1, 1, 1))
LONG_DOTS: Dashes = (0, (8, 2, 1, 2))


class Style(NamedTuple):
    """How one score is drawn; lines differ by their dashes where points have no marker, and in grey."""

    label: str
    color: str
    marker: str
    dashes: Dashes = "-"

    @property
    def look(self) -> dict[str, Any]:
        """What a line of the score is drawn with."""
        return MARKED | {
            "label": self.label, "color": self.color, "marker": self.marker, "linestyle": self.dashes,
        }  # fmt: skip


SCORES = {
    "map": Style("MAP", "#000000", "x", ":"),
    "bic": Style("BIC", "#E69F00", "s", ":"),
    "bicp": Style("BICp", "#CC79A7", "v", "-."),
    "cheeseman_stutz": Style("CS", "#009E73", "^", "--"),
    "variational_bayes": Style("VB", "#0072B2", "o"),
    "annealed_importance_sampling": Style("AIS", "#D55E00", "D", LONG),
    "bridge_sampling": Style("bridge", "#000000", "*"),
}
"""In the order of legends and columns; the colours are Okabe and Ito's, told apart by colour-blind readers."""
OTHERS: tuple[tuple[str, str, Dashes], ...] = (
    ("#332288", "<", "--"), ("#117733", ">", ":"), ("#AA4499", "p", "-."), ("#999933", "P", LONG),
    ("#661100", "h", DASH_DOTS), ("#6699CC", "H", "-"), ("#888888", "8", "--"), ("#44AA99", "d", ":"),
    ("#DDCC77", "X", "-."),
)  # fmt: skip
"""Looks of the scores that have none of their own, one after another; the colours are Tol's muted ones."""


def with_others(styles: Mapping[str, Style], scores: Iterable[str], without: Iterable[str] = ()) -> dict[str, Style]:
    """The styles, and one for every other score that there is, such as a plug-in's, except ``without``."""
    known = {*styles, *without}
    looks = cycle(OTHERS)
    others = (score for score in dict.fromkeys(scores) if score not in known)
    return dict(styles) | {score: Style(score.replace("_", " "), *next(looks)) for score in others}


def shown(values: xr.DataArray, without: tuple[str, ...] = ()) -> list[str]:
    """The scores to draw, in order: those with a style and any value, except ``without``."""
    present = values.notnull().any([dim for dim in values.dims if dim != "score"])
    return [
        score for score in SCORES if score not in without and score in present.score and bool(present.sel(score=score))
    ]


def marked(doubted: xr.DataArray) -> dict[str, Any]:
    """What a line is drawn with so that only points to be trusted have markers.

    ``doubted``, along the line, is the fraction of the values behind each point that are not to be trusted, or the
    flags of ``Doubt`` of the one value that it is.
    """
    return {"markevery": [i for i, fraction in enumerate(doubted.values) if not fraction >= DOUBTED]}


@journal()
def panels_by_size(n_panels: int) -> tuple[Figure, list[Axes]]:
    """A figure of panels (a), (b), ... side by side, all against the size of the data set on a logarithmic axis."""
    figure = Figure(figsize=(COLUMN if n_panels == 1 else PAGE, 2.5), layout="constrained")
    axes = list(figure.subplots(1, n_panels, squeeze=False)[0])
    for panel in axes:
        size_axis(panel)
    return figure, lettered(axes) if n_panels > 1 else axes


def size_axis(axes: Axes) -> None:
    """The size of the data set on a logarithmic horizontal axis."""
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator())
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:.0f}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("data set size $n$")
    thin(axes)


def lettered(panels: Sequence[Axes]) -> list[Axes]:
    """The panels as a list, with (a), (b), ... above them."""
    for letter, panel in zip("abcdef", panels, strict=False):
        panel.set_title(f"({letter})", loc="left", fontweight="bold")
    return list(panels)


def figure_legend(axes: Axes) -> None:
    """A small legend inside the axes, where there is something to name."""
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, fontsize=6, handlelength=2.6, labelspacing=0.25)


@journal()
def draw_by_size(
    axes: Axes,
    values: xr.DataArray,
    label: str,
    doubted: xr.DataArray,
    band: tuple[xr.DataArray, xr.DataArray] | None = None,
    band_name: str = "",
    remarks: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """One line per score against the size of the data set, with gaps where it has no value.

    MAP is left out, as in the paper.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    values : xarray.DataArray
        Over (score, n).
    label : str
        Of the vertical axis, with its unit.
    doubted : xarray.DataArray
        Over (score, n), as ``marked`` takes it.
    band : pair of xarray.DataArray, optional
        Lower and upper ends of a band around each line, over (score, n).
    band_name : str
        What the band is, below the label.
    remarks : mapping of str to str
        Score to what its name in the legend is followed by.
    """
    for score in shown(values, without=("map",)):
        style, color = SCORES[score], SCORES[score].color
        line = values.sel(score=score)
        look = style.look | marked(doubted.sel(score=score, n=line.n))
        axes.plot(line.n, line, **look | {"label": style.label + remarks.get(score, "")})
        known = np.pad(line.notnull().values, 1)
        alone = line[known[1:-1] & ~known[:-2] & ~known[2:]]
        if alone.size:  # which no line goes through
            axes.scatter(alone.n, alone, s=1.0, color=color)
        if band is not None:
            low, high = (end.sel(score=score, n=line.n) for end in band)
            axes.fill_between(line.n, low, high, facecolor=(color, 0.1), edgecolor=(color, 0.5), linewidth=0.4)
    axes.set_ylabel(f"{label}\nband: {band_name}" if band_name else label)


@journal()
def one_legend(figure: Figure) -> Figure:
    """The figure with one legend above its panels, of every score that any of them shows."""
    handles = {str(line.get_label()): line for axes in figure.axes for line in axes.lines}
    if handles:
        figure.legend(
            handles.values(), handles, loc="outside upper center", ncols=len(handles), frameon=False, handlelength=2.6,
            columnspacing=1.2,
        )  # fmt: skip
    return figure


def rank_axis(axes: Axes, n_structures: int) -> None:
    """Logarithmic ranks from the last, at the bottom, to 1, at the top."""
    axes.set_yscale("log")
    axes.set_ylim(max(n_structures, 2), 1)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:.0f}"))
    axes.yaxis.set_minor_locator(NullLocator())


def thin(axes: Axes) -> None:
    """Two spines and small ticks, set on the axes because ticks are made only when the figure is drawn."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(which="both", width=0.5, labelsize=7)
    axes.tick_params(which="major", length=2.5)
    axes.tick_params(which="minor", length=1.5)
