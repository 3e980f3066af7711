"""How a network's factors and a data set's unique rows are laid out for the E step kernel."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from weakref import WeakKeyDictionary

import numpy as np

from ockham.estimation.memory import check_memory
from ockham.networks.data.unique_rows import MISSING, UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork, joint_states
from ockham.networks.inference.missing_cells import Filled, fill, n_fillings

__all__ = ["Layout", "Terms", "check_layout", "check_rows", "layout"]

N_TABLES, N_HALVES = 3, 4
"""Numbers of each configuration of a factor, and of each row, for every hidden configuration."""
N_FILLINGS = 6
"""Numbers of each cell of an incomplete row that is filled in."""


@dataclass(frozen=True, eq=False)
class Terms:
    """A weighted sum of logs in few terms: elements of equal weight share a term, four at a time.

    Attributes
    ----------
    products : ndarray of int32, shape (n_products, 4)
        Elements whose product enters one logarithm. None where that would not pay, for finding them costs as well.
    singles : ndarray of int32, shape (n_singles,)
        Elements that have a logarithm of their own; all of them, in order, without products.
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
        if len(product_weights) + len(singles) > 0.8 * len(weights):
            products, singles = [], list(range(len(weights)))
            product_weights, single_weights = [], [*weights]
        return cls(
            np.array(products, dtype=np.int32).reshape(-1, 4),
            np.array(singles or [one], dtype=np.int32),
            np.array(product_weights + (single_weights or [0]), dtype=np.float64),
        )


@dataclass(frozen=True, eq=False)
class Layout:
    """Index arrays of the E step; kernels/expectation.pxd has the notation.

    Attributes
    ----------
    entry : ndarray of int32, shape (width / 4, n_table, 4)
    group_rows : ndarray of int32, shape (n_groups, n_group_factors)
    left_rows, right_rows : ndarray of int32, shape (n_left, n_left_factors), (n_right, n_right_factors)
    row_start : ndarray of int32, shape (n_left + 1,)
    row_right : ndarray of int32, shape (n_rows,)
    weights : ndarray of float64, shape (n_rows + n_incomplete,)
    shared_rows : ndarray of int32, shape (n_shared,)
    filling_start : ndarray of int32, shape (n_incomplete + 1,)
    fillings : ndarray of int32, shape (n_fillings,)
    terms : Terms
        The rows, incomplete ones last, by weight; their number where a product has less than four.
    """

    entry: np.ndarray
    group_rows: np.ndarray
    left_rows: np.ndarray
    right_rows: np.ndarray
    row_start: np.ndarray
    row_right: np.ndarray
    weights: np.ndarray
    shared_rows: np.ndarray
    filling_start: np.ndarray
    fillings: np.ndarray
    terms: Terms


@dataclass(frozen=True)
class _Half:
    """Half of the factors: their data columns, and their table rows as ``offsets + configurations @ strides``.

    A missing value stands after the others, where a table has rows of the constant 1 for it.
    """

    columns: tuple[int, ...]
    cardinalities: np.ndarray
    offsets: np.ndarray
    strides: np.ndarray

    def table_rows(self, configurations: np.ndarray) -> np.ndarray:
        states = np.where(configurations == MISSING, self.cardinalities, configurations)
        return (self.offsets + states @ self.strides).astype(np.int32)


@lru_cache(maxsize=8)
def layout(network: DiscreteNetwork, data: UniqueRows) -> Layout:
    """The layout of one network on one data set.

    Raises
    ------
    DataError
        When the data have another width or larger states than the network allows.
    ModelError
        When it would take more memory than allowed.
    """
    data.check_fits(network)
    check_layout(network, data)
    filled = fill(network, data)
    missing = tuple(network.observed[c] for c in filled.unique.with_missing)
    known = _FACTORS.setdefault(network, {})
    if missing not in known:
        known[missing] = _factors(network, missing)
    entry, groups, shared, left, right = known[missing]
    rows = _arrange(filled, left.columns, right.columns)
    return Layout(
        entry=entry,
        group_rows=groups,
        left_rows=left.table_rows(rows.left_configurations),
        right_rows=right.table_rows(rows.right_configurations),
        row_start=rows.row_start,
        row_right=rows.row_right,
        weights=rows.weights,
        shared_rows=shared,
        filling_start=filled.starts,
        fillings=rows.fillings,
        terms=rows.terms,
    )


