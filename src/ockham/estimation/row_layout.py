"""How distinct rows, and the factors that their probabilities are products of, are laid out for the E step's kernel.

A factor is a few rows of a table, one for every configuration of the data columns that it touches, each over the hidden
configurations. kernels/expectation.pxd has the notation.
"""

from dataclasses import dataclass
from math import prod

import numpy as np

__all__ = ["MISSING", "Half", "Layout", "Pairs", "Piece", "Terms", "by_four", "halves"]

MISSING = -1
"""The state of a cell that was not observed."""
MANY_FACTORS = 8
"""Factors of a half from which on it pays to multiply groups of them first."""
GROUP_CONFIGURATIONS = 16
"""Observed configurations of a group at the most."""


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
    """Index arrays of the E step.

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
class Piece:
    """Rows of the table, one for every configuration of some data columns: ``first + states @ strides``.

    Attributes
    ----------
    first : int
    sizes : dict of int to int
        States of every column that it touches; where cells are missing, that is the last of them.
    strides : dict of int to int
    """

    first: int
    sizes: dict[int, int]
    strides: dict[int, int]

    @classmethod
    def of(cls, first: int, sizes: dict[int, int]) -> "Piece":
        """The rows with the states of the last column next to each other."""
        strides, step = {}, 1
        for column in reversed(sizes):
            strides[column] = step
            step *= sizes[column]
        return cls(first, sizes, strides)

    def rows(self, states: np.ndarray, columns: list[int]) -> np.ndarray:
        """The rows at states of these columns, shape (n_states, n_columns)."""
        return self.first + states @ [self.strides.get(column, 0) for column in columns]


@dataclass(frozen=True)
class Half:
    """Half of the factors: their data columns, and their table rows as ``offsets + configurations @ strides``."""

    columns: tuple[int, ...]
    missing: np.ndarray
    offsets: np.ndarray
    strides: np.ndarray

    @classmethod
    def of(cls, pieces: list[Piece], one: int) -> "Half":
        """That of some pieces; the row ``one`` of the table, a constant 1, without any."""
        if not pieces:
            return cls((), np.zeros(0, dtype=np.int64), np.array([one]), np.zeros((0, 1), dtype=np.int64))
        sizes = {column: size for piece in pieces for column, size in piece.sizes.items()}
        columns = tuple(sorted(sizes))
        strides = np.array([[piece.strides.get(column, 0) for piece in pieces] for column in columns], dtype=np.int64)
        missing = np.array([sizes[column] - 1 for column in columns])
        return cls(columns, missing, np.array([piece.first for piece in pieces]), strides)

    def table_rows(self, configurations: np.ndarray) -> np.ndarray:
        states = np.where(configurations == MISSING, self.missing, configurations)
        return (self.offsets + states @ self.strides).astype(np.int32)


def halves(pieces: list[Piece], n_table: int, one: int) -> tuple[np.ndarray, Half, Half]:
    """The factors split in two, and the table rows of the groups that they go in first, (n_groups, n_group_factors).

    The products of the groups are the rows from ``n_table`` on; ``one`` is that of a constant 1.
    """
    groups: list[np.ndarray] = []

    def half(parts: list[Piece]) -> Half:
        nonlocal n_table
        if len(parts) >= MANY_FACTORS:
            bundles, parts = _bundles(parts), []
            for bundle in bundles:
                whole = Piece.of(n_table, {column: size for part in bundle for column, size in part.sizes.items()})
                parts.append(whole if len(bundle) > 1 else bundle[0])
                if len(bundle) > 1:
                    states = np.indices(tuple(whole.sizes.values())).reshape(len(whole.sizes), -1).T
                    groups.append(np.stack([part.rows(states, list(whole.sizes)) for part in bundle], axis=1))
                    n_table += len(states)
        return Half.of(parts, one)

    middle = (len(pieces) + 1) // 2
    left, right = half(pieces[:middle]), half(pieces[middle:])
    n_factors = max((group.shape[1] for group in groups), default=1)
    padded = [np.pad(g, ((0, 0), (0, n_factors - g.shape[1])), constant_values=one) for g in groups]
    return np.concatenate([np.empty((0, n_factors)), *padded]).astype(np.int32), left, right


def by_four(entry: np.ndarray) -> np.ndarray:
    """A table of entries, shape (n_table, width), four hidden configurations after another, (width / 4, n_table, 4)."""
    return np.ascontiguousarray(entry.reshape(len(entry), -1, 4).swapaxes(0, 1))


@dataclass(frozen=True)
class Pairs:
    """The distinct rows as pairs of a left and a right configuration, in the order of the left ones.

    Attributes
    ----------
    order : ndarray of int64, shape (n_rows,)
        Which of the rows each is.
    row_start : ndarray of int32, shape (n_left + 1,)
    row_right : ndarray of int32, shape (n_rows,)
    """

    order: np.ndarray
    row_start: np.ndarray
    row_right: np.ndarray

    @classmethod
    def of(cls, left: np.ndarray, right: np.ndarray, n_left: int) -> "Pairs":
        """From the left and the right configuration of every row."""
        order = np.argsort(left, kind="stable")
        row_start = np.zeros(n_left + 1, dtype=np.int32)
        np.cumsum(np.bincount(left, minlength=n_left), out=row_start[1:])
        return cls(order, row_start, right[order].astype(np.int32))


def _bundles(parts: list[Piece]) -> list[list[Piece]]:
    """Neighbours together as long as they have few configurations."""
    bundles: list[list[Piece]] = [[]]
    for part in parts:
        sizes = {column: size for other in [*bundles[-1], part] for column, size in other.sizes.items()}
        if bundles[-1] and prod(sizes.values()) > GROUP_CONFIGURATIONS:
            bundles.append([])
        bundles[-1].append(part)
    return bundles
