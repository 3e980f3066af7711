"""Tables of categorical items from CSV files, data frames and arrays, with what each column was read as."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ockham.errors import ConfigError, DataError
from ockham.io.arguments import file_path, flag, sequence, shown, text
from ockham.io.arguments import table as array_of
from ockham.io.categories import (
    MISSING,
    as_number,
    coded,
    doubts,
    frequencies,
    looks_like_frequencies,
    objection,
    summary,
    without_rows,
)  # fmt: skip
from ockham.io.csv_files import check_names, check_text, read_cells
from ockham.io.extras import naming_extras

__all__ = [
    "MISSING_TEXTS", "CategoricalTable", "Kept", "Note", "RawTable", "check_column", "check_not_read", "kept_columns",
    "read_columns", "read_table", "read_tables",
]  # fmt: skip

MISSING_TEXTS = ("", "?", ".", "NA", "N/A", "NaN", "nan", "<NA>", "NULL", "null")
"""What says by default that a cell is missing."""
MAX_CELLS = 10**8
SHOWN = 6
"""Items of a table that its one line names."""
NO_NAMES = ", or, if the first row is a case, read it with --no-header (header=False)"


class Note(NamedTuple):
    """What was read, or what a user should look at, of a column or, under an empty name, of the whole table."""

    column: str
    text: str
    is_warning: bool = False

    @property
    def sentence(self) -> str:
        """With the column that it is of."""
        return f"column {self.column!r}: {self.text}" if self.column else self.text


@dataclass(frozen=True, eq=False, repr=False)
class CategoricalTable:
    """Rows of categorical items, some of whose cells may be missing.

    Attributes
    ----------
    names : tuple of str
        Of the columns.
    categories : tuple of tuple of str
        Labels of the states of each column, at least two.
    states : ndarray of int64, shape (n_rows, n_columns)
        Indices of ``categories``, -1 where a cell is missing.
    weights : ndarray of int64, shape (n_rows,), or None
        How often each row occurs, at least once; None for once.
    notes : tuple of Note
        What each column was read as, those left out included, and warnings.
    """

    names: tuple[str, ...]
    categories: tuple[tuple[str, ...], ...]
    states: np.ndarray
    weights: np.ndarray | None = None
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        states, weights = self.states, self.weights
        if not (
            isinstance(states, np.ndarray) and states.dtype == np.int64 and states.size and states.ndim == 2
            and states.shape[1] == len(self.names) == len(self.categories) == len(set(self.names))
            and (states >= MISSING).all() and (states.max(axis=0) < self.cardinalities).all()
            and min(self.cardinalities) > 1
        ):  # fmt: skip
            raise DataError("states: must be int64, one column for each name, -1 or an index of its two or more "
                            "categories; make the table with read_table")  # fmt: skip
        if weights is not None and not (
            isinstance(weights, np.ndarray) and weights.dtype == np.int64 and weights.shape == states.shape[:1]
            and weights.min() > 0
        ):  # fmt: skip
            raise DataError("weights: must be int64, 1 or more for each row; make the table with read_table")

    def __repr__(self) -> str:
        missing = np.count_nonzero(self.states == MISSING)
        items = ", ".join(f"{name} ({n})" for name, n in zip(self.names[:SHOWN], self.cardinalities, strict=False))
        more = ", ..." if len(self.names) > SHOWN else ""
        return (f"<CategoricalTable: {len(self.states):,} rows, {len(self.names)} items, {missing:,} cells missing; "
                f"numbers of states: {items}{more}>")  # fmt: skip

    @cached_property
    def cardinalities(self) -> tuple[int, ...]:
        """Number of states of each column."""
        return tuple(map(len, self.categories))

    @property
    def n(self) -> int:
        """Number of rows, repeats included."""
        return len(self.states) if self.weights is None else int(self.weights.sum())

    @property
    def warnings(self) -> tuple[str, ...]:
        """The notes that are warnings, as sentences."""
        return tuple(note.sentence for note in self.notes if note.is_warning)


def read_table(
    source: Any,
    *,
    missing: Sequence[str] = MISSING_TEXTS,
    drop: Sequence[str] = (),
    weights: Any = None,
    header: bool = True,
) -> CategoricalTable:
    """A table of categorical items.

    Parameters
    ----------
    source : path, data frame or array_like
        A CSV file in UTF-8 with commas; a frame of pandas, polars or whatever else narwhals knows; or rows of a
        2-d array, whose columns are then called x1, x2, ... Cells may be text, numbers or truth values; white space
        around them is left out, and 1.0 is 1, as text where no cell of the column is 1.
    missing : sequence of str
        What says that a cell is missing, in place of what does by default; so do None and NaN.
    drop : sequence of str
        Columns to leave out.
    weights : str or array_like of int, optional
        How often each row occurs: the column that has it, or one number for each row.
    header : bool
        Whether the first row of a CSV file names the columns; without, they are called x1, x2, ...

    Returns
    -------
    CategoricalTable
        States that are numbers are in their order, others in that of an ordered data type, or else of their text.
        Those that no row has are left out, and columns with fewer than two states.

    Raises
    ------
    DataError
        That names the file and the column, for what is no table of categorical items, such as identifiers.
    """
    if isinstance(source, CategoricalTable):
        check_not_read(missing, drop, weights, header)
        return source
    return _categorical(read_columns(source, flag(header, "header", DataError)), missing, drop, weights)


def check_not_read(missing: Any, drop: Any, weights: Any, header: Any) -> None:
    """Raise a DataError for what says how to read a table, given with one that is read already."""
    says = set(_texts(missing, "missing", empty=True)) != set(MISSING_TEXTS) or not flag(header, "header", DataError)
    if says or _texts(drop, "drop") or weights is not None:
        raise DataError("the table: is read already; give missing, drop, weights and header where it is read")


def read_tables(
    files: Sequence[Path], *, missing: Sequence[str], drop: Sequence[str], weights: str | None, header: bool
) -> list[CategoricalTable]:
    """CSV files with the same columns, each as ``read_table`` reads it, but with the states that any of them has.

    Notes are of all files together. A DataError also says which file has other columns than the first.
    """
    first, *others = raws = [read_columns(file, header) for file in files]
    for raw in others:
        if apart := sorted(set(first.names) ^ set(raw.names)):
            raise DataError(
                f"{raw.source}: has other columns than {first.source}: {', '.join(map(repr, apart))[:500]} is in one "
                "of them only; give tables with the same columns"
            )
    columns = [dict(zip(raw.names, raw.columns, strict=True)) for raw in raws]
    together = [[cell for of in columns for cell in of[name]] for name in first.names]
    source = ", ".join(raw.source for raw in raws)
    ends = np.cumsum([_n_rows(raw, weights) for raw in raws])
    whole = _categorical(RawTable(source, first.names, together, header), missing, drop, weights)
    parts = (slice(start, end) for start, end in zip([0, *ends[:-1]], ends, strict=True))
    return [
        replace(whole, states=whole.states[part], weights=None if whole.weights is None else whole.weights[part])
        for part in parts
    ]


def _n_rows(raw: "RawTable", weights: str | None) -> int:
    """Rows of a file that a table has: those of weight 0 are left out."""
    if weights not in raw.names:
        return len(raw.columns[0])
    cells = raw.columns[raw.names.index(weights)]
    return int((frequencies(cells, f"{raw.source}: column {weights!r}", raw.at) > 0).sum())


class Kept(NamedTuple):
    """Columns of items, by name, what says that a cell is missing, how often each row occurs, and notes on all."""

    columns: dict[str, list[str | None]]
    missing: frozenset[str]
    counts: np.ndarray | None
    notes: list[Note]


def kept_columns(raw: "RawTable", missing: Any, drop: Any, weights: Any) -> Kept:
    """The columns but for those that are left out, and but for rows of weight 0.

    Raises
    ------
    DataError
        For columns that are not there, and weights that are no frequencies.
    """
    nothing = frozenset(_texts(missing, "missing", empty=True))
    dropped = _texts(drop, "drop")
    for name in (*dropped, *([weights] if isinstance(weights, str) else [])):
        check_column(raw, name)
    kept = {name: cells for name, cells in zip(raw.names, raw.columns, strict=True) if name not in dropped}
    counts = _weights(raw, kept, weights)
    if isinstance(weights, str):
        kept.pop(weights, None)
    notes = []
    if counts is not None and not counts.all():
        notes.append(Note("", f"{(counts == 0).sum()} rows of weight 0 are left out"))
        kept = {name: [cell for cell, n in zip(cells, counts, strict=True) if n] for name, cells in kept.items()}
        counts = counts[counts > 0]
    return Kept(kept, nothing, counts, notes)


def check_column(raw: "RawTable", name: str) -> None:
    """Raise a DataError for a column that is not there."""
    if name not in raw.names:
        raise DataError(f"{raw.source}: has no column {name!r}; it has {', '.join(map(repr, raw.names))[:500]}")


def _categorical(raw: "RawTable", missing: Sequence[str], drop: Sequence[str], weights: Any) -> CategoricalTable:
    """A table of the columns that were read, but for those that are left out."""
    kept, nothing, counts, notes = kept_columns(raw, missing, drop, weights)
    objections = {}
    names, categories, states = [], [], []
    for name, cells in kept.items():
        order = raw.orders.get(name, ())
        numbers = all(as_number(label) is not None for label in order)
        labels, column = coded(cells, nothing, () if numbers else order)
        for label in labels:
            check_text(label, f"{raw.source}: column {name!r}")
        n_known = int((column != MISSING).sum())
        notes.append(Note(name, summary(labels, column)))
        notes += [Note(name, doubt, True) for doubt in without_rows(order, labels, nothing)]
        if len(labels) < 2:
            every = f"every cell that is not missing is {labels[0]!r}" if labels else "all its cells are missing"
            notes.append(Note(name, f"left out: {every}, so it tells no rows apart", True))
            continue
        if (problem := objection(name, labels, n_known)) is not None:
            objections[name] = problem
        notes += [Note(name, doubt, True) for doubt in doubts(labels, n_known, len(cells))]
        if counts is None:
            notes += [Note(name, doubt, True) for doubt in looks_like_frequencies(name, labels)]
        names.append(name)
        categories.append(labels)
        states.append(column)
    if objections:
        name, problem = next(iter(objections.items()))
        others = f"; look at {', '.join(map(repr, list(objections)[1:]))} as well" if len(objections) > 1 else ""
        raise DataError(f"{raw.source}: column {name!r}: {problem}{others}")
    if not names:
        raise DataError(f"{raw.source}: has no column with two states or more; give a table of categorical items")
    table = np.stack(states, axis=1)
    if raw.has_header and all(name in labels for name, labels in zip(names, categories, strict=True)):
        notes.append(Note("", "the first row may be data: every name is a state of its column (header=False)", True))
    if n_empty := int((table == MISSING).all(axis=1).sum()):
        notes.append(Note("", f"{n_empty} of {len(table)} rows have no value at all, and change no evidence", True))
    return CategoricalTable(tuple(names), tuple(categories), table, counts, tuple(notes))


class RawTable(NamedTuple):
    """Columns of text, None where a cell is missing whatever says so; where they are from, as messages have it.

    Beside, the order of the labels of those columns of a frame whose data type has one, and where in a file each row
    ends.
    """

    source: str
    names: list[str]
    columns: list[list[str | None]]
    has_header: bool
    orders: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    lines: Sequence[int] = ()

    def at(self, row: int) -> str:
        """The place of a row: its line in a file, or else its number, counted from 0."""
        return f"line {self.lines[row]}" if self.lines else f"row {row}"


def _texts(value: Any, name: str, *, empty: bool = False) -> tuple[str, ...]:
    """A list of texts; one text is a list of one."""
    given = (value,) if isinstance(value, str) else sequence(value, name, DataError)
    return tuple(each if empty and isinstance(each, str) else text(each, name, DataError) for each in given)


def read_columns(source: Any, header: bool) -> RawTable:
    """The columns of whatever ``read_table`` takes, as text; or what was read before."""
    if isinstance(source, RawTable):
        return source
    if isinstance(source, str | Path):
        names, rows, lines = read_cells(file_path(source, DataError), header=header, or_else=NO_NAMES)
        columns = [list[str | None](column) for column in zip(*rows, strict=True)]
        return RawTable(str(source), names, columns, header, lines=lines)
    if isinstance(source, np.ndarray | list | tuple):
        array = array_of(source, "the data", "item")
        _check_size(array.shape)
        if array.dtype.kind not in "biufUO":
            raise DataError(f"the data: cells of type {array.dtype} are no categories; give text or whole numbers")
        names = [f"x{column + 1}" for column in range(array.shape[1])]
        columns = [_as_text(column.tolist(), name) for name, column in zip(names, array.T, strict=True)]
        return RawTable("the data", names, columns, False)
    return _read_frame(source)


def _read_frame(source: Any) -> RawTable:
    """The columns of a data frame of any library that narwhals knows."""
    try:
        with naming_extras():
            import narwhals as nw
    except ConfigError as error:
        raise DataError(
            f"the data: {shown(type(source).__name__)} is no path, list or array; for a data frame: {error}"
        ) from error
    try:
        frame = nw.from_native(source, eager_only=True)
        names = [str(name).strip() for name in frame.columns]
        _check_size(frame.shape)
        columns, orders = [], {}
        for k, name in enumerate(names):
            column = frame[:, k]
            values = zip(column.to_list(), column.is_null().to_list(), strict=True)
            columns.append(_as_text([None if is_null else value for value, is_null in values], name))
            if column.dtype == nw.Enum:
                orders[name] = tuple(str(_label(value, name)) for value in column.dtype.categories)
    except DataError:
        raise
    except Exception as error:  # of whatever the caller's object does
        raise DataError(
            f"the data: {shown(type(source).__name__)} is no table ({type(error).__name__}: {shown(str(error))}); give "
            "the path of a CSV file, a pandas or polars frame with a name for every column, or a 2-d array"
        ) from error
    if not names or not columns[0]:
        raise DataError(f"the data: the frame is empty, its shape is {frame.shape}; give rows of items")
    check_names(names, "the data: the frame")
    return RawTable("the data", names, columns, False, orders)


def _check_size(shape: tuple[int, ...]) -> None:
    if shape[0] * shape[1] > MAX_CELLS:
        raise DataError(f"the data: {shape[0]:,} rows of {shape[1]:,} columns; {MAX_CELLS:,} cells are allowed: leave "
                        "rows or columns out")  # fmt: skip


def _as_text(values: list[Any], name: str) -> list[str | None]:
    """Cells of any kind as text; each distinct one of a column of one kind is looked at once."""
    if len({type(value) for value in values} - {type(None)}) == 1:
        try:
            known = {value: _label(value, name) for value in dict.fromkeys(values)}
        except TypeError:  # of what has no hash, and is no cell either
            known = {}
        if known:
            return [known[value] for value in values]
    return [_label(value, name) for value in values]


def _label(value: Any, name: str) -> str | None:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):  # pandas' own, which need not be there
        return None
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, float | np.floating):
        number = float(value)
        if np.isnan(number):
            return None
        return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)
    if isinstance(value, int | np.integer) and abs(int(value)) < 10**30:
        return str(int(value))
    if isinstance(value, Decimal | datetime.date | datetime.time | datetime.timedelta):
        return str(value)
    if type(value).__name__ in ("Interval", "Period"):  # pandas' own, too
        return str(value)
    raise DataError(f"the data: column {name!r} holds {shown(value)}; give text, numbers or truth values")


def _weights(raw: RawTable, kept: dict[str, list[str | None]], weights: Any) -> np.ndarray | None:
    if weights is None:
        return None
    if isinstance(weights, str):
        if weights not in kept:
            raise DataError(f"drop: {weights!r} is the column of weights, which is no item anyway; do not drop it")
        return frequencies(kept[weights], f"{raw.source}: column {weights!r}", raw.at)
    values = list(sequence(weights, "weights", DataError))
    if len(values) != len(raw.columns[0]):
        raise DataError(f"weights: must be the name of a column, or one number for each of {len(raw.columns[0])} rows")
    return frequencies(_as_text(values, "weights"), "weights", "row {}".format)
