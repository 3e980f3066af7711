"""How figures of [NiinimakiKoivisto2013] draw samplers of node orders against running time."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from ockham.papers.style import thin

__all__ = ["draw_evidence", "label_of", "middle_length", "name_panel", "time_axis"]

COLORS = {
    ("ais", 1): "#0072B2", ("ais", 4): "#009E73", ("ais", 16): "#D55E00",
    ("mc3", 4): "#0072B2", ("mc3", 16): "#009E73", ("mc3", 64): "#D55E00",
}  # fmt: skip
"""Of the paper's samplers by their length, from the shortest to the longest; others are purple."""
SHOWN_NATS = 8.0
"""How far below the highest estimate the axis of log evidences reaches at the most."""


def middle_length(data: xr.Dataset) -> str:
    """The entry of annealed importance sampling of the middle length, whose lower bound the paper shows; or nothing."""
    annealed = data.scorer[(data.sampler == "ais").values]
    entries = annealed.sortby(annealed.length).values
    return str(entries[len(entries) // 2]) if len(entries) else ""


def name_panel(axes: Axes, data: xr.Dataset) -> None:
    """The data set and its number of variables above a panel."""
    name = data.attrs["data"].replace("_", " ").capitalize()
    axes.set_title(f"{name} ($n={data.sizes['parent']}$)", loc="right")


def label_of(entry: xr.DataArray) -> str:
    """What a sampler is called in legends."""
    return f"AIS {int(entry.length)}" if entry.sampler == "ais" else f"MC$^3$ {int(entry.length)}"


def draw_evidence(axes: Axes, data: xr.Dataset, entries: xr.DataArray) -> None:
    """Median log evidence of every sampler against its median running time, with AISL and the exact value."""
    highest, lowest = [float(data.exact_log_evidence)], []
    middle = middle_length(data)
    for entry in entries:
        line = data[["seconds", "log_evidence", "lower_bound"]].sel(scorer=entry.item()).median("run")
        annealed = bool(entry.sampler == "ais")
        color = COLORS.get((str(entry.sampler.item()), int(entry.length)), "#CC79A7")
        label = label_of(entry) + (" $nm$" if annealed else "")
        axes.plot(line.seconds, line.log_evidence, "-" if annealed else "--", label=label, color=color, linewidth=0.9)
        highest.append(float(line.log_evidence[-1]))
        lowest.append(float(line.log_evidence.min()))
        if entry.item() == middle:
            label = f"AISL {int(entry.length)} $nm$"
            axes.plot(line.seconds, line.lower_bound, ":", color="0.4", linewidth=1.1, label=label)
            lowest.append(float(line.lower_bound.min()))
    if np.isfinite(highest[0]):
        axes.axhline(highest[0], color="black", linewidth=0.7, label="exact")
    top = np.nanmax(highest)
    height = min(SHOWN_NATS, 1.1 * (top - np.nanmin(lowest)))
    axes.set_ylim(top - height, top + 0.2 * height)
    axes.set_ylabel("log evidence (nats)")
    time_axis(axes)


def time_axis(axes: Axes) -> None:
    """Running time on a logarithmic axis."""
    axes.set_xscale("log")
    axes.set_xlabel("running time (s)")
    thin(axes)
