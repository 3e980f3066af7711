"""Structures of fully observed data by way of node orders, as the workflow and ``ockham.score`` know them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ockham import contracts
from ockham.contracts import Draw, Resources, Scored, Variable
from ockham.errors import ModelError, StoreError
from ockham.io.arguments import shown
from ockham.orders.data.complete_table import CompleteTable
from ockham.orders.data.random_networks import sample_table
from ockham.orders.data.reading import complete_table
from ockham.orders.data.structure_data import read_data_set
from ockham.orders.inference.exact_structures import predicted_cost
from ockham.orders.inference.graph_sums import SumSettings
from ockham.orders.scorers import exact
from ockham.orders.settings import OrderSettings, RandomNetwork
from ockham.orders.space import PRIORS, OrderSpace
from ockham.streams import Stream

__all__ = ["FAMILY", "Orders"]


class Orders(contracts.Family[OrderSettings, OrderSpace, CompleteTable]):
    """Directed acyclic graphs over the variables of a table without missing cells, up to a largest indegree."""

    name = "node_order"
    settings = OrderSettings
    default_scorer = "ais"
    summaries = "ockham.orders.summaries:summarise"
    measurements: ClassVar[Mapping[str, str]] = {
        "linear_extensions": "ockham.orders.measurements.linear_extensions",
        "order_bias": "ockham.orders.measurements.order_bias",
    }

    beside_scores = ("prior", "node", "parent", "child", "max_indegree", "log_scale", "data")

    def draw(
        self,
        study: OrderSettings,
        sizes: Sequence[int],
        replicate: int,
        stream: Stream,
        published: Mapping[str, np.ndarray] | None,
    ) -> Draw:
        """Rows of a data set, or of a random network; the stream of the first replicate is the study's own."""
        stream = stream if replicate == 1 else stream.child(replicate)
        if isinstance(study.data, RandomNetwork):
            data = sample_table(study.data.variables, max(sizes), stream)
        else:
            data = read_data_set(study.data.name, max(sizes), stream)
            data = data.variables(data.names[: study.data.variables])
        return Draw(replicate, np.empty(0), data.states, data.names, data.cardinalities)

    def drawn_from(self, study: OrderSettings, sizes: Sequence[int]) -> Any:
        """The table and its rows."""
        return study.data.model_dump(mode="json"), max(sizes)

    def prepare(self, study: OrderSettings, draw: Draw, n: int) -> CompleteTable:
        """The first rows; scores of families are computed from them when they are asked for."""
        return CompleteTable(draw.names, draw.cardinalities, draw.states[:n])

    def read(self, model: OrderSpace, data: Any) -> CompleteTable:
        """States counted from 0, shape (n, n_nodes), or a table that ``arcs`` takes."""
        if not isinstance(model, OrderSpace):
            raise ModelError(f"model: {shown(model)} is no OrderSpace")
        return complete_table(data)

    def cell_stream(
        self, root: int, study: str, entry: str, replicate: int, n: int, structure: str, run: int
    ) -> Stream:
        """An entry's own, for it is one of several samplers that are compared; data sets of all sizes share it."""
        stream = Stream(root, "orders", study, entry, run)
        return stream if replicate == 1 else stream.child(replicate)

    def of_scores(self, study: OrderSettings, sizes: Sequence[int], draws: Iterable[Draw]) -> Mapping[str, Variable]:
        """What turns means over orders into evidences, and the names of the variables."""
        spaces = study.models.values()
        first = next(iter(draws), None)
        if first is None:
            raise StoreError("scores: the names of the variables are in the files of the data; give one or more")
        names = first.names
        scale = [[space.log_scale(prior) for prior in PRIORS] for space in spaces]
        return {
            "prior": Variable(("prior",), list(PRIORS), "Structure prior"),
            **{name: Variable((name,), list(names), "Variable") for name in ("node", "parent", "child")},
            "max_indegree": Variable(("structure",), [space.max_indegree for space in spaces], "Largest indegree k"),
            "log_scale": Variable(("structure", "prior"), scale, "ln of orders per structure of the prior", "nats"),
            "data": Variable((), getattr(study.data, "name", study.data.source), "Data set"),
        }

    def resources(self, study: Scored, entry: str) -> Resources:
        """Memory for full tables, or for the exact sums."""
        settings = study.scorer_settings[entry]
        if isinstance(settings, exact.Settings):
            kinds = [kind for kind in PRIORS if getattr(settings, kind)]
            n = study.n_variables  # at the most with every parent set
            n_bytes = max((predicted_cost(kind, n, n - 1)[1] for kind in kinds), default=0.0)
            return Resources(1000 + int(n_bytes / 1e6), 30)
        gigabytes = settings.memory_limit if isinstance(settings, SumSettings) else 0.0
        return Resources(1000 + int(1000 * gigabytes), 30)


FAMILY = Orders()
