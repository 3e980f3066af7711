"""Columns of text as categories: coded in the order that readers expect, and refused where they look like none."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ockham.errors import DataError
from ockham.io.arguments import shown

__all__ = [
    "MISSING", "as_number", "coded", "doubts", "frequencies", "is_code", "looks_like_frequencies", "objection",
    "summary", "without_rows",
]  # fmt: skip

MISSING = -1
"""The state of a missing cell."""
MAX_STATES = 1000
FEW_STATES, MANY_STATES = 10, 20
"""Up to which nothing is said of their number, and beyond which it is."""
MAX_ROWS = 10**8
"""Of a table, repeats included."""
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
WHOLE = re.compile(r"-?(0|[1-9]\d*)\.0", re.ASCII)
OTHER_NUMBER = re.compile(r"[€$£]?\s?[+-]?\d+([.,' ]\d+)*\s?[%€$£]?")
"""Numbers with decimal commas, marks between thousands, or units."""
WORDS_FOR_MISSING = {
    "", "-", "--", ".", "?", "#n/a", "<na>", "missing", "n.a.", "n/a", "na", "nan", "no answer", "none", "null",
    "refused", "unknown",
}  # fmt: skip
CODES_FOR_MISSING = {-999, -99, -9, -1, 99, 999, 9999}
"""Numbers that often stand for a missing cell, where all others are between 0 and a tenth of them."""
NAMES_OF_WEIGHTS = {"count", "counts", "freq", "frequency", "n", "weight", "weights"}
SHOWN = 8
"""States whose names and numbers of rows a summary has."""


def coded(
    cells: Sequence[str | None], missing: frozenset[str], order: Sequence[str] = ()
) -> tuple[tuple[str, ...], np.ndarray]:
    """The labels that occur, and the state of every cell as an index of these; ``MISSING`` for None and what says it.

    Labels stand in their ``order`` where one is given. Else those that are numbers are sorted as numbers, and stand
    before all others, which are sorted as text; and 1.0, as many programs write a column with missing cells, is
    called 1 where no cell is 1.
    """
    found = {cell: cell for cell in set(cells) if cell is not None and cell not in missing}
    if not order:
        whole = {cell: cell.removesuffix(".0") for cell in found if WHOLE.fullmatch(cell)}
        found |= {cell: short for cell, short in whole.items() if short not in found}
    called = set(found.values()) - missing
    labels = (
        tuple(label for label in dict.fromkeys(order) if label in called) if order else tuple(sorted(called, key=_rank))
    )
    index = {label: k for k, label in enumerate(labels)}
    state_of: dict[str | None, int] = {cell: index.get(label, MISSING) for cell, label in found.items()}
    return labels, np.fromiter((state_of.get(cell, MISSING) for cell in cells), np.int64, len(cells))


def _rank(label: str) -> tuple[bool, float, str]:
    value = as_number(label)
    return value is None, 0.0 if value is None else value, label


def as_number(label: str) -> float | None:
    """The number that a label is, written as numbers are in English; None for any other text."""
    return float(label) if NUMBER.fullmatch(label) else None


def frequencies(cells: Sequence[str | None], place: str, at: Callable[[int], str]) -> np.ndarray:
    """How often each row occurs, int64; ``at`` says where a row is.

    Raises
    ------
    DataError
        For what is no whole number of at least 0, and where all are 0.
    """
    for row, cell in enumerate(cells):
        if cell is None or not re.fullmatch(r"[0-9]{1,10}(\.0*)?", cell):
            what = "nothing" if cell is None else shown(cell)
            raise DataError(
                f"{place}: {at(row)} has {what}; a weight says how often a row occurs, as a whole number from 0 to "
                f"{MAX_ROWS:,}. Sampling weights are no frequencies: leave them out"
            )
    found = np.array([int(float(cell or 0)) for cell in cells], dtype=np.int64)
    if not 0 < found.sum() <= MAX_ROWS:
        raise DataError(f"{place}: the weights sum to {found.sum():,}; need 1 to {MAX_ROWS:,} rows")
    return found


def looks_like_frequencies(name: str, labels: Sequence[str]) -> Iterator[str]:
    """What a user may not have meant in an item of such a name and values, in a table without weights."""
    if name.casefold() in NAMES_OF_WEIGHTS and all(re.fullmatch(r"[0-9]+(\.0*)?", label) for label in labels):
        yield f"is read as an item; if it has frequencies of rows, give weights={name!r} or --weights {name}"


def objection(name: str, labels: Sequence[str], n_known: int) -> str | None:
    """Why a column of so many cells that are not missing is no categorical item; None where it may be one."""
    n = len(labels)
    out = f"leave the column out (drop={[name]!r} or --drop {name}) or group its values{_or_rewrite(labels)}"
    if n > FEW_STATES and n == n_known:
        return f"has a different value in each of {n} rows, as an identifier has; {out}"
    if n > FEW_STATES and 2 * n > n_known:
        kind = "numbers" if all(as_number(label) is not None for label in labels) else "texts"
        return f"has {n} different {kind} in {n_known} rows, so they are no categories; {out}"
    if n > MAX_STATES:
        return f"has {n} states, {MAX_STATES} are allowed; {out}"
    return None


def doubts(labels: Sequence[str], n_known: int, n_rows: int) -> Iterator[str]:
    """What a user may not have meant in a column that is read."""
    for twins in _twins(labels, lambda label: " ".join(label.casefold().split())):
        yield f"{_listed(twins)} are different states, though only case or white space differs; write them alike"
    for twins in _twins(labels, as_number):
        yield f"{_listed(twins)} are different states, though they are the same number; write them alike"
    for label in labels:
        if label.casefold() in WORDS_FOR_MISSING or is_code(label, labels):
            yield f"{label!r} is read as a state; if it says that a cell is missing, name it in missing"
    if len(labels) > MANY_STATES:
        yield f"has {len(labels)} states, each with a parameter in every class; group rare ones{_or_rewrite(labels)}"
    if 2 * n_known < n_rows:
        yield f"{n_rows - n_known} of {n_rows} cells are missing"


def without_rows(order: Sequence[str], labels: Sequence[str], missing: frozenset[str]) -> Iterator[str]:
    """What a user may not have meant in a column whose data type has other labels beside those that occur."""
    if others := [label for label in order if _value(label) not in {*map(_value, labels), *missing}]:
        said = ", ".join(map(repr, others))[:500]
        yield f"no row has {said}, which its data type has; only what occurs is a state"


def _value(label: str) -> float | str:
    number = as_number(label)
    return label if number is None else number


def _or_rewrite(labels: Sequence[str]) -> str:
    """The remedy for numbers that are not written as Python reads them, if half of the labels are such."""
    written = [label for label in labels if as_number(label) is None and OTHER_NUMBER.fullmatch(label)]
    if not written or 2 * len(written) < len(labels):
        return ""
    return f"; if {written[0]!r} is a number, write all with a decimal point, without units or marks between thousands"


def _twins(labels: Sequence[str], key) -> list[list[str]]:
    """Groups of labels that have the same key, and are not alike."""
    groups: dict[object, list[str]] = {}
    for label in labels:
        if (of := key(label)) is not None:
            groups.setdefault(of, []).append(label)
    return [group for group in groups.values() if len(group) > 1]


def is_code(label: str, labels: Sequence[str]) -> bool:
    """Whether a label looks like a code for a missing cell."""
    code = as_number(label)
    if code not in CODES_FOR_MISSING:
        return False
    others = [value for other in labels if other != label and (value := as_number(other)) not in CODES_FOR_MISSING]
    return all(value is not None and value >= 0 and (code < 0 or 10 * value <= code) for value in others)


def _listed(labels: Sequence[str]) -> str:
    return " and ".join(repr(label) for label in labels)


def summary(labels: Sequence[str], states: np.ndarray) -> str:
    """What a column was read as: its states, how many rows have each, and how many none."""
    counts = Counter(states.tolist())
    named = [f"{label} ({counts[k]})" for k, label in enumerate(labels[:SHOWN])]
    if len(labels) > SHOWN:
        named.append(f"and {len(labels) - SHOWN} more")
    states_of = "state" if len(labels) == 1 else "states"
    missing = f"; {counts[MISSING]} missing" if counts[MISSING] else ""
    return f"{len(labels)} {states_of}: {', '.join(named)}{missing}"
