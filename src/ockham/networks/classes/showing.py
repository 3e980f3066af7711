"""A picture of fitted classes of categorical items."""

from typing import TYPE_CHECKING

import numpy as np

from ockham.table_results.fitted.showing import class_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ockham.networks.classes.fitted import CategoricalClasses

__all__ = ["plot"]

WIDTH = 0.6
"""That the classes take up beside each other, of the distance between two values."""


def plot(fit: "CategoricalClasses", axes: "Axes | None" = None) -> "Axes":
    """Points and intervals of every value of every item, but for the first of two."""
    if axes is None:
        from matplotlib import pyplot as plt

        _, axes = plt.subplots(layout="constrained")
    model = fit.model
    of_pairs = model.value_starts[:-1][np.array(model.cardinalities) == 2]
    shown = np.setdiff1d(np.arange(len(model.quantities)), of_pairs)
    places = np.arange(len(shown))
    for k, name in enumerate(class_names(fit)):
        if not fit.known[k]:
            axes.plot([], [], " ", label=f"{name}: not known")
            continue
        mean, lower, upper = (part[k, shown] for part in fit.quantities)
        offset = WIDTH * ((k + 0.5) / fit.n_classes - 0.5)
        (line,) = axes.plot(places + offset, mean, "o", markersize=4, label=f"{name}, {fit.sizes.mean[k]:.0%}")
        axes.vlines(places + offset, lower, upper, color=line.get_color(), linewidth=1)  # which may not have the mean
    names = [f"{item}: {value}" for item, value in (model.quantities[i] for i in shown)]
    axes.set_xticks(places, names, rotation=90)
    axes.set(ylim=(-0.02, 1.02), ylabel="probability")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return axes
