"""How a network's factors and a data set's unique rows are laid out for the E step kernel."""

from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

import numpy as np

from ockham.datasets.unique_rows import UniqueRows
from ockham.models.discrete_network import DiscreteNetwork, joint_states

__all__ = ["Layout", "layout"]


@dataclass(frozen=True, eq=False)
class Layout:
    """Index arrays of the E step; kernels/expectation.pxd has the notation.

    Attributes
    ----------
    entry : ndarray of int32, shape (n_table, width)
    left_rows, right_rows : ndarray of int32, shape (n_left, n_left_factors), (n_right, n_right_factors)
    row_start : ndarray of int32, shape (n_left + 1,)
    row_right : ndarray of int32, shape (n_rows,)
    weights : ndarray of float64, shape (n_rows,)
    work_size : int
        Length of the work array that holds the products and their counts.
    """

    entry: np.ndarray
    left_rows: np.ndarray
    right_rows: np.ndarray
    row_start: np.ndarray
    row_right: np.ndarray
    weights: np.ndarray

    @property
    def work_size(self) -> int:
        n_blocks = len(self.entry) + len(self.left_rows) + len(self.right_rows)
        return 2 * self.entry.shape[1] * n_blocks + 2 * len(self.row_right) + self.entry.shape[1]


@dataclass(frozen=True)
class _Half:
    """Half of the factors: their data columns, and their table rows as ``offsets + configurations @ strides``."""

    columns: tuple[int, ...]
    offsets: np.ndarray
    strides: np.ndarray


@lru_cache(maxsize=8)
def layout(network: DiscreteNetwork, data: UniqueRows) -> Layout:
    """The layout of one network on one data set.

    Raises
    ------
    DataError
        When the data have another width or larger states than the network allows.
    """
    data.check_fits([network.cardinalities[i] for i in network.observed])
    if network not in _FACTORS:
        _FACTORS[network] = _factors(network)
    entry, left, right = _FACTORS[network]
    left_configurations, left_of = data.project(left.columns)
    right_configurations, right_of = data.project(right.columns)
    order = np.argsort(left_of, kind="stable")
    row_start = np.zeros(len(left_configurations) + 1, dtype=np.int32)
    np.cumsum(np.bincount(left_of, minlength=len(left_configurations)), out=row_start[1:])
    return Layout(
        entry=entry,
        left_rows=(left.offsets + left_configurations @ left.strides).astype(np.int32),
        right_rows=(right.offsets + right_configurations @ right.strides).astype(np.int32),
        row_start=row_start,
        row_right=right_of[order].astype(np.int32),
        weights=data.counts[order].astype(np.float64),
    )


_FACTORS: WeakKeyDictionary[DiscreteNetwork, tuple[np.ndarray, _Half, _Half]] = WeakKeyDictionary()


def _factors(network: DiscreteNetwork) -> tuple[np.ndarray, _Half, _Half]:
    """The entry table of every factor at every observed configuration, and the split of the factors in halves.

    Factors without an observed member go left. A half without a factor gets the constant 1.
    """
    observed = np.array(network.observed, dtype=np.int64)
    touching = [i for i in range(network.n_variables) if network.strides[i, observed].any()]
    others = [i for i in range(network.n_variables) if i not in touching]
    middle = (len(touching) + 1) // 2
    width = -(-network.n_hidden_configurations // 4) * 4
    hidden = np.array(network.hidden, dtype=np.int64)
    table: list[np.ndarray] = []
    starts: dict[int, tuple[int, dict[int, int]]] = {}
    n_table = 0
    for i in range(network.n_variables):
        members = [int(v) for v in observed if network.strides[i, v]]
        values = joint_states(network.cardinalities[v] for v in members)
        rows = np.full((len(values), width), network.n_entries, dtype=np.int32)
        rows[:, : network.n_hidden_configurations] = (
            network.offsets[i]
            + (values @ network.strides[i, members])[:, None]
            + (network.hidden_configurations @ network.strides[i, hidden])[None, :]
        )
        steps, step = {}, 1
        for v in reversed(members):
            steps[v] = step
            step *= network.cardinalities[v]
        starts[i] = n_table, steps
        table.append(rows)
        n_table += len(rows)

    ones = np.full((1, width), network.n_entries + 1, dtype=np.int32)

    def half(factors: list[int]) -> _Half:
        if not factors:
            return _Half((), np.array([n_table]), np.zeros((0, 1), dtype=np.int64))
        variables = sorted({v for i in factors for v in starts[i][1]})
        strides = np.array([[starts[i][1].get(v, 0) for i in factors] for v in variables], dtype=np.int64)
        columns = tuple(network.observed.index(v) for v in variables)
        return _Half(columns, np.array([starts[i][0] for i in factors]), strides.reshape(len(variables), len(factors)))

    return np.concatenate([*table, ones]), half(others + touching[:middle]), half(touching[middle:])
