"""What the correction of bias changes; Figure 3 of [NiinimakiKoivisto2013]."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.papers.niinimaki_koivisto_2013.samplers import (
    draw_evidence,
    entries_of,
    label_of,
    name_panel,
    over_runs,
    time_axis,
)
from ockham.papers.style import PAGE, figure_legend, lettered, one_legend

__all__ = ["figure_3"]


@journal()
def figure_3(summaries: xr.DataTree) -> Figure:
    """What the correction of bias changes; ``summaries`` from ``summarise``.

    First panels: log evidence under the uniform prior over graphs, by AIS, where linear extensions were counted. Last
    panels: largest error of an arc's posterior, for both priors where exact values are known; of AIS and of MC3 the
    entry that is best at the end of the run.
    """
    names = summaries.attrs["conditions"].split()
    counted = [name for name in names if _known(entries_of(summaries, name), "graphs", "log_evidence")]
    judged = [name for name in names if _known(entries_of(summaries, name), "orders", "arc_error")]
    figure = Figure(figsize=(PAGE, 2.6 * (1 + (len(counted) + len(judged) > 3))), layout="constrained")
    n_rows = 1 if len(counted) + len(judged) <= 3 else 2
    n_columns = -(-(len(counted) + len(judged)) // n_rows)
    panels = lettered(list(figure.subplots(n_rows, n_columns, squeeze=False).ravel()))
    for axes, name in zip(panels, counted, strict=False):
        data = entries_of(summaries, name).sel(prior="graphs")
        draw_evidence(axes, data, data.scorer[(data.sampler == "ais").values])
        name_panel(axes, data)
    one_legend(figure)  # of what is drawn so far
    for axes, name in zip(panels[len(counted) :], judged, strict=False):
        data = entries_of(summaries, name)
        _arc_errors(axes, data)
        name_panel(axes, data)
    for axes in panels[len(counted) + len(judged) :]:
        axes.set_visible(False)
    return figure


def _known(group: xr.Dataset, prior: str, name: str) -> bool:
    return bool(group[name].sel(prior=prior).notnull().any())


def _arc_errors(axes: Axes, data: xr.Dataset) -> None:
    """Median largest error of an arc of the sampler of each kind that ends with the smallest, for each prior."""
    for prior, style, fill in (("orders", "-", "full"), ("graphs", "--", "none")):
        errors = data.arc_error.sel(prior=prior).median("run")
        for kind, color, marker in (("ais", "#0072B2", "o"), ("mc3", "#D55E00", "s")):
            last = errors.isel(fraction=-1, scorer=(errors.sampler == kind).values)
            if not np.isfinite(last).any():
                continue
            best = last.scorer[int(np.argmin(last.fillna(np.inf).values))]
            line = over_runs(data[["seconds", "arc_error"]].sel(prior=prior, scorer=best.item()))
            axes.plot(
                line.seconds, line.arc_error, style, color=color, linewidth=0.9, marker=marker, markersize=2.2,
                markeredgewidth=0.5, fillstyle=fill, label=("c" if prior == "graphs" else "") + label_of(best),
            )  # fmt: skip
    axes.set_yscale("log")
    axes.set_ylabel("largest error of an arc")
    time_axis(axes)
    figure_legend(axes)
