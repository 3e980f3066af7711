"""Score of every structure against its number of parameters; Figure 2 of [BealGhahramani2006]."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, MaxNLocator, StrMethodFormatter

from ockham.io.figures import journal
from ockham.papers.beal_ghahramani_2006.trusted import TRUTH
from ockham.papers.style import PAGE, SCORES, shown, thin

__all__ = ["figure_2", "figure_2_from_truth"]

SIZES = (10, 160, 640, 1280, 2560, 5120, 10240)
LINEAR = 1.0
"""Nats from the truth, within which scores are drawn to scale; logarithms are beyond."""
TICKS = (-1000.0, -100.0, -10.0, 0.0, 10.0, 100.0, 1000.0)


def figure_2(summaries: xr.DataTree) -> Figure:
    """Scores at the published parameters, a row per data set size, a column per score, corrected for aliases.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``ockham.summaries.summarise`` returns it.
    """
    data = _scores(summaries)
    return _grid(data, data.log_evidence, "score (nats)")


def figure_2_from_truth(summaries: xr.DataTree) -> Figure:
    """The same minus bridge sampling of each structure, where it is to be trusted; ``summaries`` from ``summarise``."""
    data = _scores(summaries)
    truth = data.sel(score=TRUTH, drop=True)
    apart = (data.log_evidence - truth.log_evidence.where(truth.doubt == 0)).where(data.score != TRUTH)
    figure = _grid(data, apart, "score minus bridge sampling (nats)")
    for axes in figure.axes:
        axes.axhline(0.0, color="0.6", linewidth=0.5, zorder=0)
        axes.set_yscale("symlog", linthresh=LINEAR, linscale=0.5)
        axes.yaxis.set_major_locator(FixedLocator(TICKS))
        axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    return figure


def _scores(summaries: xr.DataTree) -> xr.Dataset:
    return summaries["best"].to_dataset().sel(alias_correction="log_aliases", replicate=0)


@journal()
def _grid(data: xr.Dataset, values: xr.DataArray, label: str) -> Figure:
    """A row per data set size, a column per score, of which the values are drawn."""
    sizes = [n for n in SIZES if n in data.n]
    scores = shown(values)
    figure = Figure(figsize=(PAGE, 0.7 + 1.15 * len(sizes)), layout="constrained")
    grid = figure.subplots(len(sizes), len(scores), sharex=True, sharey="row", squeeze=False)
    for row, n in zip(grid, sizes, strict=True):
        for axes, score in zip(row, scores, strict=True):
            at = {"score": score, "n": n}
            _panel(axes, data.sel(at), values.sel(at), data.attrs["true_structure"])
        row[0].set_ylabel(f"$n = {n}$", fontsize=7)
    for axes, score in zip(grid[0], scores, strict=True):
        axes.set_title(SCORES[score].label)
    figure.supxlabel("number of parameters", fontsize=8)
    figure.supylabel(label, fontsize=8)
    handles = grid[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=3, frameon=False, handletextpad=0.1)
    return figure


def _panel(axes: Axes, found: xr.Dataset, values: xr.DataArray, true_structure: str) -> None:
    """One score at one size: every structure a dot, the true one in a circle, the highest under a cross.

    Dots are lighter where the score is not to be trusted.
    """
    n_parameters, colors = found.n_parameters, np.where(found.doubt == 0, "0.45", "0.75")
    axes.scatter(n_parameters, values, s=2, color=colors, linewidth=0, label="structure")
    true, top = found.structure == true_structure, found.log_evidence == found.log_evidence.max()
    axes.scatter(
        n_parameters[true], values[true],
        label="true structure", marker="o", s=22, facecolors="none", edgecolors="#0072B2", linewidth=0.8,
    )  # fmt: skip
    axes.scatter(
        n_parameters[top], values[top], label="highest score", marker="x", s=16, color="#D55E00", linewidth=0.8
    )
    axes.margins(x=0.12, y=0.1)
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    thin(axes)
