"""The structures of fully observed data: all directed acyclic graphs with a largest indegree, by way of node orders."""

from dataclasses import dataclass
from typing import ClassVar

from ockham.errors import ModelError
from ockham.io.arguments import real, whole
from ockham.orders.constraints import Arc, arcs_between, check, masks_of
from ockham.orders.counts import log_n_graphs, log_n_ordered_graphs
from ockham.orders.parent_sets import MAX_NODES
from ockham.orders.required_orders import RequiredOrders

__all__ = ["PRIORS", "OrderSpace"]

SAMPLE_SIZES = 1e-10, 1e6
"""Equivalent sample sizes: beyond them the log-gamma differences of the scores lose their digits."""
PRIORS = ("orders", "graphs")
"""The structure priors: uniform over pairs of an order and a graph that it extends, and uniform over graphs."""


@dataclass(frozen=True)
class OrderSpace:
    """Graphs on some nodes, with BDeu scores.

    Attributes
    ----------
    n_nodes : int
    max_indegree : int
        k, parents of a node at most.
    equivalent_sample_size : float
        Of the BDeu scores.
    forbidden, required : tuple of (int, int)
        Arcs, a parent and a child each, that no graph of the space has, and that every one has.

    Raises
    ------
    ModelError
        When they are out of bounds, or no graph can have all arcs that are required.
    """

    family_name: ClassVar[str] = "node_order"
    n_nodes: int
    max_indegree: int
    equivalent_sample_size: float = 1.0
    forbidden: tuple[Arc, ...] = ()
    required: tuple[Arc, ...] = ()

    def __post_init__(self) -> None:
        for name in ("n_nodes", "max_indegree"):
            object.__setattr__(self, name, whole(getattr(self, name), name, 0, 10**9, ModelError))
        if not 0 <= self.max_indegree < self.n_nodes <= MAX_NODES:
            raise ModelError(
                f"{self.n_nodes} variables with largest indegree {self.max_indegree}: structures have 1 to {MAX_NODES} "
                "variables, and a largest indegree of 0 to one less than their number"
            )
        given = real(self.equivalent_sample_size, "equivalent sample size", *SAMPLE_SIZES, ModelError)
        object.__setattr__(self, "equivalent_sample_size", given)
        for name in ("forbidden", "required"):
            object.__setattr__(self, name, arcs_between(range(self.n_nodes), getattr(self, name), name))
        check([f"node {v}" for v in range(self.n_nodes)], self.max_indegree, self.forbidden, self.required)

    @property
    def digest(self) -> str:
        """What distinguishes one space from another."""
        arcs = f" {self.forbidden} {self.required}" if self.forbidden or self.required else ""
        return f"{self.n_nodes} {self.max_indegree} {self.equivalent_sample_size!r}{arcs}"

    def log_count(self, prior: str) -> float:
        """ln of the number of structures that are equally probable under one of the ``PRIORS``; nats.

        Raises
        ------
        ModelError
            When forbidden and required arcs make it too long to count them.
        """
        count = log_n_ordered_graphs if prior == "orders" else log_n_graphs
        return count(self.n_nodes, self.max_indegree, self.forbidden, self.required)

    def log_n_orders(self) -> float:
        """ln of the number of orders that extend the required arcs, n! without any; nats."""
        return RequiredOrders(masks_of(self.n_nodes, self.required)).log_count()

    def log_scale(self, prior: str) -> float:
        """What turns the ln of a mean over these orders into the log evidence under one of the ``PRIORS``; nats."""
        return self.log_n_orders() - self.log_count(prior)
