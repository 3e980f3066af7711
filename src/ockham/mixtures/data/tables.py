"""Tables of mixed items from CSV files, data frames and arrays: what each column is, inferred, shown and overridden."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np

from ockham.errors import DataError
from ockham.estimation.given_rows import GivenRows
from ockham.io.arguments import flag, shown
from ockham.io.categories import coded, doubts, is_code, looks_like_frequencies, objection, summary, without_rows
from ockham.io.csv_files import check_text
from ockham.io.frames import MISSING_TEXTS, Note, RawTable, kept_columns, read_columns
from ockham.mixtures.data.column_types import FEW_VALUES, check_there, checked_types, inferred, numbers
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.data.priors import DEFAULT, MixedPrior, described
from ockham.mixtures.data.rounding import check_rounding
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.items import Categorical
from ockham.mixtures.items.item import Item

__all__ = ["MixedTable", "mixed_table", "read_mixed_table"]

WIDE = 20.0
"""Variance of a count over its mean, beyond which classes hardly are why."""
AS_SAID = {
    "types": "types={{{0!r}: {1!r}}}",
    "items": "items={{{0!r}: {1!r}}} or --items {0}={1}",
    "data.types": "data.types: {{{0}: {1}}}",
}
"""How a user says what a column is, by the argument that takes it."""


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
        The distinct ones.
    notes : tuple of Note
        What each column was read as, those left out included, and what a user should look at.
    cells : ndarray of float64, shape (n_rows, n_items)
        The rows in the table's order, NaN where a cell is missing.
    counts : ndarray of int64, shape (n_rows,)
        How often each occurs.
    given : frozenset of str
        Items whose hyperparameters were given, so that no other prior changes them.
    prior : MixedPrior
        Of the others.
    """

    items: dict[str, Item]
    categories: dict[str, tuple[str, ...]]
    rows: MixedRows
    notes: tuple[Note, ...]
    cells: np.ndarray
    counts: np.ndarray
    given: frozenset[str] = frozenset()
    prior: MixedPrior = DEFAULT

    @property
    def warnings(self) -> tuple[str, ...]:
        """The notes that are warnings, as sentences."""
        return tuple(note.sentence for note in self.notes if note.is_warning)

    def of(self, items: Mapping[str, Item]) -> MixedRows:
        """The rows, for a model of items with the same names, order and numbers of states; else a DataError."""
        if list(items) != list(self.items):
            raise DataError(
                f"the data: the table has the items {', '.join(map(repr, self.items))[:300]}, and the model "
                f"{', '.join(map(repr, items))[:300]}; give a table of these, or take table.model(n_classes)"
            )
        for name, item in items.items():
            kind, labels = self.items[name].kind, self.categories.get(name, ())
            if (name in self.categories) != isinstance(item, Categorical):
                raise DataError(
                    f"the data: column {name!r} was read as {kind}, in the model it is {item.kind}; read the table "
                    f"with types={{{name!r}: {item.kind!r}}}"
                )
            if labels and len(labels) != item.n_statistics:
                raise DataError(
                    f"the data: column {name!r} has {len(labels)} states ({', '.join(labels)[:200]}), the model "
                    f"{item.n_statistics}; give an array of states that are numbered as in the model, from 0"
                )
        return self.rows

    def model(self, n_classes: int, concentration: float = 1.0) -> FiniteMixture:
        """A mixture of these items, whose evidence ``ockham.evidence(table.model(3), table.rows)`` estimates."""
        return FiniteMixture(n_classes, self.items, concentration)

    def items_under(self, prior: MixedPrior) -> dict[str, Item]:
        """The items with the hyperparameters of another prior."""
        return {
            name: item
            if name in self.given
            else prior.item(
                item.kind,
                column,
                self.counts,
                len(self.categories.get(name, ())),
                f"column {name!r}",
                getattr(item, "total", None),
            )
            for (name, item), column in zip(self.items.items(), self.cells.T, strict=True)
        }

    def notes_under(self, prior: MixedPrior) -> tuple[Note, ...]:
        """The notes, with what they say of items as it is under another prior."""
        items, found = self.items_under(prior), []
        for note in self.notes:
            if note.column in items and not note.is_warning:
                before, after = described(self.items[note.column]), described(items[note.column])
                note = note._replace(text=note.text.replace(before, after))
            found.append(note)
        return tuple(found)


