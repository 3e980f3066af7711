"""How a network's factors and a data set's unique rows are laid out for the E step kernel."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from weakref import WeakKeyDictionary

import numpy as np

from ockham.datasets.unique_rows import UniqueRows
from ockham.models.discrete_network import DiscreteNetwork, joint_states

__all__ = ["Layout", "Terms", "layout"]


@dataclass(frozen=True, eq=False)
class Terms:
    """A weighted sum of logs in as few terms as possible: elements of equal weight share a term, four at a time.

    Attributes
    ----------
    products : ndarray of int32, shape (n_products, 4)
        Elements whose product enters one logarithm.
    singles : ndarray of int32, shape (n_singles,)
        Elements that have a logarithm of their own.
    weights : ndarray of float64, shape (n_products + n_singles,)
    """

    products: np.ndarray
    singles: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, weights: np.ndarray, one: int) -> "Terms":
        """The terms of sum(weights * log(x)); ``one`` is the index of a constant 1, which fills what would be empty."""
        products, singles, product_weights, single_weights = [], [], [], []
        order = np.argsort(weights, kind="stable")
        distinct, starts = np.unique(weights[order], return_index=True)
        for weight, same in zip(distinct, np.split(order, starts[1:]), strict=True):
            if len(same) > 1:
                fill = [one] * (-len(same) % 4)
                products += [*same, *fill]
                product_weights += [weight] * ((len(same) + len(fill)) // 4)
            else:
                singles += [*same]
                single_weights += [weight]
        return cls(
            np.array(products or [one] * 4, dtype=np.int32).reshape(-1, 4),
            np.array(singles or [one], dtype=np.int32),
            np.array((product_weights or [0]) + (single_weights or [0]), dtype=np.float64),
        )


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
    shared_rows : ndarray of int32, shape (n_shared,)
    terms : Terms
        The rows by weight; ``n_rows`` where a product has less than four.
    work_size : int
        Length of the work array that holds the products and their counts.
    """

    entry: np.ndarray
    left_rows: np.ndarray
    right_rows: np.ndarray
    row_start: np.ndarray
    row_right: np.ndarray
    weights: np.ndarray
    shared_rows: np.ndarray
    terms: Terms

    @cached_property
    def work_size(self) -> int:
        n_blocks = len(self.entry) + len(self.left_rows) + len(self.right_rows) + 1
        return (2 * n_blocks + 1) * self.entry.shape[1] + 2 * len(self.weights) + 1 + len(self.terms.weights)


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
    entry, shared, left, right = _FACTORS[network]
    rows = _arrange(data, left.columns, right.columns)
    return Layout(
        entry=entry,
        left_rows=(left.offsets + rows.left_configurations @ left.strides).astype(np.int32),
        right_rows=(right.offsets + rows.right_configurations @ right.strides).astype(np.int32),
        row_start=rows.row_start,
        row_right=rows.row_right,
        weights=rows.weights,
        shared_rows=shared,
        terms=rows.terms,
    )


@dataclass(frozen=True)
class _Rows:
    """The unique rows as pairs of a left and a right configuration, which many structures share."""

    left_configurations: np.ndarray
    right_configurations: np.ndarray
    row_start: np.ndarray
    row_right: np.ndarray
    weights: np.ndarray
    terms: Terms


@lru_cache(maxsize=8)
def _arrange(data: UniqueRows, left_columns: tuple[int, ...], right_columns: tuple[int, ...]) -> _Rows:
    left_configurations, left_of = data.project(left_columns)
    right_configurations, right_of = data.project(right_columns)
    order = np.argsort(left_of, kind="stable")
    row_start = np.zeros(len(left_configurations) + 1, dtype=np.int32)
    np.cumsum(np.bincount(left_of, minlength=len(left_configurations)), out=row_start[1:])
    weights = data.counts[order].astype(np.float64)
    row_right = right_of[order].astype(np.int32)
    terms = Terms.of(weights, len(weights))
    return _Rows(left_configurations, right_configurations, row_start, row_right, weights, terms)


_FACTORS: WeakKeyDictionary[DiscreteNetwork, tuple[np.ndarray, np.ndarray, _Half, _Half]] = WeakKeyDictionary()


def _factors(network: DiscreteNetwork) -> tuple[np.ndarray, np.ndarray, _Half, _Half]:
    """The entry table of every factor at every observed configuration, and where the factors go.

    Those without an observed member are shared, the others are split in halves. A part without a factor gets the
    constant 1.
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

    shared = np.array([starts[i][0] for i in others] or [n_table], dtype=np.int32)
    return np.concatenate([*table, ones]), shared, half(touching[:middle]), half(touching[middle:])
