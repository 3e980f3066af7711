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
from ockham.orders.inference.ideals import count_in_table, table_bytes
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
    table_limit: Annotated[float, Field(gt=0, le=1e4)] = Field(
        default=0.2, description="GB that a table of all ideals may take, which is the paper's method"
    )


def measure(study: Any, draw: Draw, settings: Settings) -> "xr.Dataset":
    """``extension_times`` of random graphs of the study's streams; the data do not matter."""
    stream = Stream(study.root_seed, "linear extensions", study.paper or study.study)
    limit = 1e9 * settings.table_limit
    return extension_times(settings.sizes, settings.indegrees, settings.graphs, stream, table_limit=limit)


def extension_times(
    sizes: Sequence[int], indegrees: Sequence[int], graphs: int, stream: Stream, *,
    max_bytes: int = 2**31, table_limit: float = 2e8,
) -> "xr.Dataset":  # fmt: skip
    """CPU time of counting the linear extensions of random graphs, and of counting them in a table of all ideals.

    Parameters
    ----------
    sizes, indegrees : sequence of int
        Numbers of nodes, and largest indegrees.
    graphs : int
        Graphs of each.
    stream : Stream
    max_bytes : int
        Memory that a count may take; one that would need more has no time.
    table_limit : float
        Bytes that a table may take. Where one of the graphs of a size needs more, none is timed, as in the paper.

    Returns
    -------
    xarray.Dataset
        ``seconds`` and ``log_count``, NaN where the memory does not suffice, ``n_ideals``, the number of ideals of
        the partial order, ``table_bytes``, what a table of them takes, and ``table_seconds``, NaN where they do not
        suffice, over (max_indegree, n, graph).
    """
    shape = len(indegrees), len(sizes), graphs
    found = {name: np.full(shape, np.nan) for name in ABOUT}
    for i, k in enumerate(indegrees):
        for j, n in enumerate(sizes):
            drawn = [random_graph(n, k, stream.child("graph", k, n, graph).generator()) for graph in range(graphs)]
            for graph, parents in enumerate(drawn):
                try:
                    found["log_count"][i, j, graph] = log_counts(parents[None], max_bytes)[0]
                    found["seconds"][i, j, graph] = cpu_seconds(
                        partial(log_counts, parents[None], max_bytes), repeats=1
                    )
                except ModelError:
                    pass
            ideals = [n_ideals(parents) for parents in drawn]
            found["n_ideals"][i, j], found["table_bytes"][i, j] = ideals, [table_bytes(n, one) for one in ideals]
            if max(found["table_bytes"][i, j]) <= table_limit:
                found["table_seconds"][i, j] = [
                    cpu_seconds(partial(count_in_table, parents, one, table_limit), repeats=1)
                    for parents, one in zip(drawn, ideals, strict=True)
                ]
    dimensions = ("max_indegree", "n", "graph")
    import xarray as xr  # slow to import, and the settings above are read wherever a study is

    return xr.Dataset(
        {name: (dimensions, values, ABOUT[name]) for name, values in found.items()},
        {"max_indegree": list(indegrees), "n": list(sizes)},
    )


ABOUT = {
    "seconds": {"long_name": "CPU time of one count", "units": "s"},
    "log_count": {"long_name": "Log number of linear extensions", "units": "nats"},
    "n_ideals": {"long_name": "Ideals of the partial order", "units": "1"},
    "table_bytes": {"long_name": "Memory of a table of all ideals", "units": "byte"},
    "table_seconds": {"long_name": "CPU time of one count in a table of all ideals", "units": "s"},
}