def read_mixed_table(
    source: Any,
    types: Mapping[str, str | Item] | None = None,
    *,
    missing: Sequence[str] = MISSING_TEXTS,
    drop: Sequence[str] = (),
    weights: Any = None,
    header: bool = True,
    prior: MixedPrior = DEFAULT,
) -> MixedTable:
    """A table of mixed items.

    Parameters
    ----------
    source : path, data frame or array_like
        As ``ockham.read_table`` takes it.
    types : mapping of str to str or Item, optional
        Of columns whose type is not to be inferred: ``categorical`` (or ``nominal``), ``ordered`` (``ordinal``),
        ``gaussian`` (``continuous``), ``poisson`` (``count``), ``binomial`` with the largest count as total, or with
        another one as in ``binomial:20``, or an item with hyperparameters of its own.
    missing, drop : sequence of str
        What says that a cell is missing, and columns to leave out.
    weights : str or array_like of int, optional
        How often each row occurs: the column that has it, or one number for each row.
    header : bool
        Whether the first row of a CSV file names the columns.
    prior : MixedPrior
        Hyperparameters in units of the items.

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
    Text is categorical, and ordered where the data type of a frame orders more than two states. Numbers with fractions
    are Gaussian. Whole numbers with at most 10 different values are categorical; of others, those with a sign, and
    those with a mean above 30 and no 0, such as ages, are Gaussian, and the rest are Poisson. A few texts among numbers
    that would not be categorical are refused.
    """
    raw = read_columns(source, flag(header, "header", DataError))
    return mixed_table(raw, types, "types", missing=missing, drop=drop, weights=weights, prior=prior)


def mixed_table(
    raw: RawTable,
    types: Mapping[str, str | Item] | None,
    argument: str,
    *,
    missing: Sequence[str],
    drop: Sequence[str],
    weights: Any,
    prior: MixedPrior = DEFAULT,
) -> MixedTable:
    """A table of columns that were read, whose types are given as the argument of this name, one of ``AS_SAID``."""
    said = checked_types(types, argument)
    prior = MixedPrior.of(prior)
    kept, nothing, counts, notes = kept_columns(raw, missing, drop, weights)
    check_there(raw, said, kept, argument)
    items, categories, columns = {}, {}, []
    for name, cells in kept.items():
        place = f"{raw.source}: column {name!r}"
        order = raw.orders.get(name, ())
        labels, states = coded(cells, nothing, order)
        notes += [Note(name, doubt, True) for doubt in without_rows(order, labels, nothing)]
        if len(labels) < 2:
            every = f"every cell that is not missing is {labels[0]!r}" if labels else "all its cells are missing"
            notes.append(Note(name, f"left out: {every}, so it says nothing of classes", True))
            continue
        for label in labels:
            check_text(label, place)
        values, n_known = numbers(labels), int((states >= 0).sum())
        if values is not None and (values == values[0]).all():
            notes.append(Note(name, f"left out: every cell that is not missing is {values[0]:g}", True))
            continue
        if name not in said:
            _refuse_identifier(name, values, n_known, place, argument)
        (kind, total, item), is_given = said.get(name) or inferred(labels, states, counts, order), name in said
        if kind in ("categorical", "ordered"):
            if (problem := objection(name, labels, n_known)) is not None:
                raise DataError(f"{place}: {problem}")
            if item is not None and item.n_statistics != len(labels):
                raise DataError(
                    f"{place}: has {len(labels)} different values, and the item that is given for it has "
                    f"{item.n_statistics}; give one of {len(labels)}"
                )
            categories[name] = labels
            column = np.where(states < 0, np.nan, states.astype(np.float64))
        elif values is None:
            _refuse_text(raw, name, labels, f"{place}: {'is' if is_given else 'looks'} {kind}", argument)
        else:
            column = np.where(states < 0, np.nan, values[states])
        how_often = np.ones(len(column), np.int64) if counts is None else counts
        if item is None:
            item = prior.item(kind, column, how_often, len(labels), place, total)
        items[name] = item
        columns.append(column)
        notes += _notes(name, item, is_given, labels, states, values, bool(order), argument)
        if counts is None and not is_given:
            notes += [Note(name, doubt, True) for doubt in looks_like_frequencies(name, labels)]
    if not items:
        raise DataError(f"{raw.source}: has no column with two values or more; give a table of items")
    table = np.stack(columns, axis=1)
    if n_empty := int(np.isnan(table).all(axis=1).sum()):
        notes.append(Note("", f"{n_empty} of {len(table)} rows have no value at all, and change no evidence", True))
    rows = MixedRows.of(table, items, raw.source, counts)
    check_rounding(rows, items, raw.source)
    which = MixedRows.distinct(table, np.ones(len(table), dtype=np.int64))[1]
    rows = replace(rows, given=GivenRows.once(which) if counts is None else GivenRows(which, counts))
    own = frozenset(name for name, column_type in said.items() if column_type.item)
    how_often = np.ones(len(table), np.int64) if counts is None else counts
    return MixedTable(items, categories, rows, tuple(notes), table, how_often, own, prior)


