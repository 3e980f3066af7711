"""Pictures of what was learnt from one's own table."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from ockham.io.figures import journal

if TYPE_CHECKING:
    import networkx

__all__ = ["figure_arcs", "figure_graph"]


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


@journal()
def figure_graph(best: "networkx.DiGraph", arcs: "networkx.DiGraph", title: str) -> Figure:
    """Arcs as wide as they are probable, black where the acyclic graph ``best``, whose layers are drawn, has them.

    Where no probability is known arcs are dashed.
    """
    import networkx as nx

    layered = nx.DiGraph()
    for layer, nodes in enumerate(nx.topological_generations(best)):
        layered.add_nodes_from(nodes, layer=-layer)
    places = nx.multipartite_layout(layered, subset_key="layer", align="horizontal")
    side = max(2.5, 0.3 * len(best) + 1.0)
    figure = Figure(figsize=(side, side), layout="constrained")
    axes = figure.subplots()
    axes.set_title(title)
    axes.set_axis_off()
    axes.margins(0.1)
    probabilities = np.array([arcs.edges[arc]["probability"] for arc in arcs.edges])
    nx.draw_networkx_edges(
        arcs, places, ax=axes, width=np.nan_to_num(0.2 + 2.3 * probabilities, nan=0.5), arrowsize=7, node_size=250,
        edge_color=["black" if best.has_edge(*arc) else "0.6" for arc in arcs.edges],
        style="dashed" if np.isnan(probabilities).any() else "solid", connectionstyle="arc3,rad=0.1",
    )  # fmt: skip
    nx.draw_networkx_labels(arcs, places, ax=axes, font_size=6, bbox={"boxstyle": "round", "fc": "white", "lw": 0.5})
    return figure
