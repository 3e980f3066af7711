"""A discrete network as a latent class model: sizes of classes, their profiles, and rows of items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ockham.errors import ModelError
from ockham.estimation.given_rows import GivenRows
from ockham.io.arguments import in_order, shown
from ockham.io.frames import CategoricalTable
from ockham.networks.data.table_rows import rows_of_table
from ockham.networks.data.unique_rows import MISSING, UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.relabellings import Relabellings, relabellings
from ockham.table_results.fitted.labelled_cells import cells_of_labels, has_labels, is_numbered, states_of_labels
from ockham.table_results.fitted.models import Labels, checked_labels

__all__ = ["LatentClassModel"]


@dataclass(frozen=True, eq=False)
class LatentClassModel:
    """One hidden class, the only parent of every item; or items without a parent, which is one class.

    Attributes
    ----------
    network : DiscreteNetwork
    labels : tuple of tuple of str
        What the values of each item are called.
    """

    network: DiscreteNetwork
    labels: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, network: DiscreteNetwork, labels: Labels | None = None) -> "LatentClassModel":
        """A network that is such a model, with the names of its items' values; by default 0, 1, ...

        Raises
        ------
        ModelError
            For any other network.
        ConfigError
            For labels that are not one text for every value.
        """
        if not isinstance(network, DiscreteNetwork):
            raise ModelError(
                f"model: {shown(network)} is neither a FiniteMixture nor a DiscreteNetwork, as ockham.naive_bayes makes"
            )
        expected = tuple(() if i in network.hidden else network.hidden for i in range(network.n_variables))
        if len(network.hidden) > 1 or not network.observed or network.parents != expected:
            raise ModelError(
                "network: is no latent class model, which has one hidden variable without parents that is the only "
                "parent of every other; ockham.naive_bayes makes them"
            )
        items = {network.names[i]: network.cardinalities[i] for i in network.observed}
        return cls(network, checked_labels(items, labels))

    @property
    def n_classes(self) -> int:
        return self.network.n_hidden_configurations

    @cached_property
    def items(self) -> tuple[str, ...]:
        """Names of the observed variables, in the order of the columns."""
        return tuple(self.network.names[i] for i in self.network.observed)

    @cached_property
    def cardinalities(self) -> tuple[int, ...]:
        """Number of values of each item."""
        return tuple(self.network.cardinalities[i] for i in self.network.observed)

    @cached_property
    def value_starts(self) -> np.ndarray:
        """Where the values of each item begin among those of all; shape (n_items + 1,)."""
        return np.concatenate([[0], np.cumsum(self.cardinalities)])

    @cached_property
    def class_entries(self) -> np.ndarray:
        """Entries of the parameters of each class: its size, if there are several, and its profile.

        Shape (n_classes, 1 + n_values) or (1, n_values).
        """
        entries = np.arange(self.network.n_entries)
        families = [self.network.family(i, entries) for i in self.network.observed]
        sizes = [self.network.family(h, entries).T for h in self.network.hidden]
        return np.concatenate([*sizes, *families], axis=1)

    @cached_property
    def relabellings(self) -> Relabellings:
        """Those that leave the posterior as it is; a ModelError when there are too many."""
        return relabellings(self.network)

    @cached_property
    def exchangeable(self) -> bool:
        """Whether the prior treats all classes alike."""
        return bool((self.network.prior[self.class_entries] == self.network.prior[self.class_entries[0]]).all())

    @cached_property
    def quantities(self) -> list[tuple[str, str]]:
        """Item and label of every value."""
        return [(item, label) for item, labels in zip(self.items, self.labels, strict=True) for label in labels]

    def sizes(self, log_parameters: np.ndarray) -> np.ndarray:
        """Shares of the classes, shape (..., n_classes)."""
        return np.exp(self.log_sizes(log_parameters))

    def profiles(self, log_parameters: np.ndarray) -> np.ndarray:
        """Probabilities of every item's values, item by item; shape (..., n_classes, n_values)."""
        return np.exp(self.log_profiles(log_parameters))

    def of_classes(self, log_parameters: np.ndarray) -> np.ndarray:
        """The size of every class, if there are several, and its profile; shape (..., n_classes, n_quantities)."""
        return np.exp(log_parameters[..., self.class_entries])

    def log_sizes(self, log_parameters: np.ndarray) -> np.ndarray:
        """Logs of the sizes of the classes, shape (..., n_classes)."""
        if not self.network.hidden:
            return np.zeros((*log_parameters.shape[:-1], 1))
        return self.network.family(self.network.hidden[0], log_parameters)[..., 0, :]

    def log_profiles(self, log_parameters: np.ndarray) -> np.ndarray:
        """Logs of the probabilities of every item's values, item by item; shape (..., n_classes, n_values)."""
        return log_parameters[..., self.class_entries[:, len(self.network.hidden) :]]

    def of_item(self, item: int, profiles: np.ndarray) -> np.ndarray:
        """One item's part of profiles, shape (..., n_values of the item)."""
        return profiles[..., self.value_starts[item] : self.value_starts[item + 1]]

    def swapped(self, one: int, other: int) -> np.ndarray:
        """Where parameters with two classes exchanged take the entries from; shape (n_entries,)."""
        return self.reordered([{one: other, other: one}.get(k, k) for k in range(self.n_classes)])

    def reordered(self, order: Sequence[int]) -> np.ndarray:
        """Where parameters with the classes in another order take the entries from; shape (n_entries,)."""
        entries = np.arange(self.network.n_entries)
        entries[self.class_entries] = self.class_entries[list(order)]
        return entries

    def indicators(self, rows: np.ndarray) -> np.ndarray:
        """Which value of every item each row has, 0 or 1, shape (n_rows, n_values); none of an item it misses."""
        found = np.zeros((len(rows), self.value_starts[-1]))
        for column, first in enumerate(self.value_starts[:-1]):
            seen = np.flatnonzero(rows[:, column] != MISSING)
            found[seen, first + rows[seen, column]] = 1.0
        return found

    def log_joint(self, rows: np.ndarray, log_parameters: np.ndarray) -> np.ndarray:
        """ln p(row, class | theta), nats, at points of shape (n_points, n_entries).

        Shape (n_points, n_rows, n_classes). Missing cells are summed out.
        """
        items = self.log_profiles(log_parameters) @ self.indicators(rows).T
        return self.log_sizes(log_parameters)[:, None, :] + items.swapaxes(1, 2)

    def read(self, data: Any, source: str = "the data") -> tuple[UniqueRows, GivenRows]:
        """The distinct rows of a caller's data, and which of them each row is; cells may be missing.

        UniqueRows that were not read from a table are rows in their own order.

        Raises
        ------
        DataError
            For data that do not fit; the message names ``source``, row and column.
        """
        labels = dict(zip(self.items, self.labels, strict=True))
        if isinstance(data, CategoricalTable):
            data = rows_of_table(_with_labels(data, labels, source), self.items, self.cardinalities, source)
        if isinstance(data, UniqueRows):
            data.check_fits(self.network)
            return data, data.given or GivenRows.distinct(data.counts)
        data = cells_of_labels(data, labels, source) if has_labels(data, labels) else in_order(data, self.items, source)
        unique = UniqueRows.of(data, self.cardinalities, source, missing=True)
        states = np.ma.filled(np.ma.asarray(data).astype(float), np.nan)
        _, which = np.unique(np.where(np.isnan(states), MISSING, states), axis=0, return_inverse=True)
        return unique, GivenRows.once(which.ravel())


def _with_labels(table: CategoricalTable, labels: Mapping[str, Sequence[str]], source: str) -> CategoricalTable:
    """A table with the states that have these labels, but for items whose labels are numbers of states."""
    states, categories = table.states.copy(), list[Sequence[str]](table.categories)
    for column, name in enumerate(table.names):
        if not is_numbered(own := labels.get(name, ())):
            states[:, column] = states_of_labels(name, categories[column], own, source)[states[:, column]]
            categories[column] = own
    return replace(table, states=states, categories=tuple(map(tuple, categories)))
