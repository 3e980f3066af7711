"""Items in each class: bars of categories, densities of numbers, rates of counts."""

from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.mixtures.classes.profiles import profiles
from ockham.mixtures.items import Categorical, Gaussian

if TYPE_CHECKING:
    from ockham.mixtures.classes.selection import MixedSelection

__all__ = ["profile_figure"]

N_COLUMNS, N_POINTS = 3, 201
REACH = 3.5
"""Standard deviations on either side of a mean that a density is drawn over."""
LONGEST = 14
"""Characters of a label below a bar."""


@journal()
def profile_figure(found: "MixedSelection", k: int) -> Figure:
    """One panel an item, a colour a class, at the MAP fit."""
    parameters = found.fits[k].parameters
    items = list(profiles(found.models[k], parameters.natural))
    n_columns, n_rows = min(N_COLUMNS, len(items)), ceil(len(items) / N_COLUMNS)
    made = Figure(figsize=(2.6 * n_columns, 1.9 * n_rows + 0.4), layout="constrained")
    panels = np.atleast_1d(made.subplots(n_rows, n_columns)).ravel()
    sizes = np.exp(parameters.log_weights)
    for axes, (name, item, about) in zip(panels, items, strict=False):
        if isinstance(item, Categorical):
            _bars(axes, about["probability"], found.labels[name])
            axes.set_ylim(0, 1)
        elif isinstance(item, Gaussian):
            _densities(axes, about["mean"], about["standard_deviation"], sizes)
        else:
            (values,) = about.values()
            _bars(axes, values[:, None], [""])
            axes.set_ylabel(next(iter(about)))
        axes.set_title(_text(name, 3 * LONGEST))
    for axes in panels[len(items) :]:
        axes.set_axis_off()
    names = [f"class {c + 1}, {size:.0%}" for c, size in enumerate(sizes)]
    lines = [panels[0].plot([], [], color=_colour(c), linewidth=4)[0] for c in range(k)]
    made.legend(lines, names, loc="outside lower center", ncols=min(k, 5))
    return made


def _bars(axes: Any, values: np.ndarray, labels: tuple[str, ...] | list[str]) -> None:
    """Of shape (n_classes, n_states): classes beside each other at every state."""
    n_classes, places = len(values), np.arange(values.shape[1])
    width = 0.8 / n_classes
    for c, row in enumerate(values):
        axes.bar(places + (c - (n_classes - 1) / 2) * width, row, width, color=_colour(c))
    axes.set_xticks(places, [_text(label, LONGEST) for label in labels])


def _densities(axes: Any, mean: np.ndarray, deviation: np.ndarray, sizes: np.ndarray) -> None:
    """Of classes, by their shares of the rows."""
    at = np.linspace((mean - REACH * deviation).min(), (mean + REACH * deviation).max(), N_POINTS)
    for c, (m, s, size) in enumerate(zip(mean, deviation, sizes, strict=True)):
        density = size * np.exp(-0.5 * ((at - m) / s) ** 2) / (s * np.sqrt(2 * np.pi))
        axes.plot(at, density, color=_colour(c))
    axes.set_yticks([])
    axes.set_ylim(bottom=0)


def _colour(c: int) -> str:
    return f"C{c % 10}"


def _text(label: str, longest: int) -> str:
    """As it is, for Matplotlib takes dollars for formulas."""
    short = label if len(label) <= longest else f"{label[: longest - 1]}…"
    return short.replace("$", r"\$")
