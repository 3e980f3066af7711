"""Log evidence by every score against the number of classes, as most figures of [ChickeringHeckerman1997] show it."""

from typing import NamedTuple

import numpy as np
import xarray as xr
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, MaxNLocator

from ockham.io.figures import journal
from ockham.papers.chickering_heckerman_1997.selections import SAMPLERS, STANDARD, truth_of
from ockham.papers.style import DASH_DOTS, FEW_DOTS, LONG, LONG_DOTS, PAGE, SHORT, Style, marked, thin

__all__ = ["SCORES", "Panel", "apart_axis", "draw"]

SCORES = {
    "candidate": Style("Candidate", "#000000", "o"),
    "exact": Style("exact", "#000000", "_", "--"),
    "laplace": Style("Laplace", "#D55E00", "D", LONG),
    "laplace_block": Style("Block", "#E69F00", "s", ":"),
    "laplace_diagonal": Style("Diagonal", "#CC79A7", "P", "-."),
    "cheeseman_stutz": Style("CS MAP", "#009E73", "^"),
    "cheeseman_stutz_ml": Style("CS ML", "#009E73", "v", "--"),
    "bic": Style("BIC MAP", "#0072B2", "x", DASH_DOTS),
    "bic_ml": Style("BIC ML", "#56B4E9", "+", FEW_DOTS),
}
DRAWN = SCORES | dict(
    zip(
        SAMPLERS,
        (
            Style("Bridge", "#808080", "*", LONG_DOTS),
            Style("Annealing", "#8B4513", "X", SHORT),
            Style("SMC", "#9370DB", "p", DASH_DOTS),
        ),
        strict=True,
    )
)
"""With the scores that only a study beyond the paper has."""
LINEAR = 1.0
"""Nats, within which differences are drawn to scale; logarithms are beyond."""
NEAR = "range of Candidate's runs"
ERRORS = 2.0
"""Standard errors that bars span to either side."""
NAMES = dict(zip(SAMPLERS, ("bridge sampling", "annealing", "SMC"), strict=True)) | {
    "exact": "exact value", STANDARD: "Candidate",
}  # fmt: skip


class Panel(NamedTuple):
    """One condition at one size; ``close`` shows the upper part of the scores alone."""

    condition: str
    n: int
    title: str
    close: bool = False


@journal()
def draw(panels: list[Panel], summaries: xr.DataTree) -> Figure:
    """A panel for each condition; below each, the same scores minus that of the Candidate method, or of the truth.

    Where bridge sampling was run, differences are from exact values, or else from the first sampler that is to be
    trusted. Bars show the range of the runs of the Candidate method, and two standard errors of scores that have some.
    ``summaries`` are as ``summarise_conditions`` returns them.
    """
    figure = Figure(figsize=(PAGE, 4.6), layout="constrained")
    levels, differences = figure.subplots(2, len(panels), squeeze=False)
    for letter, axes, below, panel in zip("abcd", levels, differences, panels, strict=False):
        data = _data(summaries, panel)
        _levels(axes, panel, data)
        _differences(below, data)
        axes.set_title(f"({letter}) {panel.title}", loc="left")
    levels[0].set_ylabel("log evidence (nats)")
    judges = {NAMES[name] for panel in panels for name in np.unique(truth_of(_data(summaries, panel)).judge)}
    differences[0].set_ylabel(f"score minus {' or '.join(sorted(judges))} (nats)")
    entries: dict[str, Artist] = {}
    for axes in levels:
        entries |= {label: handle for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(entries.values(), entries.keys(), loc="outside lower center", ncols=5, frameon=False, handlelength=3)
    return figure


def apart_axis(axes: Axes, classes: np.ndarray) -> None:
    """Axes of differences from the Candidate method by the number of classes."""
    axes.axhline(0, color="0.6", linewidth=0.5)
    axes.set_yscale("symlog", linthresh=LINEAR, linscale=0.5)
    tens = [10.0**k for k in range(4)]
    axes.yaxis.set_major_locator(FixedLocator([*(-ten for ten in tens), 0, *tens]))
    axes.set_xticks(classes)
    axes.set_xlabel("classes")
    thin(axes)


def _data(summaries: xr.DataTree, panel: Panel) -> xr.Dataset:
    data = summaries[panel.condition].to_dataset()
    return data.isel(replicate=0).sel(n=panel.n, alias_correction="log_aliases")


def _levels(axes: Axes, panel: Panel, data: xr.Dataset) -> None:
    values, classes = data.log_evidence, data.n_hidden_configurations.values
    for score in _shown(values):
        _line(axes, classes, values.sel(score=score), score, data.doubt.sel(score=score), clip_on=panel.close)
    axes.vlines(classes, data.lowest_run, data.highest_run, color=SCORES[STANDARD].color, linewidth=1, label=NEAR)
    _errors(axes, classes, data, 0.0)
    separation = f"\nseparation {float(data.separation):.4f}" if "separation" in data else ""
    axes.set_xlabel(f"classes{separation}")
    if panel.close:
        standard = values.sel(score=STANDARD)
        span = float(standard.max() - standard.isel(structure=classes.argmin()))
        axes.set_ylim(float(standard.max()) - max(0.15 * span, 1.0), float(standard.max()) + max(0.02 * span, 0.2))
    axes.set_xticks(classes)
    axes.yaxis.set_major_locator(MaxNLocator(5))
    thin(axes)


def _differences(axes: Axes, data: xr.Dataset) -> None:
    """A point that rests on two scores has no marker where either is doubted."""
    truth, classes = truth_of(data), data.n_hidden_configurations.values
    apart = (data.log_evidence - truth.log_evidence).where(data.score != truth.judge)
    for score in _shown(apart):
        _line(axes, classes, apart.sel(score=score), score, data.doubt.sel(score=score) | truth.doubt, clip_on=False)
    low, high = data.lowest_run - truth.log_evidence, data.highest_run - truth.log_evidence
    axes.vlines(classes, low, high, color=SCORES[STANDARD].color, linewidth=1)
    _errors(axes, classes, data, truth.log_evidence)
    apart_axis(axes, classes)


def _errors(axes: Axes, classes: np.ndarray, data: xr.Dataset, less: xr.DataArray | float) -> None:
    """Bars of samplers, where they were run and are to be trusted."""
    for score in (score for score in SAMPLERS if score in data.score):
        of = data.sel(score=score)
        value, bars = of.log_evidence - less, (ERRORS * of.standard_error).where(of.doubt == 0)
        axes.vlines(classes, value - bars, value + bars, color=DRAWN[score].color, linewidth=2, alpha=0.6)


def _shown(values: xr.DataArray) -> list[str]:
    """The scores to draw: those with a style and any value."""
    return [score for score in DRAWN if score in values.score and values.sel(score=score).notnull().any()]


def _line(
    axes: Axes, classes: np.ndarray, values: xr.DataArray, score: str, doubt: xr.DataArray, *, clip_on: bool
) -> None:
    """One score; a value that is missing breaks the line."""
    axes.plot(classes, values, **DRAWN[score].look | marked(doubt) | {"clip_on": clip_on})
