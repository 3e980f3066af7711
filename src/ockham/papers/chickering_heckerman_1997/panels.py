"""Log evidence by every score against the number of classes, as most figures of [ChickeringHeckerman1997] show it."""

from typing import NamedTuple

import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ockham.io.figures import journal
from ockham.papers.style import MARKED, PAGE, Style, marked, thin

__all__ = ["SCORES", "Panel", "draw"]

SCORES = {
    "candidate": Style("Candidate", "#000000", "o"),
    "exact": Style("exact", "#000000", "_"),
    "laplace": Style("Laplace", "#D55E00", "D"),
    "laplace_block": Style("Block", "#E69F00", "s"),
    "laplace_diagonal": Style("Diagonal", "#CC79A7", "P"),
    "cheeseman_stutz": Style("CS MAP", "#009E73", "^"),
    "cheeseman_stutz_ml": Style("CS ML", "#009E73", "v"),
    "bic": Style("BIC MAP", "#0072B2", "x"),
    "bic_ml": Style("BIC ML", "#56B4E9", "+"),
}


class Panel(NamedTuple):
    """One condition at one size; ``close`` shows the upper part of the scores alone."""

    condition: str
    n: int
    title: str
    close: bool = False


@journal()
def draw(panels: list[Panel], summaries: xr.DataTree) -> Figure:
    """A panel for each condition; ``summaries`` as ``summarise_conditions`` returns it.

    Bars show the range of the runs of the Candidate method.
    """
    figure = Figure(figsize=(PAGE, 2.8), layout="constrained")
    row = list(figure.subplots(1, len(panels), squeeze=False)[0])
    for letter, axes, panel in zip("abcd", row, panels, strict=False):
        _panel(axes, panel, summaries[panel.condition].to_dataset().isel(replicate=0).sel(n=panel.n))
        axes.set_title(f"({letter}) {panel.title}", loc="left")
    row[0].set_ylabel("log evidence (nats)")
    entries = {label: handle for axes in row for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(entries.values(), entries.keys(), loc="outside lower center", ncols=5, frameon=False)
    return figure


def _panel(axes: Axes, panel: Panel, data: xr.Dataset) -> None:
    values = data.log_evidence.sel(alias_correction="log_aliases")
    classes = data.n_hidden_configurations.values
    for score, style in SCORES.items():
        if score in data.score and values.sel(score=score).notnull().any():
            look = MARKED | {"label": style.label, "color": style.color, "marker": style.marker, "clip_on": panel.close}
            look |= marked(data.doubt.sel(score=score))
            axes.plot(classes, values.sel(score=score), **look)
    axes.vlines(classes, data.lowest_run, data.highest_run, color=SCORES["candidate"].color, linewidth=1)
    separation = f"\nseparation {float(data.separation):.4f}" if "separation" in data else ""
    axes.set_xlabel(f"classes{separation}")
    if panel.close:
        standard = values.sel(score="candidate")
        span = float(standard.max() - standard.isel(structure=classes.argmin()))
        axes.set_ylim(float(standard.max()) - max(0.15 * span, 1.0), float(standard.max()) + max(0.02 * span, 0.2))
    axes.set_xticks(classes)
    axes.yaxis.set_major_locator(MaxNLocator(5))
    thin(axes)
