"""Rows that are named by labels, as files and data frames name them, as the cells of items of a fit."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ockham.errors import DataError
from ockham.io.arguments import check_same_columns, shown
from ockham.io.categories import MISSING, as_number, coded
from ockham.io.frames import MISSING_TEXTS, read_columns

__all__ = ["cells_of_labels", "has_labels", "is_numbered", "states_of_labels"]


def has_labels(data: Any, labels: Mapping[str, Sequence[str]]) -> bool:
    """Whether data have the labels of items: a file, or a data frame of items whose labels were given.

    With labels that are 0, 1, ... alone a frame has states, as an array has. So has one in which no column has the name
    of an item.
    """
    if isinstance(data, str | Path):
        return True
    columns = {str(name) for name in getattr(data, "columns", ())}
    return not columns.isdisjoint(labels) and not all(is_numbered(own) for own in labels.values())


def cells_of_labels(data: Any, labels: Mapping[str, Sequence[str]], source: str) -> np.ndarray:
    """Cells of a CSV file or a data frame as numbers, NaN where one is missing; shape (n_rows, n_items).

    Parameters
    ----------
    data : path or data frame
        Columns in any order.
    labels : mapping of str to sequence of str
        Of every item, in the order of its states; none of items whose cells are numbers.

    Raises
    ------
    DataError
        For other columns than the items, a label that its item has not, and text where a number belongs.
    """
    raw = read_columns(data, header=True)
    check_same_columns(raw.names, labels, source)
    found = []
    for name, own in labels.items():
        words, which = coded(raw.columns[raw.names.index(name)], frozenset(MISSING_TEXTS).difference(own))
        numbers = _states(words, own) if own else [as_number(word) for word in words]
        if None in numbers:
            bad = numbers.index(None)
            what = f"no label of the item, which has {', '.join(own)[:200]}" if own else "no number"
            raise DataError(
                f"{source}: {raw.at(int(np.argmax(which == bad)))}, column {name!r} has {shown(words[bad])}, which is "
                f"{what}; correct it, or leave the cell empty where it is missing"
            )
        found.append(np.array([*numbers, np.nan], dtype=np.float64)[which])  # the last where missing, which is -1
    return np.stack(found, axis=1)


def states_of_labels(name: str, own: Sequence[str], labels: Sequence[str], source: str) -> np.ndarray:
    """The item's state for each of the labels that a column has, and -1 for a missing cell; shape (n_own + 1,).

    Raises
    ------
    DataError
        For a label that the item has not.
    """
    states = _states(own, labels)
    if None in states:
        raise DataError(
            f"{source}: column {name!r} has the states {', '.join(own)[:200]}, and the labels of the classes' item are "
            f"{', '.join(labels)[:200]}; give these labels, or an array of states that are numbered as they are, from 0"
        )
    return np.array([*states, MISSING], dtype=np.int64)


def is_numbered(labels: Sequence[str]) -> bool:
    """Whether labels are 0, 1, ..., which may be nobody's."""
    return tuple(labels) == tuple(map(str, range(len(labels))))


def _states(words: Sequence[str], labels: Sequence[str]) -> list[int | None]:
    """The state of each label that was read; None of one that is none of the labels, which may not have been read."""
    names, which = coded(labels, frozenset())
    state_of = {names[k]: state for state, k in enumerate(which)}
    return [state_of.get(word) for word in words]
