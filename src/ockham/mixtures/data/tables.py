"""Tables of mixed items from CSV files, data frames and arrays: what each column is, inferred, shown and overridden."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ockham.errors import DataError
from ockham.io.arguments import flag, sequence, shown, text
from ockham.io.categories import coded, frequencies, objection
from ockham.io.frames import MISSING_TEXTS, Note, read_columns
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.items import Binomial, Categorical, Gaussian, Ordered, Poisson
from ockham.mixtures.items.item import Item

__all__ = ["MixedTable", "read_mixed_table"]

KINDS = {kind.kind: kind for kind in (Categorical, Ordered, Gaussian, Poisson, Binomial)}
FEW_VALUES = 10
"""Whole numbers of so many different values are taken for codes of categories."""
LARGE_COUNTS = 30
"""Whole numbers of such a mean without any 0 are taken for measurements, such as ages."""


@dataclass(frozen=True, eq=False)
class MixedTable:
    """Rows of mixed items.

    Attributes
    ----------
    items : dict of str to Item
        By the names of the columns.
    categories : dict of str to tuple of str
        Labels of the states of categorical and ordered items.
    rows : MixedRows
    notes : tuple of Note
        What each column was read as, those left out included, and what a user should look at.
    """

    items: dict[str, Item]
    categories: dict[str, tuple[str, ...]]
    rows: MixedRows
    notes: tuple[Note, ...]

    def model(self, n_classes: int, concentration: float = 1.0) -> FiniteMixture:
        """A mixture of these items, whose evidence ``ockham.evidence(table.model(3), table.rows)`` estimates."""
        return FiniteMixture(n_classes, self.items, concentration)


def read_mixed_table(
    source: Any,
    types: Mapping[str, str | Item] | None = None,
    *,
    missing: Sequence[str] = MISSING_TEXTS,
    drop: Sequence[str] = (),
    weights: str | None = None,
    header: bool = True,
) -> MixedTable:
    """A table of mixed items.

    Parameters
    ----------
    source : path, data frame or array_like
        As ``ockham.read_table`` takes it.
    types : mapping of str to str or Item, optional
        Of columns whose type is not to be inferred: ``categorical``, ``ordered``, ``gaussian``, ``poisson``,
        ``binomial``, or an item with hyperparameters of its own.
    missing, drop : sequence of str
        What says that a cell is missing, and columns to leave out.
    weights : str, optional
        The column that says how often each row occurs.
    header : bool
        Whether the first row of a CSV file names the columns.

    Returns
    -------
    MixedTable
        Columns with one value or none are left out. The hyperparameters of a number are in its unit: its mean is the
        centre, and half of its standard deviation what is expected inside a class; a count's mean is that of its rates.
        They are taken from the table, and the evidence depends on them.

    Raises
    ------
    DataError
        That names the file and the column, for what is not of its type, such as counts with fractions.

    Notes
    -----
    Text is categorical. Numbers with fractions or a sign are Gaussian; so are whole numbers with a mean above 30 and
    no 0, such as ages. Whole numbers with at most 10 different values are categorical, and others Poisson.
    """
    raw = read_columns(source, flag(header, "header", DataError))
    nothing = _checked_texts(missing)
    given = _checked_types({} if types is None else types)
    weights = None if weights is None else text(weights, "weights", DataError)
    left_out = {text(name, "drop", DataError) for name in sequence(drop, "drop", DataError)}
    for name in (*given, *left_out, *([weights] if weights is not None else [])):
        if name not in raw.names:
            raise DataError(f"{raw.source}: has no column {name!r}; it has {', '.join(map(repr, raw.names))[:500]}")
    items, categories, columns, notes = {}, {}, [], []
    counts = None
    for name, cells in zip(raw.names, raw.columns, strict=True):
        place = f"{raw.source}: column {name!r}"
        if name == weights:
            counts = frequencies(cells, place)
            continue
        if name in left_out:
            continue
        labels, states = coded(cells, nothing)
        if len(labels) < 2:
            every = f"every cell that is not missing is {labels[0]!r}" if labels else "all its cells are missing"
            notes.append(Note(name, f"left out: {every}, so it says nothing of classes", True))
            continue
        values = _numbers(labels)
        item = given.get(name) or _inferred(values)
        kind = item if isinstance(item, str) else item.kind
        if kind in ("categorical", "ordered"):
            if (problem := objection(name, labels, int((states >= 0).sum()))) is not None:
                raise DataError(f"{place}: {problem}")
            categories[name] = labels
            column = np.where(states < 0, np.nan, states.astype(np.float64))
        elif values is None:
            raise DataError(f"{place}: is {kind}, and has texts such as {shown(labels[-1])}; name them in missing, or "
                            "take it as categorical")  # fmt: skip
        else:
            column = np.where(states < 0, np.nan, values[states])
        items[name] = _item(kind, column, len(labels)) if isinstance(item, str) else item
        columns.append(column)
        found = "as was said" if name in given else "inferred"
        n_missing = int(np.isnan(column).sum())
        notes.append(Note(name, f"{items[name]}, {found}" + (f"; {n_missing} missing" if n_missing else "")))
        if name not in given and values is not None and kind == "categorical" and len(labels) > 2:
            notes.append(Note(name, "has whole numbers, read as categories without an order; say if it is ordered, or "
                                    "a count", True))  # fmt: skip
    if not items:
        raise DataError(f"{raw.source}: has no column with two values or more; give a table of items")
    rows = MixedRows.of(np.stack(columns, axis=1), items, raw.source, counts)
    return MixedTable(items, categories, rows, tuple(notes))


def _checked_texts(missing: Any) -> frozenset[str]:
    texts = sequence(missing, "missing", DataError)
    for each in texts:
        if not isinstance(each, str):
            raise DataError(f"missing: {shown(each)} must be a text")
    return frozenset(texts)


def _checked_types(types: Any) -> dict[str, str | Item]:
    if not isinstance(types, Mapping):
        raise DataError(f"types: {shown(types)} must map names of columns to types, such as 'ordered'")
    for name, kind in types.items():
        if not (isinstance(kind, Item) or (isinstance(kind, str) and kind in KINDS)):
            raise DataError(f"types: {shown(kind)} of column {shown(name)} is none of {', '.join(KINDS)}, and no item")
    return dict(types)


def _numbers(labels: Sequence[str]) -> np.ndarray | None:
    """The numbers that labels are, or None where one is none."""
    try:
        found = np.array([float(label) for label in labels])
    except ValueError:
        return None
    return found if np.isfinite(found).all() else None


def _inferred(values: np.ndarray | None) -> str:
    """The type of a column with these different values."""
    if values is None or len(values) == 2:
        return "categorical"
    if (values != np.floor(values)).any() or values.min() < 0:
        return "gaussian"
    if len(values) <= FEW_VALUES:
        return "categorical"
    return "gaussian" if values.min() > 0 and values.mean() > LARGE_COUNTS else "poisson"


def _item(kind: str, column: np.ndarray, n_values: int) -> Item:
    """An item with hyperparameters in the unit of a column."""
    known = column[~np.isnan(column)]
    if kind in ("categorical", "ordered"):
        return Categorical(n_values) if kind == "categorical" else Ordered(n_values)
    if kind == "gaussian":
        return Gaussian(float(known.mean()), float(known.std()) / 2)
    if kind == "poisson":
        return Poisson(float(known.mean()))
    return Binomial(int(known.max()))
