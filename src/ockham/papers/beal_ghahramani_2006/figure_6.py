"""How annealed importance sampling fares; Figure 6 of [BealGhahramani2006], and what its own remedy changes."""

import numpy as np
import xarray as xr
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ockham.papers.style import MARKED, PAGE, SCORES, figure_legend, journal, lettered, size_axis, thin

__all__ = ["draw_schedule_length", "figure_6", "figure_6_scaled"]

CYCLE = ("#0072B2", "#009E73", "#E69F00", "#D55E00", "#CC79A7", "#000000")


@journal()
def figure_6(summaries: xr.DataTree) -> Figure:
    """AIS at the published parameters; ``summaries`` from ``summarise``.

    (a) Log weights of runs against the length of the schedule, for the true structure, from draws of the prior and from
    the true parameters, with the VB and BIC scores. (b) Acceptance rate of the proposals over the schedule, mean over
    structures, and plus and minus their standard deviation. (c) Acceptance rate in each quarter of the schedule.
    (d) Schedules of other curvatures e_tau.
    """
    figure = Figure(figsize=(PAGE, 5.0), layout="constrained")
    panels = lettered(figure.subplots(2, 2).ravel())
    draw_schedule_length(panels[0], summaries)
    _acceptance(panels[1], summaries, {"ais": "mean over structures"})
    _quarters(panels[2], summaries, "ais")
    _schedules(panels[3], summaries)
    return figure


@journal()
def figure_6_scaled(summaries: xr.DataTree) -> Figure:
    """What a proposal strength that grows with n tau(k) repairs; ``summaries`` from ``summarise``.

    (a) Acceptance rate under the constant and the growing strength, mean over structures, with their standard
    deviation. (b) Acceptance rate in each quarter under the growing one. (c) Percentage of structures whose AIS(5) is
    below VB, under both.
    """
    figure = Figure(figsize=(PAGE, 2.6), layout="constrained")
    panels = lettered(figure.subplots(1, 3))
    names = {"ais": "constant", "ais_scaled": r"growing with $n\tau$"}
    _acceptance(panels[0], summaries, names)
    _quarters(panels[1], summaries, "ais_scaled")
    below = summaries["annealing"].to_dataset().below_vb.sel(batch_size=5, alias_correction="log_aliases")
    for (name, label), color in zip(names.items(), CYCLE, strict=False):
        line = 100 * below.reindex(group=[name]).isel(group=0).dropna("n")
        panels[2].plot(line.n, line, label=label, color=color, marker="o", **MARKED)
    panels[2].set_ylabel("AIS(5) below VB (% of structures)")
    size_axis(panels[2])
    figure_legend(panels[2])
    return figure


def draw_schedule_length(axes: Axes, summaries: xr.DataTree) -> None:
    """Log weights against the number of steps, with VB and BIC of the same structure and data."""
    data = summaries["schedule_length"].to_dataset()
    starts = {"prior": ("0.55", "from the prior"), "truth": ("#D55E00", "from the true parameters")}
    for start, (color, label) in starts.items():
        if start not in data.start:
            continue
        runs = data.log_weight.sel(start=start).dropna("run", how="all")
        lines = axes.plot(runs.n_steps, runs.transpose("n_steps", "run"), color=color, linewidth=0.6)
        lines[0].set_label(label)
    best = summaries["best"].to_dataset().sel(replicate=0, n=int(data.n), structure=summaries.attrs["true_structure"])
    for score, style in (("variational_bayes", "-"), ("bic", "--")):
        value = float(best.log_evidence.sel(score=score, alias_correction="log_aliases"))
        axes.axhline(value, color=SCORES[score].color, linewidth=0.9, linestyle=style, label=SCORES[score].label)
    size_axis(axes)
    axes.set_xlabel("steps of the schedule $K$")
    axes.set_ylabel("log weight (nats)")
    low = float(data.log_weight.sel(start="prior").quantile(0.1)) if "prior" in data.start else None
    axes.set_ylim(bottom=low)
    figure_legend(axes)


def _acceptance(axes: Axes, summaries: xr.DataTree, names: dict[str, str]) -> None:
    data = summaries["annealing"].to_dataset()
    for (name, label), color in zip(names.items(), CYCLE, strict=False):
        if name not in data.group:
            continue
        group = data.sel(group=name).dropna("n", subset=["acceptance"])
        axes.plot(group.n, group.acceptance, label=label, color=color, marker="o", **MARKED)
        low, high = (group.acceptance + sign * group.acceptance_deviation for sign in (-1, 1))
        axes.fill_between(group.n, low, high, facecolor=(color, 0.1), edgecolor=(color, 0.5), linewidth=0.4)
    axes.set_ylim(0, 1)
    axes.set_ylabel("acceptance rate")
    size_axis(axes)
    figure_legend(axes)


def _quarters(axes: Axes, summaries: xr.DataTree, name: str) -> None:
    rates = summaries["annealing"].to_dataset().acceptance_quarter
    if name in rates.group:
        for quarter, color in zip(rates.quarter.values, CYCLE, strict=False):
            line = rates.sel(group=name, quarter=quarter).dropna("n")
            axes.plot(line.n, line, label=f"quarter {quarter}", color=color, marker="o", **MARKED)
    axes.set_ylim(0, 1)
    axes.set_ylabel("acceptance rate")
    size_axis(axes)
    figure_legend(axes)


def _schedules(axes: Axes, summaries: xr.DataTree) -> None:
    data = summaries["schedules"].to_dataset()
    colors = colormaps["viridis"](np.linspace(0.9, 0.1, data.sizes["curvature"]))
    for curvature, color in zip(data.curvature.values, colors, strict=True):
        line = data.temperature.sel(curvature=curvature)
        axes.plot(line.fraction, line, color=color, linewidth=0.9, label=rf"$e_\tau = {curvature:g}$")
    axes.set_xlabel("step of the schedule, $k / K$")
    axes.set_ylabel(r"inverse temperature $\tau(k)$")
    thin(axes)
    figure_legend(axes)
