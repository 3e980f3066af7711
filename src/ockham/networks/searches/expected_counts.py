"""Expected counts of any family, of variables and parents, from one pass over the completed rows ([Friedman1998])."""

from collections.abc import Collection
from dataclasses import dataclass, field
from math import prod

import numpy as np

from ockham.estimation.memory import check_memory
from ockham.kernels import complete_data
from ockham.networks.classes.priors import Prior
from ockham.networks.data.unique_rows import MISSING, UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.missing_cells import expand

__all__ = ["CompletedRows", "check_completed", "n_completed"]

N_COPIES = 4
"""Numbers of each variable in a completed row."""


def n_completed(cardinalities: Collection[int], data: UniqueRows) -> np.ndarray:
    """How many ways there are to fill in each row, as floats, which do not overflow."""
    ways: np.ndarray = np.where(data.rows == MISSING, np.array(list(cardinalities), dtype=float), 1.0).prod(axis=1)
    return ways


def check_completed(cardinalities: Collection[int], n_hidden_configurations: int, data: UniqueRows) -> None:
    """Raise a ModelError when the completed rows would take more memory than allowed."""
    ways = n_completed(cardinalities, data)
    total = ways.sum() * n_hidden_configurations
    check_memory(
        N_COPIES * total * (len(cardinalities) + 1),
        f"{total:,.0f} completed rows, with up to {ways.max():,.0f} ways to fill in one",
        "take fewer hidden variables or values, fewer rows or missing cells",
    )


@dataclass(frozen=True, eq=False)
class CompletedRows:
    """All ways to complete the rows of a table, each with its expected number.

    Attributes
    ----------
    states : ndarray of int64, shape (n_variables, n_completed)
        Of the columns of the table, then of the hidden variables.
    weights : ndarray, shape (n_completed,)
        How often the row occurs, times the probability of the completion given the row.
    cardinalities : tuple of int
        Of these variables.
    """

    states: np.ndarray
    weights: np.ndarray
    cardinalities: tuple[int, ...]
    _scores: dict[tuple[int, frozenset[int]], float] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, network: DiscreteNetwork, data: UniqueRows, log_weights: np.ndarray) -> "CompletedRows":
        """Under a network with its hidden variables first, and ``log_weights`` of shape (n_entries,).

        These are log parameters, or their expectations under a variational posterior; a completion has the sum of its
        entries, normalised over each row.
        """
        cardinalities = [network.cardinalities[i] for i in network.observed]
        check_completed(cardinalities, network.n_hidden_configurations, data)
        known = data.rows[data.known]
        filled, source = expand(known, known == MISSING, cardinalities)
        hidden = network.hidden_configurations
        in_order = np.empty((len(filled) * len(hidden), network.n_variables), dtype=np.int64)
        in_order[:, list(network.observed)] = np.repeat(filled, len(hidden), axis=0)
        in_order[:, list(network.hidden)] = np.tile(hidden, (len(filled), 1))
        log_joint = np.zeros(len(in_order))
        for i, offset in enumerate(network.offsets[:-1]):
            log_joint += log_weights[offset + in_order @ network.strides[i]]
        source = np.repeat(source, len(hidden))
        starts = np.searchsorted(source, np.arange(len(known)))
        joint = np.exp(log_joint - np.maximum.reduceat(log_joint, starts)[source])
        weights = (data.counts[data.known] / np.add.reduceat(joint, starts))[source] * joint
        order = [*network.observed, *network.hidden]
        return cls(
            np.ascontiguousarray(in_order[:, order].T), weights, tuple(network.cardinalities[i] for i in order)
        )  # fmt: skip

    def counts(self, variable: int, parents: Collection[int]) -> np.ndarray:
        """E[N_jk], shape (n_configurations, n_values); the first parent varies slowest."""
        place = np.zeros(len(self.weights), dtype=np.int64)
        for v in (*parents, variable):
            place = place * self.cardinalities[v] + self.states[v]
        size = prod(self.cardinalities[v] for v in (*parents, variable))
        return np.bincount(place, self.weights, size).reshape(-1, self.cardinalities[variable])

    def score(self, variable: int, parents: frozenset[int], prior: Prior) -> float:
        """The log evidence of a family at its expected counts, nats."""
        key = variable, parents
        if key not in self._scores:
            counts = self.counts(variable, sorted(parents))
            rows = np.repeat(np.arange(len(counts), dtype=np.int32), counts.shape[1])
            of_entries = np.full(counts.size, prior.entry(counts.size))
            self._scores[key] = complete_data.log_evidence(rows, of_entries, counts.ravel(), len(counts))
        return self._scores[key]
