"""Log scores of every family, a node with a parent set: all that structure learning needs of fully observed data."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ockham.errors import DataError, ModelError
from ockham.kernels import bdeu
from ockham.orders.parent_sets import MAX_NODES, n_parent_sets
from ockham.orders.space import OrderSpace

__all__ = ["MAX_BYTES", "FamilyScores", "bdeu_scores", "predicted_cost"]

MAX_BYTES = 4 * 2**30
"""Memory that a table of scores may take."""
SECONDS_PER_FAMILY, SECONDS_PER_ROW = 3e-7, 2.5e-9
"""Of every family, measured by benchmarks/structures.py."""


class Table(Protocol):
    """States without missing cells."""

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""

    @property
    def cardinalities(self) -> tuple[int, ...]:
        """Number of values of each."""

    @property
    def states(self) -> np.ndarray:
        """Shape (n_rows, n_variables)."""


@dataclass(frozen=True, eq=False)
class FamilyScores:
    """ln q_v(A_v) p(D_v | D_A_v, A_v) of eq. (1) of [NiinimakiKoivisto2013], for every node v and parent set A_v.

    Attributes
    ----------
    names : tuple of str
        The nodes.
    cardinalities : tuple of int
        Number of values of each node.
    max_indegree : int
        Largest parent set; q_v is 0 beyond it.
    log_scores : ndarray of float64, shape (n_nodes, n_sets)
        Nats. Column c is the c-th set of ``parent_sets(n_nodes, max_indegree)``, whose masks are over the other nodes.
        The structure prior q_v is 1 for every set up to the limit, as in section 3.5, so these are the local scores
        themselves and sums over them are of q, not of normalised probabilities.

    Raises
    ------
    ModelError
        When the shapes do not fit together, a score is NaN or +inf, or there are more than 64 nodes.
    """

    names: tuple[str, ...]
    cardinalities: tuple[int, ...]
    max_indegree: int
    log_scores: np.ndarray

    def __post_init__(self) -> None:
        n = self.n_nodes
        if not 1 <= n <= MAX_NODES:
            raise ModelError(f"{n} nodes: structures have 1 to {MAX_NODES}; leave variables out")
        if len(self.cardinalities) != n or not 0 <= self.max_indegree < n:
            raise ModelError(
                f"{n} nodes with {len(self.cardinalities)} cardinalities and indegree {self.max_indegree}: give a "
                f"cardinality for each node and a largest indegree of 0 to {n - 1}"
            )
        shape = (n, n_parent_sets(n, self.max_indegree))
        if self.log_scores.shape != shape or self.log_scores.dtype != np.float64:
            raise ModelError(f"scores of shape {self.log_scores.shape}; {n} nodes with indegree "
                             f"{self.max_indegree} have float64 scores of shape {shape}")  # fmt: skip
        if np.isnan(self.log_scores).any() or (self.log_scores == np.inf).any():
            raise ModelError("a family's score is NaN or +inf; scores are logs of finite probabilities")
        self.log_scores.flags.writeable = False

    @property
    def n_nodes(self) -> int:
        return len(self.names)


def predicted_cost(space: OrderSpace, n_rows: int) -> tuple[float, float]:
    """Seconds and bytes that the scores of all families take."""
    n_families = space.n_nodes * n_parent_sets(space.n_nodes, space.max_indegree)
    return n_families * (SECONDS_PER_FAMILY + SECONDS_PER_ROW * n_rows), 8.0 * n_families


def bdeu_scores(data: Table, space: OrderSpace) -> FamilyScores:
    """The BDeu scores of every family with at most ``space.max_indegree`` parents.

    The score of a family is the evidence of complete data with the Dirichlet hyperparameters
    ``equivalent_sample_size / (q_i r_i)``, the same for every entry; all DAGs of an equivalence class have the same.

    Raises
    ------
    DataError
        When the table has another number of variables.
    ModelError
        When the scores would take more than ``MAX_BYTES``.
    """
    n_rows, n = data.states.shape
    max_indegree = space.max_indegree
    if n != space.n_nodes:
        raise DataError(f"the data have {n} variables, the space of structures has {space.n_nodes} nodes")
    n_bytes = 8 * n * n_parent_sets(n, max_indegree)
    if n_bytes > MAX_BYTES:
        raise ModelError(
            f"{n} variables with largest indegree {max_indegree} have {n_bytes // 8} families, {n_bytes / 2**30:.0f} "
            f"GB of scores; {MAX_BYTES / 2**30:.0f} GB are allowed: lower the largest indegree"
        )
    log_scores = np.zeros((n, n_parent_sets(n, max_indegree)))
    bdeu.log_scores(
        states=np.ascontiguousarray(data.states.T, dtype=np.int32),
        cardinalities=np.array(data.cardinalities, dtype=np.int32),
        equivalent_sample_size=space.equivalent_sample_size,
        max_indegree=max_indegree,
        log_scores=log_scores,
        work=np.empty(bdeu.work_size(n_rows, max(data.cardinalities), max_indegree), dtype=np.int32),
    )
    return FamilyScores(data.names, data.cardinalities, max_indegree, log_scores)
