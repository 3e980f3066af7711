"""What counting linear extensions costs, by the number of nodes (Figure 1 of [NiinimakiKoivisto2013])."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import xarray as xr

from ockham.datasets.random_graphs import random_graph
from ockham.inference.linear_extensions import log_counts, n_ideals
from ockham.streams import Stream
from ockham.timing import cpu_seconds

__all__ = ["extension_times"]


def extension_times(
    sizes: Sequence[int], indegrees: Sequence[int], graphs: int, stream: Stream, repeats: int = 1
) -> xr.Dataset:
    """CPU time of counting the linear extensions of random graphs.

    Parameters
    ----------
    sizes, indegrees : sequence of int
        Numbers of nodes, and largest indegrees.
    graphs : int
        Graphs of each.
    stream : Stream
    repeats : int
        Of every measurement; the shortest is kept.

    Returns
    -------
    xarray.Dataset
        ``seconds``, ``log_count`` and ``n_ideals``, the number of ideals of the partial order, over (max_indegree, n,
        graph).
    """
    shape = len(indegrees), len(sizes), graphs
    seconds, logs, ideals = np.empty(shape), np.empty(shape), np.empty(shape)
    for index in np.ndindex(shape):
        k, n, graph = indegrees[index[0]], sizes[index[1]], index[2]
        parents = random_graph(n, k, stream.child("graph", k, n, graph).generator())[None]
        logs[index] = log_counts(parents)[0]
        ideals[index] = n_ideals(parents[0])
        seconds[index] = cpu_seconds(partial(log_counts, parents), repeats)
    dimensions = ("max_indegree", "n", "graph")
    return xr.Dataset(
        {
            "seconds": (dimensions, seconds, {"long_name": "CPU time of one count", "units": "s"}),
            "log_count": (dimensions, logs, {"long_name": "Log number of linear extensions", "units": "nats"}),
            "n_ideals": (dimensions, ideals, {"long_name": "Ideals of the partial order", "units": "1"}),
        },
        {"max_indegree": list(indegrees), "n": list(sizes)},
    )
