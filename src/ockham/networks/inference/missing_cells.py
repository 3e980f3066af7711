"""Missing cells of a discrete network, summed out exactly as further hidden variables of their rows.

A row with missing cells becomes the rows that it can be with these filled in, and its probability is the sum of theirs:
the likelihood kernels see every distinct row once, observed or filled in, and do what they did where all is complete. A
missing cell sums to 1, and is left out, where its variable has no children, or only missing ones that are left out. A
row without any value says nothing of the parameters, and weighs nothing.

Cells are taken to be missing at random: whether one is says no more of its value than the row does [Rubin1976].
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ockham.networks.data.unique_rows import MISSING, UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork

__all__ = ["Filled", "expand", "fill", "is_open", "n_fillings", "to_fill"]


@dataclass(frozen=True, eq=False)
class Filled:
    """The rows of a data set, and what the incomplete ones among them can be.

    Attributes
    ----------
    unique : UniqueRows
        The distinct rows, observed or filled in; ``MISSING`` where a cell is left out.
    weights : ndarray of float64, shape (n_rows + n_incomplete,)
        How often each of these rows was observed, 0 for what is only a filling; then how often each incomplete row was.
    starts : ndarray of int32, shape (n_incomplete + 1,)
        Where the fillings of each incomplete row begin, and, last, where they end.
    fillings : ndarray of int64, shape (n_fillings,)
        Which of the distinct rows each filling is.
    """

    unique: UniqueRows
    weights: np.ndarray
    starts: np.ndarray
    fillings: np.ndarray


def fill(network: DiscreteNetwork, data: UniqueRows) -> Filled:
    """The rows of a data set that say something, filled in. ``n_fillings`` predicts how many that makes."""
    if not data.with_missing:
        return _as_they_are(data)
    free, known = to_fill(network, data), data.known
    if known.all() and not free.any():
        return _as_they_are(data)
    rows = np.where(known[:, None], data.rows, 0)  # any row will do for one that weighs nothing
    filled, source = expand(rows, free, [network.cardinalities[i] for i in network.observed])
    distinct, which, counts = np.unique(filled, axis=0, return_inverse=True, return_counts=True)
    which, incomplete = which.ravel(), np.asarray(free.any(axis=1))
    as_they_are = np.where(known & ~incomplete, data.counts, 0)[source]
    weights = np.bincount(which, as_they_are, minlength=len(distinct))
    starts = np.append(0, np.cumsum(np.bincount(source)[incomplete]))
    return Filled(
        UniqueRows(distinct, counts),
        np.concatenate([weights, data.counts[incomplete]]),
        starts.astype(np.int32),
        which[incomplete[source]],
    )


def is_open(network: DiscreteNetwork, data: UniqueRows) -> bool:
    """Whether data can be completed in more ways than one: something is hidden, or missing and not left out."""
    return bool(network.hidden) or bool(to_fill(network, data).any())


def to_fill(network: DiscreteNetwork, data: UniqueRows) -> np.ndarray:
    """The missing cells that are not left out, of rows that have a value; bool, shape (n_rows, n_observed)."""
    observed = list(network.observed)
    missing = np.zeros((len(data.rows), network.n_variables), dtype=bool)
    missing[:, observed] = data.rows == MISSING
    left_out = missing.copy()
    for i in reversed(network.topological_order):
        children = [c for c, parents in enumerate(network.parents) if i in parents]
        left_out[:, i] &= left_out[:, children].all(axis=1)
    free: np.ndarray = np.logical_and(missing, ~left_out)[:, observed]
    return free & data.known[:, None]


def n_fillings(network: DiscreteNetwork, data: UniqueRows) -> np.ndarray:
    """In how many ways each row can be filled in; shape (n_rows,), as floats, since integers may not reach."""
    if not data.with_missing:
        return np.ones(len(data.rows))
    cardinalities = np.array([network.cardinalities[i] for i in network.observed], dtype=np.float64)
    with np.errstate(over="ignore"):
        number: np.ndarray = np.where(to_fill(network, data), cardinalities, 1.0).prod(axis=1)
    return number


def expand(rows: np.ndarray, free: np.ndarray, cardinalities: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Every row with its ``free`` cells filled in every way, the first of them slowest; and which row each was."""
    source = np.arange(len(rows))
    for column, r in enumerate(cardinalities):
        here = free[source, column]
        if here.any():
            copies = np.where(here, r, 1)
            rows, source = np.repeat(rows, copies, axis=0), np.repeat(source, copies)
            rows[free[source, column], column] = np.tile(np.arange(r), here.sum())
    return rows, source


@lru_cache(maxsize=8)
def _as_they_are(data: UniqueRows) -> Filled:
    return Filled(data, data.counts.astype(np.float64), np.zeros(1, dtype=np.int32), np.zeros(0, dtype=np.int64))
