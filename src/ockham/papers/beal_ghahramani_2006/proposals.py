"""How the proposals of AIS fare, as figures of [BealGhahramani2006] show it."""

from collections.abc import Mapping

import xarray as xr
from matplotlib.axes import Axes

from ockham.papers.style import MARKED, SCORES, figure_legend, size_axis

__all__ = ["CYCLE", "draw_acceptance", "draw_quarters", "draw_schedule_length", "of_role"]

CYCLE = ("#0072B2", "#009E73", "#E69F00", "#D55E00", "#CC79A7", "#000000")


def of_role(data: xr.Dataset, role: str) -> xr.Dataset | None:
    """The first group of AIS that has a role, or, for the empty one, has none."""
    chosen = data.isel(group=(data.role == role).values)
    return chosen.isel(group=0, drop=True) if chosen.sizes["group"] else None


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


def draw_acceptance(axes: Axes, summaries: xr.DataTree, roles: Mapping[str, str]) -> None:
    """Acceptance rate by size, mean over structures and plus and minus their standard deviation, by role."""
    data = summaries["annealing"].to_dataset()
    for (role, label), color in zip(roles.items(), CYCLE, strict=False):
        group = of_role(data, role)
        if group is None:
            continue
        group = group.dropna("n", subset=["acceptance"])
        axes.plot(group.n, group.acceptance, label=label, color=color, marker="o", **MARKED)
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
        for quarter, color in zip(group.quarter.values, CYCLE, strict=False):
            line = group.acceptance_quarter.sel(quarter=quarter).dropna("n")
            axes.plot(line.n, line, label=f"quarter {quarter}", color=color, marker="o", **MARKED)
    axes.set_ylim(0, 1)
    axes.set_ylabel("acceptance rate")
    size_axis(axes)
    figure_legend(axes)
