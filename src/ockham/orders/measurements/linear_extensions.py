"""What counting linear extensions costs, by the number of nodes (Figure 1 of [NiinimakiKoivisto2013])."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Draw
from ockham.errors import ModelError
from ockham.estimation.timing import cpu_seconds
from ockham.orders.data.random_graphs import random_graph
from ockham.orders.inference.linear_extensions import log_counts, n_ideals
from ockham.orders.parent_sets import MAX_NODES
from ockham.streams import Stream

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Settings", "extension_times", "measure"]


class Settings(contracts.Settings):
    """Which random graphs."""

    sizes: list[Annotated[int, Field(ge=1, le=MAX_NODES)]] = Field(
        default=[10, 20, 30], min_length=1, description="numbers of nodes"
    )
    indegrees: list[Annotated[int, Field(ge=0, le=MAX_NODES)]] = Field(
        default=[3, 6], min_length=1, max_length=4, description="largest indegrees"
    )
    graphs: Annotated[int, Field(ge=1, le=1000)] = Field(default=9, description="graphs of each")


def measure(study: Any, draw: Draw, settings: Settings) -> "xr.Dataset":
    """``extension_times`` of random graphs of the study's streams; the data do not matter."""
    stream = Stream(study.root_seed, "linear extensions", study.paper or study.study)
    return extension_times(settings.sizes, settings.indegrees, settings.graphs, stream)


def extension_times(
    sizes: Sequence[int], indegrees: Sequence[int], graphs: int, stream: Stream, max_bytes: int = 2**31
) -> "xr.Dataset":
    """CPU time of counting the linear extensions of random graphs.

    Parameters
    ----------
    sizes, indegrees : sequence of int
        Numbers of nodes, and largest indegrees.
    graphs : int
        Graphs of each.
    stream : Stream
    max_bytes : int
        Memory that a count may take; one that would need more has no time.

    Returns
    -------
    xarray.Dataset
        ``seconds`` and ``log_count``, NaN where the memory does not suffice, and ``n_ideals``, the number of ideals of
        the partial order, over (max_indegree, n, graph).
    """
    shape = len(indegrees), len(sizes), graphs
    seconds, logs, ideals = np.empty(shape), np.empty(shape), np.empty(shape)
    for index in np.ndindex(shape):
        k, n, graph = indegrees[index[0]], sizes[index[1]], index[2]
        parents = random_graph(n, k, stream.child("graph", k, n, graph).generator())[None]
        ideals[index] = n_ideals(parents[0])
        try:
            logs[index] = log_counts(parents, max_bytes)[0]
            seconds[index] = cpu_seconds(partial(log_counts, parents, max_bytes), repeats=1)
        except ModelError:
            seconds[index] = logs[index] = np.nan
    dimensions = ("max_indegree", "n", "graph")
    import xarray as xr  # slow to import, and the settings above are read wherever a study is

    return xr.Dataset(
        {
            "seconds": (dimensions, seconds, {"long_name": "CPU time of one count", "units": "s"}),
            "log_count": (dimensions, logs, {"long_name": "Log number of linear extensions", "units": "nats"}),
            "n_ideals": (dimensions, ideals, {"long_name": "Ideals of the partial order", "units": "1"}),
        },
        {"max_indegree": list(indegrees), "n": list(sizes)},
    )
