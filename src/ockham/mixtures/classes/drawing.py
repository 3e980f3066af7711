"""Items in each class: bars of categories, densities of numbers, rates of counts."""

from collections.abc import Mapping
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.mixtures.classes.profiles import profiles, quantity_names
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.items import Categorical, Gaussian, Poisson

if TYPE_CHECKING:
    from ockham.mixtures.classes.selection import MixedSelection

__all__ = ["Shown", "map_figure", "profile_figure"]

N_COLUMNS, N_POINTS = 3, 201
REACH = 3.5
"""Standard deviations on either side of a mean that a density is drawn over."""
OF_INTERVALS = "0.2"
"""Grey, which bars and densities of no class have."""
LONGEST = 14
"""Characters of a label below a bar."""


class Shown(NamedTuple):
    """What is shown of the classes; NaN of a class that is not known.

    Attributes
    ----------
    sizes : ndarray, shape (n_classes,)
    values : ndarray, shape (n_classes, n_quantities)
        As ``profiles`` has them.
    bounds : ndarray, shape (2, n_classes, n_quantities), optional
        Ends of intervals.
    """

    sizes: np.ndarray
    values: np.ndarray
    bounds: np.ndarray | None = None

    def of(self, at: slice) -> "Shown":
        """Some of the quantities."""
        return Shown(self.sizes, self.values[:, at], None if self.bounds is None else self.bounds[..., at])


def map_figure(found: "MixedSelection", k: int) -> Figure:
    """The MAP fit of a number of classes."""
    parameters = found.fits[k].parameters
    values = profiles(found.models[k], parameters.natural)
    return profile_figure(found.models[k], found.labels, Shown(np.exp(parameters.log_weights), values))


@journal()
def profile_figure(model: FiniteMixture, labels: Mapping[str, tuple[str, ...]], shown: Shown) -> Figure:
    """One panel an item, a colour a class."""
    n_columns, n_rows = min(N_COLUMNS, len(model.items)), ceil(len(model.items) / N_COLUMNS)
    made = Figure(figsize=(2.6 * n_columns, 1.9 * n_rows + 0.4), layout="constrained")
    panels = np.atleast_1d(made.subplots(n_rows, n_columns)).ravel()
    owners = [item for item, _ in quantity_names(model, labels)]
    for axes, (name, item) in zip(panels, model.items.items(), strict=False):
        first = owners.index(name)
        own = shown.of(slice(first, first + owners.count(name)))
        if isinstance(item, Categorical):
            _bars(axes, own, labels[name])
            axes.set_ylim(0, 1)
        elif isinstance(item, Gaussian):
            _densities(axes, own)
        else:
            _bars(axes, own, [""])
            axes.set_ylabel("rate" if isinstance(item, Poisson) else "probability")
        axes.set_title(_text(name, 3 * LONGEST))
    for axes in panels[len(model.items) :]:
        axes.set_axis_off()
    unknown = np.isnan(shown.sizes)
    names = [
        f"class {c + 1}: not known" if lost else f"class {c + 1}, {size:.0%}"
        for c, (size, lost) in enumerate(zip(shown.sizes, unknown, strict=True))
    ]
    lines = [panels[0].plot([], [], color=_colour(c), linewidth=0 if lost else 4)[0] for c, lost in enumerate(unknown)]
    made.legend(lines, names, loc="outside lower center", ncols=min(len(names), 5))
    return made


def _bars(axes: Any, shown: Shown, labels: tuple[str, ...] | list[str]) -> None:
    """Classes beside each other at every state."""
    n_classes, places = len(shown.values), np.arange(shown.values.shape[1])
    width = 0.8 / n_classes
    for c, row in enumerate(shown.values):
        at = places + (c - (n_classes - 1) / 2) * width
        axes.bar(at, np.nan_to_num(row), width, color=_colour(c))
        if shown.bounds is not None:
            axes.vlines(at, *shown.bounds[:, c], color=OF_INTERVALS, linewidth=1)
    axes.set_xticks(places, [_text(label, LONGEST) for label in labels])


def _densities(axes: Any, shown: Shown) -> None:
    """Of classes, by their shares of the rows; the interval of a mean is at its height."""
    mean, deviation = shown.values.T
    ends = np.concatenate([mean - REACH * deviation, mean + REACH * deviation])
    axes.set_yticks([])
    if np.isnan(ends).all():
        return
    at = np.linspace(np.nanmin(ends), np.nanmax(ends), N_POINTS)
    for c, (m, s, size) in enumerate(zip(mean, deviation, shown.sizes, strict=True)):
        highest = size / (s * np.sqrt(2 * np.pi))
        axes.plot(at, highest * np.exp(-0.5 * ((at - m) / s) ** 2), color=_colour(c))
        if shown.bounds is not None:
            axes.hlines(highest, *shown.bounds[:, c, 0], color=OF_INTERVALS, linewidth=1)
    axes.set_ylim(bottom=0)


def _colour(c: int) -> str:
    return f"C{c % 10}"


def _text(label: str, longest: int) -> str:
    """As it is, for Matplotlib takes dollars for formulas."""
    short = label if len(label) <= longest else f"{label[: longest - 1]}…"
    return short.replace("$", r"\$")
