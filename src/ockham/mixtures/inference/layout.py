"""How a mixture and its rows are laid out for the kernels of EM and variational EM."""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ockham.estimation.memory import check_memory
from ockham.estimation.row_layout import MISSING, Half, Layout, Pairs, Piece, Terms, by_four, halves
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference.design import Design
from ockham.mixtures.items.item import Item

__all__ = ["Conjugates", "MixtureLayout", "by_class", "by_statistic", "conjugates", "layout"]

N_PRIOR = 4
"""Hyperparameters of an item at the most."""
N_TABLES, N_HALVES = 6, 4
"""Numbers of each distinct cell, and of each row, for every class."""


@dataclass(frozen=True, eq=False)
class MixtureLayout:
    """Arrays of the kernels; kernels/mixture.pxd has the notation.

    Attributes
    ----------
    rows : Layout
        Every item is a factor, whose entries are its distinct cells class by class; the last are those of the classes.
    n_classes, n_statistics : int
    cell_start : ndarray of int32, shape (n_cells + 1,)
    cell_statistics : ndarray of int32, shape (n_numbers,)
    cell_values : ndarray, shape (n_numbers,)
    cell_counts : ndarray, shape (n_cells,)
    kinds : ndarray of int32, shape (n_items,)
    first : ndarray of int32, shape (n_items + 1,)
    prior : ndarray, shape (n_items, 4)
    weights_prior : float
    largest_precision : float
        Of a Gaussian item in a class, at a mode.
    """

    rows: Layout
    n_classes: int
    n_statistics: int
    cell_start: np.ndarray
    cell_statistics: np.ndarray
    cell_values: np.ndarray
    cell_counts: np.ndarray
    kinds: np.ndarray
    first: np.ndarray
    prior: np.ndarray
    weights_prior: float
    largest_precision: float = np.inf

    def without_prior(self, largest_precision: float) -> "MixtureLayout":
        """For the maximum of the likelihood, which is bounded where precisions are."""
        return replace(self, prior=np.zeros_like(self.prior), weights_prior=0.0, largest_precision=largest_precision)


class Conjugates(NamedTuple):
    """How the priors of items are updated, as kernels take it; of the same arrays as ``MixtureLayout`` has.

    Attributes
    ----------
    kinds : ndarray of int32, shape (n_items,)
    first : ndarray of int32, shape (n_items + 1,)
    prior : ndarray, shape (n_items, 4)
    """

    kinds: np.ndarray
    first: np.ndarray
    prior: np.ndarray


@lru_cache(maxsize=8)
def conjugates(items: tuple[Item, ...]) -> Conjugates:
    """Those of items in their order."""
    prior = np.zeros((len(items), N_PRIOR))
    for row, item in zip(prior, items, strict=True):
        row[: len(item.conjugate[1])] = item.conjugate[1]
    return Conjugates(
        kinds=np.array([item.conjugate[0] for item in items], dtype=np.int32),
        first=_starts(np.array([item.n_statistics for item in items])),
        prior=prior,
    )


def layout(model: FiniteMixture, design: Design) -> MixtureLayout:
    """The layout of one mixture on its rows.

    Raises
    ------
    ModelError
        When it would take more memory than allowed.
    """
    return _layout(design, tuple(model.items.values()), model.n_classes, model.concentration)


@lru_cache(maxsize=8)
def _layout(design: Design, items: tuple[Item, ...], n_classes: int, concentration: float) -> MixtureLayout:
    kinds, first, prior = conjugates(items)
    statistics, counts = design.statistics, design.counts
    if not len(counts):  # one cell in a row that weighs nothing says nothing
        statistics, counts = np.eye(1, first[-1]), np.zeros(1)
    codes, cells = _coded(statistics, first)
    n_cells = sum(len(of_item) for of_item in cells)
    check_memory(
        (N_TABLES * n_cells + N_HALVES * len(counts)) * (n_classes + 3),
        f"the E step of {n_classes:,} classes, {len(counts):,} distinct rows and {n_cells:,} distinct cells",
        "take fewer rows, items or classes",
    )
    places = [np.argwhere(of_item) for of_item in cells]  # cell and statistic of every number that is not 0
    return MixtureLayout(
        rows=_rows(codes, counts, [len(of_item) for of_item in cells], n_classes),
        n_classes=n_classes,
        n_statistics=int(first[-1]),
        cell_start=_starts(np.concatenate([np.bincount(place[:, 0]) for place in places if len(place)])),
        cell_statistics=np.concatenate([place[:, 1] + at for place, at in zip(places, first, strict=False)]).astype(
            np.int32
        ),
        cell_values=np.concatenate([of_item[of_item != 0] for of_item in cells]),
        cell_counts=np.concatenate(
            [
                np.bincount(column + 1, counts, len(of_item) + 1)[1:]
                for column, of_item in zip(codes.T, cells, strict=True)
            ]
        ),
        kinds=kinds,
        first=first,
        prior=prior,
        weights_prior=concentration,
    )