def check_layout(network: DiscreteNetwork, data: UniqueRows) -> None:
    """Raise a ModelError when the E step would take more memory than allowed."""
    missing, ways = {network.observed[c] for c in data.with_missing}, n_fillings(network, data)
    _check_size(network, len(data.rows), missing, float(ways.sum()) - len(data.rows), float(ways.max()))


def check_rows(network: DiscreteNetwork, n: int) -> None:
    """The same for n rows, before they are known: all different, as far as the network allows, and complete."""
    _check_size(network, n)


def _check_size(
    network: DiscreteNetwork, n_rows: float, missing: Collection[int] = (), n_added: float = 0.0, most_ways: float = 1.0
) -> None:
    """Of so many distinct rows; some variables may be missing, and so many rows come from filling them in."""
    n_table, n_states = _n_configurations(network, frozenset(missing))
    n_rows = min(n_rows + n_added, n_states)
    check_memory(
        network.n_hidden_configurations * (N_TABLES * n_table + N_HALVES * n_rows)
        + N_FILLINGS * n_added * len(network.observed),
        f"the E step of {network.n_hidden_configurations:,} hidden configurations and {n_rows:,.0f} distinct rows"
        + (f", with up to {most_ways:,.0f} ways to fill in one" if n_added else ""),
        "take fewer hidden variables or values, or fewer rows" + (" or missing cells" if n_added else ""),
    )


@lru_cache(maxsize=10_000)  # a study asks again for every entry of its scorers
def _n_configurations(network: DiscreteNetwork, missing: frozenset[int]) -> tuple[int, float]:
    """Observed configurations of all factors, and of a row; to be missing is one more value of a variable."""
    observed = set(network.observed)
    sizes = [r + (v in missing) for v, r in enumerate(network.cardinalities)]
    families = ((i, *family) for i, family in enumerate(network.parents))
    n_table = sum(prod(sizes[v] for v in family if v in observed) for family in families)
    return n_table, prod(float(sizes[v]) for v in observed)


@dataclass(frozen=True)
class _Rows:
    """The unique rows as pairs of a left and a right configuration, which many structures share."""

    left_configurations: np.ndarray
    right_configurations: np.ndarray
    row_start: np.ndarray
    row_right: np.ndarray
    weights: np.ndarray
    fillings: np.ndarray
    terms: Terms


@lru_cache(maxsize=8)
def _arrange(filled: Filled, left_columns: tuple[int, ...], right_columns: tuple[int, ...]) -> _Rows:
    left_configurations, left_of = filled.unique.project(left_columns)
    right_configurations, right_of = filled.unique.project(right_columns)
    order = np.argsort(left_of, kind="stable")
    row_start = np.zeros(len(left_configurations) + 1, dtype=np.int32)
    np.cumsum(np.bincount(left_of, minlength=len(left_configurations)), out=row_start[1:])
    weights = np.concatenate([filled.weights[order], filled.weights[len(order) :]])
    row_right = right_of[order].astype(np.int32)
    fillings = np.argsort(order)[filled.fillings].astype(np.int32)
    terms = Terms.of(weights, len(weights))
    return _Rows(left_configurations, right_configurations, row_start, row_right, weights, fillings, terms)


_Factors = tuple[np.ndarray, np.ndarray, np.ndarray, _Half, _Half]
_FACTORS: WeakKeyDictionary[DiscreteNetwork, dict[tuple[int, ...], _Factors]] = WeakKeyDictionary()
MANY_FACTORS = 8
"""Factors of a half from which on it pays to multiply groups of them first."""
GROUP_CONFIGURATIONS = 16
"""Observed configurations of a group at the most."""


