"""A finite mixture as its fit sees it: sizes of classes, profiles by item, and rows of a caller's own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ockham.errors import DataError, ModelError
from ockham.estimation.given_rows import GivenRows
from ockham.io.categories import MISSING
from ockham.mixtures.classes.profiles import profiles, quantity_names
from ockham.mixtures.data.mixed_rows import MixedRows, cells_of
from ockham.mixtures.data.tables import MixedTable
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters
from ockham.mixtures.items import Categorical
from ockham.mixtures.items.item import Item
from ockham.table_results.fitted.labelled_cells import cells_of_labels, has_labels, is_numbered, states_of_labels
from ockham.table_results.fitted.models import Labels, checked_labels

__all__ = ["MixtureClasses"]

MAX_CLASSES = 20
"""Of which every two are compared at many draws."""


@dataclass(frozen=True, eq=False)
class MixtureClasses:
    """A mixture with names of the values of its items.

    Points have the log weights of the classes and then the natural parameters, class by class.

    Attributes
    ----------
    mixture : FiniteMixture
    labels : mapping of str to tuple of str
        By item; nothing for numbers and counts.
    """

    mixture: FiniteMixture
    labels: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, mixture: FiniteMixture, labels: Labels | None = None) -> "MixtureClasses":
        """By default values are called 0, 1, ...

        Raises
        ------
        ModelError
            For too many classes.
        ConfigError
            For labels that are not one text for every value.
        """
        if mixture.n_classes > MAX_CLASSES:
            raise ModelError(f"{mixture.n_classes} classes are too many to tell apart; {MAX_CLASSES} are allowed")
        n_values = {name: item.n_values if isinstance(item, Categorical) else 0 for name, item in mixture.items.items()}
        return cls(mixture, dict(zip(n_values, checked_labels(n_values, labels), strict=True)))

    @property
    def n_classes(self) -> int:
        return self.mixture.n_classes

    @property
    def n_entries(self) -> int:
        """Numbers of a point."""
        return self.n_classes * (1 + self.mixture.n_statistics)

    @property
    def items(self) -> tuple[str, ...]:
        """Names of the items, in the order of the columns."""
        return tuple(self.mixture.items)

    @cached_property
    def quantities(self) -> list[tuple[str, str]]:
        """Item and name of all that a profile has, such as the mean of a number."""
        return quantity_names(self.mixture, self.labels)

    def parameters(self, points: np.ndarray) -> Parameters:
        """Of leading shape (...,)."""
        shape = (*points.shape[:-1], self.n_classes, self.mixture.n_statistics)
        return Parameters(points[..., : self.n_classes], points[..., self.n_classes :].reshape(shape))

    def sizes(self, points: np.ndarray) -> np.ndarray:
        """Shares of the classes, shape (..., n_classes)."""
        return np.exp(self.parameters(points).log_weights)

    def profiles(self, points: np.ndarray) -> np.ndarray:
        """What items are like, in their own units, shape (..., n_classes, n_quantities)."""
        return profiles(self.mixture, self.parameters(points).natural)

    def of_classes(self, points: np.ndarray) -> np.ndarray:
        """The size of every class, if there are several, and its profile; shape (..., n_classes, n_quantities)."""
        of_items = self.profiles(points)
        return of_items if self.n_classes == 1 else np.concatenate([self.sizes(points)[..., None], of_items], axis=-1)

    def statistics(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """t(x) of the items, 0 for missing cells, shape (n_rows, n_statistics), and the log base measure of rows."""
        found, log_base = np.zeros((len(rows), self.mixture.n_statistics)), np.zeros(len(rows))
        for column, (item, at) in zip(rows.T, self.mixture.slices, strict=True):
            there = ~np.isnan(column)
            found[there, at] = item.statistics(column[there])
            log_base[there] += item.log_base(column[there])
        return found, log_base

    def log_joint(self, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
        """ln p(row, class | point), nats, shape (n_points, n_rows, n_classes). Missing cells are summed out."""
        statistics, log_base = self.statistics(rows)
        log_weights, natural = self.parameters(points)
        of_items: np.ndarray = (natural @ statistics.T).swapaxes(1, 2)
        return of_items + log_weights[:, None, :] + log_base[:, None]

    def read(self, data: Any, source: str = "the data") -> tuple[MixedRows, GivenRows]:
        """The distinct rows of a caller's data, and which of them each row is.

        MixedRows that were not read from a table are rows in their own order.

        A row is judged by itself: rows in which an item is constant, or has no value, are taken.

        Raises
        ------
        DataError
            For data that do not fit; the message names ``source``, row and item.
        """
        items = self.mixture.items
        if isinstance(data, MixedTable):
            data = self._with_labels(data, source).of(items)
        if isinstance(data, MixedRows):
            if data.rows.shape[1] != len(items):
                raise DataError(f"{source}: has {data.rows.shape[1]} columns, the model {len(items)} items")
            cells, distinct, given = data.rows, data, data.given or GivenRows.distinct(data.counts)
        else:
            labelled = has_labels(data, self.labels)
            cells = cells_of_labels(data, self.labels, source) if labelled else cells_of(data, items, source)
            distinct, which = MixedRows.distinct(cells, np.ones(len(cells), dtype=np.int64))
            given = GivenRows.once(which)
        for column, (name, item) in zip(cells.T, items.items(), strict=True):
            _check_each(item, column, f"{source}: item {name!r}")
        return distinct, given

    def _with_labels(self, table: MixedTable, source: str) -> MixedTable:
        """A table with the states that have these labels, but for items whose labels are numbers of states."""
        cells, categories = table.cells.copy(), dict(table.categories)
        for column, name in enumerate(table.items):
            own = self.labels.get(name, ())
            if name in categories and not is_numbered(own):
                states = np.where(np.isnan(cells[:, column]), MISSING, cells[:, column]).astype(np.int64)
                found = states_of_labels(name, categories[name], own, source)[states]
                cells[:, column], categories[name] = np.where(found == MISSING, np.nan, found), own
        rows, which = MixedRows.distinct(cells, table.counts)
        rows = replace(rows, given=GivenRows(which, table.counts))
        return replace(table, cells=cells, categories=categories, rows=rows)


def _check_each(item: Item, column: np.ndarray, place: str) -> None:
    """Raise a DataError for the first cell that by itself is none of the item."""
    rows = np.flatnonzero(~np.isnan(column))
    if len(rows) and item.refusal(column[rows]) is not None:
        for row in rows:
            item.check(column[row : row + 1], f"{place}, row {row}")
