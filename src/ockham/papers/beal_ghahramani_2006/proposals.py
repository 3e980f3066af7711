"""How the proposals of AIS fare, as figures of [BealGhahramani2006] show it."""

from collections.abc import Mapping
from typing import Any

import xarray as xr
from matplotlib.axes import Axes

from ockham.papers.style import LONG, MARKED, SCORES, figure_legend, size_axis

__all__ = ["CYCLE", "draw_acceptance", "draw_quarters", "draw_schedule_length", "of_role"]

CYCLE: tuple[dict[str, Any], ...] = (
    {"color": "#0072B2", "marker": "o", "linestyle": "-"},
    {"color": "#009E73", "marker": "^", "linestyle": "--"},
    {"color": "#E69F00", "marker": "s", "linestyle": ":"},
    {"color": "#D55E00", "marker": "D", "linestyle": LONG},
)
"""Looks of lines that are no scores, told apart in grey as well."""
LINEAR = 10.0
"""Nats from the bound, within which log weights are drawn to scale; logarithms are beyond."""


def of_role(data: xr.Dataset, role: str) -> xr.Dataset | None:
    """The first group of AIS that has a role, or, for the empty one, has none."""
    chosen = data.isel(group=(data.role == role).values)
    return chosen.isel(group=0, drop=True) if chosen.sizes["group"] else None


def draw_schedule_length(axes: Axes, summaries: xr.DataTree, *, from_bound: bool = False) -> None:
    """Log weights against the number of steps, with VB and BIC of the same structure and data; or all minus VB."""
    data = summaries["schedule_length"].to_dataset()
    best = summaries["best"].to_dataset().sel(replicate=0, n=int(data.n), structure=summaries.attrs["true_structure"])
    at = best.log_evidence.sel(alias_correction="log_aliases")
    less = float(at.sel(score="variational_bayes")) if from_bound else 0.0
    starts = {"prior": ("0.55", "from the prior"), "truth": ("#D55E00", "from the true parameters")}
    for start, (color, label) in starts.items():
        if start not in data.start:
            continue
        runs = data.log_weight.sel(start=start).dropna("run", how="all")
        lines = axes.plot(runs.n_steps, runs.transpose("n_steps", "run") - less, color=color, linewidth=0.6)
        lines[0].set_label(label)
    for score, style in (("variational_bayes", "-"), ("bic", "--")):
        value = float(at.sel(score=score)) - less
        axes.axhline(value, color=SCORES[score].color, linewidth=0.9, linestyle=style, label=SCORES[score].label)
    size_axis(axes)
    axes.set_xlabel("steps of the schedule $K$")
    if from_bound:
        axes.set_ylabel("log weight minus VB (nats)")
        axes.set_yscale("symlog", linthresh=LINEAR)
    else:
        axes.set_ylabel("log weight (nats)")
        low = float(data.log_weight.sel(start="prior").quantile(0.1)) if "prior" in data.start else None
        axes.set_ylim(bottom=low)
    figure_legend(axes)


def draw_acceptance(axes: Axes, summaries: xr.DataTree, roles: Mapping[str, str]) -> None:
    """Acceptance rate by size, mean over structures and plus and minus their standard deviation, by role."""
    data = summaries["annealing"].to_dataset()
    for (role, label), look in zip(roles.items(), CYCLE, strict=False):
        group = of_role(data, role)
        if group is None:
            continue
        group = group.dropna("n", subset=["acceptance"])
        color = look["color"]
        axes.plot(group.n, group.acceptance, label=label, **MARKED | look)
        low, high = (group.acceptance + sign * group.acceptance_deviation for sign in (-1, 1))
        axes.fill_between(group.n, low, high, facecolor=(color, 0.1), edgecolor=(color, 0.5), linewidth=0.4)
    axes.set_ylim(0, 1)
    axes.set_ylabel("acceptance rate\nband: $\\pm$ standard deviation")
    size_axis(axes)
    figure_legend(axes)


def draw_quarters(axes: Axes, summaries: xr.DataTree, role: str) -> None:
    """Acceptance rate by size in each quarter of the schedule."""
    group = of_role(summaries["annealing"].to_dataset(), role)
    if group is not None:
        for quarter, look in zip(group.quarter.values, CYCLE, strict=False):
            line = group.acceptance_quarter.sel(quarter=quarter).dropna("n")
            axes.plot(line.n, line, label=f"quarter {quarter}", **MARKED | look)
    axes.set_ylim(0, 1)
    axes.set_ylabel("acceptance rate")
    size_axis(axes)
    figure_legend(axes)
