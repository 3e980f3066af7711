"""The exact evidence over node orders and over graphs, with the posterior of every arc; both are dynamic programs."""

from math import nan

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Array, Estimator, Evidence
from ockham.orders.data.complete_table import CompleteTable
from ockham.orders.inference.exact_structures import check_cost, exact_graphs, exact_orders
from ockham.orders.space import PRIORS, OrderSpace
from ockham.streams import Stream

__all__ = ["ARRAYS", "ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {
    "exact_orders": Estimator("Exact evidence, order-modular prior"),
    "exact_graphs": Estimator("Exact evidence, prior uniform over graphs"),
}
ARRAYS = {
    "exact_log_evidence": Array(("prior",), "Exact log evidence", "nats"),
    "exact_arcs": Array(("prior", "parent", "child"), "Exact posterior probability of an arc", "1"),
}


class Settings(contracts.Settings):
    """Which sums, and how much they may cost."""

    orders: bool = Field(default=True, description="that of the order-modular prior; the cost grows as n 2^n")
    graphs: bool = Field(default=True, description="that of the uniform prior over graphs; the cost grows as 3^n")
    max_seconds: float = Field(default=600.0, gt=0, le=1e9, description="predicted time of each that is allowed")
    max_gigabytes: float = Field(default=6.0, gt=0, le=1e4, description="predicted memory of each that is allowed")


def check(space: OrderSpace, n: int, settings: Settings) -> None:
    """Raise a ModelError for a sum that is predicted to cost more than allowed."""
    for kind in PRIORS:
        if getattr(settings, kind):
            check_cost(kind, space.n_nodes, space.max_indegree, settings.max_seconds, 1e9 * settings.max_gigabytes)


def score(space: OrderSpace, data: CompleteTable, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """The sums that are asked for; NaN in place of the other. Deterministic, so the stream is not used.

    Raises
    ------
    ModelError
        When a sum is predicted to take more time or memory than allowed.
    """
    check(space, data.n, settings)
    scores, n = data.family_scores(space), space.n_nodes
    values, arcs = np.full(len(PRIORS), nan), np.full((len(PRIORS), n, n), nan)
    for k, (kind, total) in enumerate(zip(PRIORS, (exact_orders, exact_graphs), strict=True)):
        if getattr(settings, kind):
            exact = total(scores, max_seconds=settings.max_seconds, max_bytes=1e9 * settings.max_gigabytes)
            values[k], arcs[k] = exact.log_total - space.log_count(kind), exact.arcs
    found = {"exact_log_evidence": values, "exact_arcs": arcs}
    return {
        f"exact_{kind}": Evidence(float(value), n_evaluations=1, arrays=found)
        for kind, value in zip(PRIORS, values, strict=True)
    }