def _factors(network: DiscreteNetwork, missing: tuple[int, ...]) -> _Factors:
    """The entry table of every factor at every observed configuration, the groups of factors, and where they go.

    Factors without an observed member are shared, the others are split in halves. A part without a factor gets the
    constant 1, and so does a factor with a member that is ``missing``, for then its own variable is left out as well.
    """
    observed = np.array(network.observed, dtype=np.int64)
    touching = [i for i in range(network.n_variables) if network.strides[i, observed].any()]
    others = [i for i in range(network.n_variables) if i not in touching]
    width = -(-network.n_hidden_configurations // 4) * 4
    hidden = np.array(network.hidden, dtype=np.int64)
    table: list[np.ndarray] = []
    pieces: list[_Piece] = []
    n_table = 0
    for i in range(network.n_variables):
        members = [int(v) for v in observed if network.strides[i, v]]
        sizes = {v: network.cardinalities[v] + (v in missing) for v in members}
        values = joint_states(sizes.values())
        rows = np.full((len(values), width), network.n_entries, dtype=np.int32)
        rows[:, : network.n_hidden_configurations] = (
            network.offsets[i]
            + (values @ network.strides[i, members])[:, None]
            + (network.hidden_configurations @ network.strides[i, hidden])[None, :]
        )
        left_out = (values == [network.cardinalities[v] for v in members]).any(axis=1)
        rows[left_out, : network.n_hidden_configurations] = network.n_entries + 1  # the rest of the width stays 0
        pieces.append(_Piece.of(n_table, sizes))
        table.append(rows)
        n_table += len(rows)
    one = n_table
    table.append(np.full((1, width), network.n_entries + 1, dtype=np.int32))
    n_table += 1
    groups: list[np.ndarray] = []

    def half(parts: list[_Piece]) -> _Half:
        nonlocal n_table
        if len(parts) >= MANY_FACTORS:
            bundles, parts = _bundles(parts), []
            for bundle in bundles:
                whole = _Piece.of(n_table, {v: size for part in bundle for v, size in part.sizes.items()})
                parts.append(whole if len(bundle) > 1 else bundle[0])
                if len(bundle) > 1:
                    states = joint_states(whole.sizes.values())
                    groups.append(np.stack([part.rows(states, list(whole.sizes)) for part in bundle], axis=1))
                    n_table += len(states)
        if not parts:
            return _Half((), np.zeros(0, dtype=np.int64), np.array([one]), np.zeros((0, 1), dtype=np.int64))
        variables = sorted({v for part in parts for v in part.sizes})
        strides = np.array([[part.strides.get(v, 0) for part in parts] for v in variables], dtype=np.int64)
        columns = tuple(network.observed.index(v) for v in variables)
        cardinalities = np.array([network.cardinalities[v] for v in variables])
        return _Half(columns, cardinalities, np.array([part.first for part in parts]), strides)

    middle = (len(touching) + 1) // 2
    left, right = (half([pieces[i] for i in part]) for part in (touching[:middle], touching[middle:]))
    shared = np.array([pieces[i].first for i in others] or [one], dtype=np.int32)
    n_factors = max((group.shape[1] for group in groups), default=1)
    padded = [np.pad(g, ((0, 0), (0, n_factors - g.shape[1])), constant_values=one) for g in groups]
    group_rows = np.concatenate([np.empty((0, n_factors)), *padded]).astype(np.int32)
    entry = np.concatenate(table)
    by_four = np.ascontiguousarray(entry.reshape(len(entry), -1, 4).swapaxes(0, 1))
    return by_four, group_rows, shared, left, right


@dataclass(frozen=True)
class _Piece:
    """Rows of the table, one for every configuration of some observed variables: ``first + states @ strides``."""

    first: int
    sizes: dict[int, int]
    strides: dict[int, int]

    @classmethod
    def of(cls, first: int, sizes: dict[int, int]) -> "_Piece":
        """The rows in the order of ``joint_states(sizes)``."""
        strides, step = {}, 1
        for v in reversed(sizes):
            strides[v] = step
            step *= sizes[v]
        return cls(first, sizes, strides)

    def rows(self, states: np.ndarray, variables: list[int]) -> np.ndarray:
        """The rows at states of these variables, shape (n_states, n_variables)."""
        return self.first + states @ [self.strides.get(v, 0) for v in variables]


def _bundles(parts: list[_Piece]) -> list[list[_Piece]]:
    """Neighbours together as long as they have few configurations."""
    bundles: list[list[_Piece]] = [[]]
    for part in parts:
        sizes = {v: size for other in [*bundles[-1], part] for v, size in other.sizes.items()}
        if bundles[-1] and prod(sizes.values()) > GROUP_CONFIGURATIONS:
            bundles.append([])
        bundles[-1].append(part)
    return bundles
