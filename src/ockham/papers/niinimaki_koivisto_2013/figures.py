"""Samplers of node orders against running time; Figures 2 and 3 of [NiinimakiKoivisto2013]."""

from collections.abc import Sequence

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ockham.papers.niinimaki_koivisto_2013.tables import middle_length
from ockham.papers.style import PAGE, figure_legend, journal, lettered, one_legend, thin

__all__ = ["figure_2", "figure_3", "figure_arcs"]

COLORS = dict.fromkeys(("ais_1", "mc3_4"), "#0072B2") | dict.fromkeys(("ais_4", "mc3_16"), "#009E73")
COLORS |= dict.fromkeys(("ais_16", "mc3_64"), "#D55E00")
"""Of the paper's samplers, from the shortest to the longest; others are purple."""
SHOWN_NATS = 8.0
"""How far below the highest estimate the axis of log evidences reaches at the most."""


@journal()
def figure_2(summaries: xr.DataTree) -> Figure:
    """Log evidence under the order-modular prior, a panel for each condition; ``summaries`` from ``summarise_orders``.

    Median over runs of every sampler, the median lower bound of AIS of the middle length (AISL), and the exact value.
    """
    conditions = [name for name in summaries.attrs["conditions"].split() if "_" not in name]
    figure = Figure(figsize=(PAGE, 2.9), layout="constrained")
    for axes, name in zip(lettered(figure.subplots(1, len(conditions), squeeze=False)[0]), conditions, strict=True):
        data = summaries[name].to_dataset().sel(prior="orders")
        _evidence(axes, data, data.scorer.values)
        _title(axes, name, data)
    return one_legend(figure)


@journal()
def figure_3(summaries: xr.DataTree) -> Figure:
    """What the correction of bias changes; ``summaries`` from ``summarise_orders``.

    First panels: log evidence under the uniform prior over graphs, by AIS, where linear extensions were counted. Last
    panels: largest error of an arc's posterior, for both priors where exact values are known; of AIS and of MC3 the
    entry that is best at the end of the run.
    """
    names = summaries.attrs["conditions"].split()
    counted = [name for name in names if _known(summaries[name], "graphs", "log_evidence")]
    judged = [name for name in names if _known(summaries[name], "orders", "arc_error")]
    figure = Figure(figsize=(PAGE, 2.6 * (1 + (len(counted) + len(judged) > 3))), layout="constrained")
    n_rows = 1 if len(counted) + len(judged) <= 3 else 2
    n_columns = -(-(len(counted) + len(judged)) // n_rows)
    panels = lettered(figure.subplots(n_rows, n_columns, squeeze=False).ravel())
    for axes, name in zip(panels, counted, strict=False):
        data = summaries[name].to_dataset().sel(prior="graphs")
        _evidence(axes, data, [scorer for scorer in data.scorer.values if str(scorer).startswith("ais")])
        _title(axes, name, data)
    one_legend(figure)  # of what is drawn so far
    for axes, name in zip(panels[len(counted) :], judged, strict=False):
        data = summaries[name].to_dataset()
        _arc_errors(axes, data)
        _title(axes, name, data)
    for axes in panels[len(counted) + len(judged) :]:
        axes.set_visible(False)
    return figure


@journal()
def figure_arcs(names: Sequence[str], arcs: np.ndarray) -> Figure:
    """Posterior probabilities of arcs as a matrix, from the parent in the row to the child in the column."""
    n = len(names)
    side = max(2.5, 0.16 * n + 1.2)
    figure = Figure(figsize=(side + 0.6, side), layout="constrained")
    axes = figure.subplots()
    image = axes.imshow(arcs, vmin=0, vmax=1, cmap="Greys")
    for axis, dimension in ((axes.xaxis, "child"), (axes.yaxis, "parent")):
        axis.set_ticks(range(n), names, fontsize=5)
        axis.set_label_text(dimension)
    axes.tick_params(axis="x", rotation=90, width=0.3)
    axes.tick_params(axis="y", width=0.3)
    figure.colorbar(image, label="posterior probability", shrink=0.7)
    return figure


def _known(group: xr.DataTree, prior: str, name: str) -> bool:
    return bool(group[name].sel(prior=prior).notnull().any())


def _title(axes: Axes, name: str, data: xr.Dataset) -> None:
    name = name.partition("_")[0]
    axes.set_title(f"{name.capitalize()} ($n={data.attrs['n_nodes']}$)", loc="right")


def _evidence(axes: Axes, data: xr.Dataset, scorers: list[str]) -> None:
    """Median log evidence of every sampler against its median running time, with AISL and the exact value."""
    highest, lowest = [float(data.exact_log_evidence)], []
    for scorer in scorers:
        kind, _, length = str(scorer).partition("_")
        line = data.sel(scorer=scorer).median("run")
        style = {"color": COLORS.get(str(scorer), "#CC79A7"), "linewidth": 0.9}
        label = f"AIS {length} $nm$" if kind == "ais" else f"MC$^3$ {length}"
        axes.plot(line.seconds, line.log_evidence, "-" if kind == "ais" else "--", label=label, **style)
        highest.append(float(line.log_evidence[-1]))
        lowest.append(float(line.log_evidence.min()))
        if scorer == middle_length(data.scorer.values):
            axes.plot(line.seconds, line.lower_bound, ":", color="0.4", linewidth=1.1, label=f"AISL {length} $nm$")
            lowest.append(float(line.lower_bound.min()))
    if np.isfinite(highest[0]):
        axes.axhline(highest[0], color="black", linewidth=0.7, label="exact")
    top = np.nanmax(highest)
    height = min(SHOWN_NATS, 1.1 * (top - np.nanmin(lowest)))
    axes.set_ylim(top - height, top + 0.2 * height)
    axes.set_ylabel("log evidence (nats)")
    _time_axis(axes)


def _arc_errors(axes: Axes, data: xr.Dataset) -> None:
    """Median largest error of an arc of the sampler of each kind that ends with the smallest, for each prior."""
    for prior, style in (("orders", "-"), ("graphs", "--")):
        errors = data.arc_error.sel(prior=prior).median("run")
        for kind, color in (("ais", "#0072B2"), ("mc3", "#D55E00")):
            last = {s: float(errors.sel(scorer=s)[-1]) for s in data.scorer.values if str(s).startswith(kind)}
            if not np.isfinite([*last.values()]).any():
                continue
            best = min((value, scorer) for scorer, value in last.items() if np.isfinite(value))[1]
            seconds = data.seconds.sel(prior=prior, scorer=best).median("run")
            name = ("c" if prior == "graphs" else "") + ("AIS" if kind == "ais" else "MC$^3$")
            label = f"{name} {str(best).partition('_')[2]}"
            axes.plot(seconds, errors.sel(scorer=best), style, color=color, linewidth=0.9, label=label)
    axes.set_yscale("log")
    axes.set_ylabel("largest error of an arc")
    _time_axis(axes)
    figure_legend(axes)


def _time_axis(axes: Axes) -> None:
    axes.set_xscale("log")
    axes.set_xlabel("running time (s)")
    thin(axes)
