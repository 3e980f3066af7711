"""The distinct rows of a table that was read, for a network whose variables have the names of its columns."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ockham.errors import DataError
from ockham.estimation.given_rows import GivenRows
from ockham.io.arguments import in_order
from ockham.io.frames import CategoricalTable
from ockham.networks.data.unique_rows import UniqueRows

__all__ = ["rows_of_table"]


def rows_of_table(
    table: CategoricalTable, names: Sequence[str], cardinalities: Sequence[int], source: str = "the data"
) -> UniqueRows:
    """The unique rows of the columns of these names, in this order; they know the order of the table's rows.

    Raises
    ------
    DataError
        For other columns, and for a column with another number of states, for then it is not known which they are.
    """
    states = in_order(table.states, names, source, table.names)
    for name, expected in zip(names, cardinalities, strict=True):
        labels = table.categories[table.names.index(name)]
        if len(labels) != expected:
            raise DataError(
                f"{source}: column {name!r} has {len(labels)} states ({', '.join(labels)[:200]}), the model "
                f"{expected}; give an array of states that are numbered as in the model, from 0"
            )
    unique = UniqueRows.of(states, cardinalities, source, missing=True, weights=table.weights)
    which = np.unique(states, axis=0, return_inverse=True)[1].ravel()
    given = GivenRows.once(which) if table.weights is None else GivenRows(which, table.weights)
    return replace(unique, given=given)
