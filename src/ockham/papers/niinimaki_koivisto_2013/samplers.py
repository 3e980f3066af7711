"""How figures of [NiinimakiKoivisto2013] draw samplers of node orders against running time."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from ockham.papers.style import thin

__all__ = [
    "EXACT", "draw_evidence", "entries_of", "label_of", "middle_length", "name_of", "name_panel", "over_runs",
    "reference", "time_axis",
]  # fmt: skip

LOOKS = {
    ("ais", 1): ("#0072B2", "o"), ("ais", 4): ("#009E73", "s"), ("ais", 16): ("#D55E00", "^"),
    ("mc3", 4): ("#0072B2", "o"), ("mc3", 16): ("#009E73", "s"), ("mc3", 64): ("#D55E00", "^"),
}  # fmt: skip
"""Of the paper's samplers by their length, from the shortest to the longest; others are purple. Without colour, markers
tell lengths apart, filled those of AIS."""
NAMES = {"ais": "AIS", "mc3": "MC3"}
EXACT = "exact"
LINES = {EXACT: "-", "median at the end": (0, (6, 2, 1, 2))}
"""What differences are from."""
SHOWN_NATS = 8.0
"""How far below the highest estimate the axis of log evidences reaches at the most."""
LEAST_NATS = 0.1
"""What the axis of log evidences shows at the least."""


def entries_of(summaries: xr.DataTree, condition: str, *roles: str) -> xr.Dataset:
    """The summaries of a condition, of its entries with one of these roles; of those without any if none is given."""
    data = summaries[condition].to_dataset()
    return data.isel(scorer=np.isin(data.role, roles or ("",)))


def middle_length(data: xr.Dataset) -> str:
    """The entry of annealed importance sampling of the middle length, whose lower bound the paper shows; or nothing."""
    annealed = data.scorer[(data.sampler == "ais").values]
    entries = annealed.sortby(annealed.length).values
    return str(entries[len(entries) // 2]) if len(entries) else ""


def name_panel(axes: Axes, data: xr.Dataset) -> None:
    """The data set and its number of variables above a panel."""
    name = data.attrs["data"].replace("_", " ").capitalize()
    axes.set_title(f"{name} ($n={data.sizes['parent']}$)", loc="right")


def name_of(entry: xr.Dataset) -> str:
    """What a sampler is called in tables."""
    return f"{NAMES[str(entry.sampler.item())]} {int(entry.length)}"


def label_of(entry: xr.DataArray) -> str:
    """What a sampler is called in legends."""
    return f"AIS {int(entry.length)}" if entry.sampler == "ais" else f"MC$^3$ {int(entry.length)}"


def reference(data: xr.Dataset) -> tuple[float, str]:
    """The log evidence that estimates under one prior are measured from, nats, and what it is.

    The exact value, or, where that is not known, the median over samplers of where the median run ends.
    """
    exact = float(data.exact_log_evidence)
    if np.isfinite(exact):
        return exact, EXACT
    return float(data.log_evidence.isel(fraction=-1).median("run").median("scorer")), "median at the end"


def over_runs(entry: xr.Dataset) -> xr.Dataset:
    """Medians over the runs of one entry; a point that one of its runs lacks is missing, and breaks the line."""
    return entry.dropna("run", how="all", subset=["seconds"]).median("run", skipna=False)


def draw_evidence(axes: Axes, data: xr.Dataset, entries: xr.DataArray) -> None:
    """Median log evidence of every sampler from the reference, against its median CPU time, with AISL.

    What is not to be trusted, with all runs together, has no markers.
    """
    zero, what = reference(data)
    highest, lowest = [0.0], [0.0]
    middle = middle_length(data)
    for entry in entries:
        line = over_runs(data[["seconds", "log_evidence", "lower_bound"]].sel(scorer=entry.item()))
        annealed = bool(entry.sampler == "ais")
        color, marker = LOOKS.get((str(entry.sampler.item()), int(entry.length)), ("#CC79A7", "D"))
        label = label_of(entry) + (" $nm$" if annealed else "")
        known = int(data.doubt.sel(scorer=entry.item())) == 0
        axes.plot(
            line.seconds, line.log_evidence - zero, "-" if annealed else "--", label=label, color=color, linewidth=0.9,
            marker=marker, markersize=2.2, markeredgewidth=0.5, fillstyle="full" if annealed else "none",
            markevery=None if known else [],
        )  # fmt: skip
        highest.append(float(line.log_evidence[-1]) - zero)
        lowest.append(float(line.log_evidence.min()) - zero)
        if entry.item() == middle:
            label = f"AISL {int(entry.length)} $nm$"
            axes.plot(line.seconds, line.lower_bound - zero, ":", color="0.4", linewidth=1.1, label=label)
            lowest.append(float(line.lower_bound.min()) - zero)
    axes.axhline(0.0, color="black", linewidth=0.7, linestyle=LINES[what], label=what)
    top = np.nanmax(highest)
    height = max(min(SHOWN_NATS, 1.1 * (top - np.nanmin(lowest))), LEAST_NATS)
    axes.set_ylim(top - height, top + 0.2 * height)
    axes.set_ylabel(f"log evidence minus {zero:.1f} (nats)".replace("minus -", "+ "))
    time_axis(axes)


def time_axis(axes: Axes) -> None:
    """CPU time on a logarithmic axis."""
    axes.set_xscale("log")
    axes.set_xlabel("CPU time (s)")
    thin(axes)
