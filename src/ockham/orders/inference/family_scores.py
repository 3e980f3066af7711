"""Log scores of every family, a node with a parent set: all that structure learning needs of fully observed data."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ockham.errors import DataError, ModelError
from ockham.kernels import bdeu
from ockham.orders.constraints import masks_of
from ockham.orders.parent_sets import MAX_NODES, n_parent_sets, over_all_nodes, parent_sets
from ockham.orders.space import OrderSpace

__all__ = ["MAX_BYTES", "FamilyScores", "bdeu_scores", "predicted_cost", "unit_scores"]

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

    def required(self) -> np.ndarray:
        """Masks over all nodes of the parents that every possible parent set of a node has; uint64, shape (n_nodes,).

        Raises
        ------
        ModelError
            When these parents alone are not possible: then not every order that they allow has a graph.
        """
        masks = parent_sets(self.n_nodes, self.max_indegree)
        found = np.zeros(self.n_nodes, dtype=np.uint64)
        for v in np.flatnonzero(~np.isfinite(self.log_scores[:, 0])).tolist():
            possible = masks[np.isfinite(self.log_scores[v])]
            common = np.bitwise_and.reduce(possible, keepdims=True)
            if not np.isin(common, possible):
                raise ModelError(
                    f"{self.names[v]}: the score without parents must be finite, or with those alone that all of its "
                    "possible parent sets have; check the data and the prior"
                )
            found[v] = over_all_nodes(v, common)[0]
        return found


def predicted_cost(space: OrderSpace, n_rows: int) -> tuple[float, float]:
    """Seconds and bytes that the scores of all families take."""
    n_families = space.n_nodes * n_parent_sets(space.n_nodes, space.max_indegree)
    return n_families * (SECONDS_PER_FAMILY + SECONDS_PER_ROW * n_rows), 8.0 * n_families


def bdeu_scores(data: Table, space: OrderSpace) -> FamilyScores:
    """The BDeu scores of every family with at most ``space.max_indegree`` parents.

    The score of a family is the evidence of complete data with the Dirichlet hyperparameters
    ``equivalent_sample_size / (q_i r_i)``, the same for every entry; all DAGs of an equivalence class have the same.
    Families that have a forbidden arc, or lack a required one, have -inf.

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
    _exclude(log_scores, space)
    return FamilyScores(data.names, data.cardinalities, max_indegree, log_scores)


def unit_scores(space: OrderSpace) -> FamilyScores:
    """Log scores of 0 for all families that are allowed, with which a sum over structures is their number."""
    n = space.n_nodes
    log_scores = np.zeros((n, n_parent_sets(n, space.max_indegree)))
    _exclude(log_scores, space)
    return FamilyScores(tuple(f"x{v + 1}" for v in range(n)), (1,) * n, space.max_indegree, log_scores)


def _exclude(log_scores: np.ndarray, space: OrderSpace) -> None:
    """Write -inf where a family has a forbidden arc, or lacks a required one."""
    if not (space.forbidden or space.required):
        return
    masks = parent_sets(space.n_nodes, space.max_indegree)
    without, within = (masks_of(space.n_nodes, arcs) for arcs in (space.forbidden, space.required))
    for v in range(space.n_nodes):
        parents = over_all_nodes(v, masks)
        log_scores[v, (parents & without[v] != 0) | (within[v] & ~parents != 0)] = -np.inf