def _coded(statistics: np.ndarray, first: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """Which of the distinct cells of every item each row has, ``MISSING`` for none, and their statistics."""
    codes, cells = np.full((len(statistics), len(first) - 1), MISSING), []
    for column, (start, stop) in enumerate(pairwise(first)):
        known = statistics[:, start:stop].any(axis=1)
        distinct, which = np.unique(statistics[known, start:stop], axis=0, return_inverse=True)
        codes[known, column] = which.ravel()
        cells.append(distinct)
    return codes, cells


def _rows(codes: np.ndarray, counts: np.ndarray, n_cells: list[int], n_classes: int) -> Layout:
    """The rows as products of cells; items of few distinct cells come first, so that they share one half."""
    width, n_entries = -(-n_classes // 4) * 4, (sum(n_cells) + 1) * n_classes
    missing = (codes == MISSING).any(axis=0)
    table, pieces, n_table = [], {}, 0
    for column, of_item in enumerate(n_cells):
        rows = np.full((of_item + missing[column], width), n_entries, dtype=np.int32)
        rows[:of_item, :n_classes] = (
            np.arange(of_item * n_classes).reshape(-1, n_classes) + sum(n_cells[:column]) * n_classes
        )
        rows[of_item:, :n_classes] = n_entries + 1  # a missing cell is a constant 1; the rest of the width stays 0
        pieces[column] = Piece.of(n_table, {column: len(rows)})
        table.append(rows)
        n_table += len(rows)
    last = np.full((2, width), n_entries + 1, dtype=np.int32)
    last[1, :n_classes] = np.arange(n_entries - n_classes, n_entries)
    last[1, n_classes:] = n_entries
    of_classes, one = n_table + 1, n_table
    order = sorted(pieces, key=lambda column: n_cells[column])
    groups, left, right = halves([pieces[column] for column in order], n_table + 2, one)
    (of_left, left_of), (of_right, right_of) = (_projected(codes, half) for half in (left, right))
    pairs = Pairs.of(left_of, right_of, len(of_left))
    weights = counts[pairs.order]
    return Layout(
        entry=by_four(np.concatenate([*table, last])),
        group_rows=groups,
        left_rows=left.table_rows(of_left),
        right_rows=right.table_rows(of_right),
        row_start=pairs.row_start,
        row_right=pairs.row_right,
        weights=weights,
        shared_rows=np.array([of_classes], dtype=np.int32),
        filling_start=np.zeros(1, dtype=np.int32),
        fillings=np.empty(0, dtype=np.int32),
        terms=Terms.of(weights, len(weights)),
    )


def _projected(codes: np.ndarray, half: Half) -> tuple[np.ndarray, np.ndarray]:
    """The distinct configurations of a half, and which of them each row has."""
    if not half.columns:
        return np.zeros((1, 0), dtype=np.int64), np.zeros(len(codes), dtype=np.int64)
    configurations, which = np.unique(codes[:, list(half.columns)], axis=0, return_inverse=True)
    return configurations, which.ravel()


def _starts(lengths: np.ndarray) -> np.ndarray:
    return np.append(0, np.cumsum(lengths)).astype(np.int32)


def by_statistic(part: np.ndarray) -> np.ndarray:
    """A copy of natural parameters or sums, shape (n_classes, n_statistics), as kernels take them."""
    return np.array(part.T, order="C")


def by_class(part: np.ndarray) -> np.ndarray:
    """The way back."""
    return np.ascontiguousarray(part.T)
