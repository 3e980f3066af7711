"""Log evidence by every score against the number of classes; Figures 2, 4 to 9 and 11 of [ChickeringHeckerman1997]."""

from functools import partial
from typing import NamedTuple

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ockham.papers.style import MARKED, PAGE, Style, journal, thin

__all__ = ["MIXTURES", "MIXTURES_NEED"]

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


FIGURES = {
    "figure_2": [
        Panel("independent", 400, "independent classes"),
        Panel("independent", 400, "the same, closer", close=True),
        Panel("overlap_140", 400, r"$\eta = 1.4$"),
        Panel("overlap_070", 400, r"$\eta = 0.7$"),
    ],
    "figure_4": [
        Panel("small_125", 10, r"$\eta = 1.25$"),
        Panel("small_350", 10, r"$\eta = 3.5$"),
        Panel("small_575", 10, r"$\eta = 5.75$"),
    ],
    "figure_5": [Panel(f"features_{k}", 400, f"{k} features") for k in (32, 64, 128)],
    "figure_6": [
        Panel("features_64", 400, "4 true classes"),
        Panel("classes_6", 400, "6 true classes"),
        Panel("classes_8", 400, "8 true classes"),
    ],
    "figure_7": [Panel("features_64", n, f"$n = {n}$") for n in (50, 100, 200, 400)],
    "figure_8": [
        Panel("classes_8", 400, r"$\alpha_{ijk} = 1$"),
        Panel("prior_1", 400, r"$\alpha_{ijk} = 1 / r_i q_i$"),
        Panel("prior_01", 400, r"$\alpha_{ijk} = 0.1 / r_i q_i$"),
    ],
    "figure_9": [Panel("inside", 400, r"$\eta = 1.75$"), Panel("boundary", 400, "10 % of parameters are 0")],
    "figure_11": [
        Panel("small_soybean", 47, "small soybean"),
        Panel("audiology", 226, "audiology"),
        Panel("lung_cancer", 32, "lung cancer"),
    ],
}


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
    classes = [int(label.removeprefix("classes-")) for label in data.structure.values]
    for score, style in SCORES.items():
        if score in data.score and values.sel(score=score).notnull().any():
            look = MARKED | {"label": style.label, "color": style.color, "marker": style.marker, "clip_on": panel.close}
            axes.plot(classes, values.sel(score=score), **look)
    axes.vlines(classes, data.lowest_run, data.highest_run, color=SCORES["candidate"].color, linewidth=1)
    separation = f"\nseparation {float(data.separation):.4f}" if "separation" in data else ""
    axes.set_xlabel(f"classes{separation}")
    if panel.close:
        standard = values.sel(score="candidate")
        span = float(standard.max() - standard.sel(structure="classes-1"))
        axes.set_ylim(float(standard.max()) - max(0.15 * span, 1.0), float(standard.max()) + max(0.02 * span, 0.2))
    axes.set_xticks(np.array(classes))
    axes.yaxis.set_major_locator(MaxNLocator(5))
    thin(axes)


MIXTURES = {name: partial(draw, panels) for name, panels in FIGURES.items()}
"""Figure to its function."""

MIXTURES_NEED = {name: tuple({panel.condition for panel in panels}) for name, panels in FIGURES.items()}
"""Figure to the conditions that it shows."""
