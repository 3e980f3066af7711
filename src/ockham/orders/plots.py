"""Pictures of what was learnt from one's own table."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from ockham.io.figures import journal

__all__ = ["figure_arcs"]


@journal()
def figure_arcs(names: Sequence[str], arcs: np.ndarray) -> Figure:
    """Posterior probabilities of arcs as a matrix, from the parent in the row to the child in the column."""
    n = len(names)
    side = max(2.5, 0.16 * n + 1.2)
    figure = Figure(figsize=(side + 0.6, side), layout="constrained")
    axes = figure.subplots()
    image = axes.imshow(arcs, vmin=0, vmax=1, cmap="Greys")
    for axis, dimension in ((axes.xaxis, "child"), (axes.yaxis, "parent")):
        axis.set_ticks(range(n), names, fontsize=5)
        axis.set_label_text(dimension)
    axes.tick_params(axis="x", rotation=90, width=0.3)
    axes.tick_params(axis="y", width=0.3)
    figure.colorbar(image, label="posterior probability", shrink=0.7)
    return figure
