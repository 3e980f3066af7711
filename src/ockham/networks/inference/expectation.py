"""How a network's factors and a data set's unique rows are laid out for the E step kernel."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from weakref import WeakKeyDictionary

import numpy as np

from ockham.estimation.memory import check_memory
from ockham.estimation.row_layout import Half, Layout, Pairs, Piece, Terms, by_four, halves
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork, joint_states
from ockham.networks.inference.missing_cells import Filled, fill, n_fillings

__all__ = ["check_layout", "check_rows", "layout"]

N_TABLES, N_HALVES = 3, 4
"""Numbers of each configuration of a factor, and of each row, for every hidden configuration."""
N_FILLINGS = 6
"""Numbers of each cell of an incomplete row that is filled in."""


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
        row_start=rows.pairs.row_start,
        row_right=rows.pairs.row_right,
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
    pairs: Pairs
    weights: np.ndarray
    fillings: np.ndarray
    terms: Terms


@lru_cache(maxsize=8)
def _arrange(filled: Filled, left_columns: tuple[int, ...], right_columns: tuple[int, ...]) -> _Rows:
    left_configurations, left_of = filled.unique.project(left_columns)
    right_configurations, right_of = filled.unique.project(right_columns)
    pairs = Pairs.of(left_of, right_of, len(left_configurations))
    weights = np.concatenate([filled.weights[pairs.order], filled.weights[len(pairs.order) :]])
    fillings = np.argsort(pairs.order)[filled.fillings].astype(np.int32)
    return _Rows(left_configurations, right_configurations, pairs, weights, fillings, Terms.of(weights, len(weights)))


_Factors = tuple[np.ndarray, np.ndarray, np.ndarray, Half, Half]
_FACTORS: WeakKeyDictionary[DiscreteNetwork, dict[tuple[int, ...], _Factors]] = WeakKeyDictionary()


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
    pieces: list[Piece] = []
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
        sizes = {network.observed.index(v): size for v, size in sizes.items()}
        pieces.append(Piece.of(n_table, sizes))
        table.append(rows)
        n_table += len(rows)
    one = n_table
    table.append(np.full((1, width), network.n_entries + 1, dtype=np.int32))
    n_table += 1
    groups, left, right = halves([pieces[i] for i in touching], n_table, one)
    shared = np.array([pieces[i].first for i in others] or [one], dtype=np.int32)
    return by_four(np.concatenate(table)), groups, shared, left, right
