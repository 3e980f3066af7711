"""Tables for structure learning from files, frames, arrays and what was read before: complete, or refused."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ockham.errors import DataError, ModelError
from ockham.estimation.memory import MAX_BYTES
from ockham.io.arguments import sequence
from ockham.io.categories import MISSING
from ockham.io.frames import MISSING_TEXTS, CategoricalTable, read_table
from ockham.orders.data.complete_table import CompleteTable
from ockham.orders.data.structure_data import StructureData, table_of_array

__all__ = ["complete_table", "completed", "table_and_warnings"]

BYTES_PER_CELL = 6
"""Of rows that are repeated: their states, and the copy that scores are computed from."""


def complete_table(table: Any) -> CompleteTable:
    """A table in any of the forms that ``arcs`` takes."""
    return table_and_warnings(table)[0]


def table_and_warnings(
    table: Any,
    *,
    missing: Sequence[str] = MISSING_TEXTS,
    drop: Sequence[str] = (),
    weights: Any = None,
    header: bool = True,
    max_bytes: float = MAX_BYTES,
) -> tuple[CompleteTable, tuple[str, ...]]:
    """The table, read with options, and what a user may not have meant in it; ``max_bytes`` as of ``completed``."""
    if isinstance(table, CompleteTable | StructureData) or not _has_names(table):
        texts = (missing,) if isinstance(missing, str) else sequence(missing, "missing", DataError)
        says = not all(each in MISSING_TEXTS for each in texts)  # which no state is
        if says or len(sequence(drop, "drop", DataError)) or weights is not None:
            raise DataError("the data: missing, drop and weights are for tables with names; leave columns, and rows "
                            "with missing cells, out of the array, and repeat rows")  # fmt: skip
        if isinstance(table, CompleteTable):
            return table, ()
        found = table if isinstance(table, StructureData) else table_of_array(table)
        return _of_variables(found.names, found.cardinalities, found.states, "the data"), ()
    read = read_table(table, missing=missing, drop=drop, weights=weights, header=header)
    source = str(table) if isinstance(table, str | os.PathLike) else "the data"
    return completed(read, source, max_bytes), read.warnings


def completed(table: CategoricalTable, source: str, max_bytes: float = MAX_BYTES) -> CompleteTable:
    """The rows of a table that was read, each as often as it occurs.

    Raises
    ------
    DataError
        Of ``source``, for missing cells.
    ModelError
        When the rows of a table with weights are predicted to take more than ``max_bytes``.
    """
    empty = table.states == MISSING
    if empty.any():
        columns = ", ".join(repr(name) for name, some in zip(table.names, empty.any(axis=0), strict=True) if some)
        raise DataError(
            f"{source}: {empty.any(axis=1).sum()} of {len(empty)} rows have missing cells, in the columns "
            f"{columns[:500]}; arcs need complete rows: fill them in, leave these rows or columns out, or, if what is "
            "taken for missing is a state, say what is missing instead (missing=[] or --missing)"
        )
    states = table.states.astype(np.int16)
    if table.weights is not None:
        n_bytes = float(BYTES_PER_CELL * table.n * len(table.names))
        if n_bytes > max_bytes:
            raise ModelError(
                f"{source}: {table.n:,} rows, as the weights say, of {len(table.names)} columns: predicted to take "
                f"{n_bytes / 1e9:,.3g} GB, {max_bytes / 1e9:,.3g} GB are allowed: allow more (max_gigabytes or "
                "--max-gigabytes), or leave columns out"
            )
        states = np.repeat(states, table.weights, axis=0)
    return _of_variables(table.names, table.cardinalities, states, source)


def _of_variables(
    names: tuple[str, ...], cardinalities: tuple[int, ...], states: np.ndarray, source: str
) -> CompleteTable:
    if len(names) < 2:
        raise DataError(f"{source}: has one column; arcs need two variables or more")
    return CompleteTable(names, cardinalities, states)


def _has_names(table: Any) -> bool:
    return isinstance(table, CategoricalTable | str | os.PathLike) or hasattr(table, "columns")