def _refuse_identifier(name: str, values: np.ndarray | None, n_known: int, place: str, argument: str) -> None:
    """Raise a DataError for whole numbers that go on by 1 from row to row of a table."""
    if values is None or len(values) <= FEW_VALUES or len(values) < n_known or (values != np.floor(values)).any():
        return
    if values.max() - values.min() == len(values) - 1:
        raise DataError(
            f"{place}: has a different value in each of {n_known} rows, as an identifier has; leave the column out "
            f"(drop={[name]!r} or --drop {name}), or say what it is ({AS_SAID[argument].format(name, 'gaussian')})"
        )


def _refuse_text(raw: RawTable, name: str, labels: Sequence[str], words: str, argument: str) -> NoReturn:
    """Raise a DataError for the first cell of a column that is no number."""
    bad = next(label for label in labels if numbers([label]) is None)
    place = raw.at(raw.columns[raw.names.index(name)].index(bad))
    raise DataError(
        f"{words}, and {place} has the text {shown(bad)}; correct it, name it in missing, leave the "
        f"column out, or take it as categorical ({AS_SAID[argument].format(name, 'categorical')})"
    )


def _notes(
    name: str,
    item: Item,
    is_given: bool,
    labels: Sequence[str],
    states: np.ndarray,
    values: np.ndarray | None,
    is_in_order: bool,
    argument: str,
) -> list[Note]:
    """What a column was read as, and what a user may not have meant."""
    found = "as was said" if is_given else "inferred"
    n_known = int((states >= 0).sum())
    if item.kind in ("categorical", "ordered"):
        notes = [Note(name, f"{item.kind}, {found}; {summary(labels, states)}")]
        notes += [Note(name, doubt, True) for doubt in doubts(labels, n_known, len(states))]
        if item.kind == "ordered" and (is_in_order or values is None):
            order = ", ".join(labels[:5])
            by = "data type says" if is_in_order else "text is"
            remedy = "take it as categorical" if is_in_order else "code it with numbers"
            notes.append(Note(name, f"is ordered as its {by}, {order}; {remedy} if that is wrong", True))
        if not is_given and values is not None and len(labels) > 2:
            notes.append(Note(name, "has whole numbers, read as categories without an order; say if it is ordered, or "
                                    "a count", True))  # fmt: skip
        return notes
    n_missing = len(states) - n_known
    missing = f"; {n_missing} missing" if n_missing else ""
    notes = [Note(name, f"{item.kind}, {found}; {described(item)}{missing}")]
    notes += [
        Note(name, f"{label!r} is read as a number; if it says that a cell is missing, name it in missing", True)
        for label in labels
        if is_code(label, labels)
    ]
    cells = values[states[states >= 0]] if values is not None else np.zeros(1)
    if not is_given and item.kind == "poisson" and cells.var() > WIDE * cells.mean():
        times = f"{cells.var() / cells.mean():.0f} times"
        measured = f"if it was measured, say so ({AS_SAID[argument].format(name, 'gaussian')})"
        notes.append(
            Note(name, f"has a variance of {times} its mean, where counts in a class have one; {measured}", True)
        )
    if not is_given and len(labels) == n_known and (cells == np.floor(cells)).all():
        remedy = f"if it is an identifier, leave it out (--drop {name})"
        notes.append(Note(name, f"is different in each of {n_known} rows; {remedy}", True))
    if item.kind == "gaussian" and len(labels) == 2:
        notes.append(Note(name, "has two values, which no Gaussian has; take it as categorical", True))
    if 2 * n_known < len(states):
        notes.append(Note(name, f"{n_missing} of {len(states)} cells are missing", True))
    return notes
