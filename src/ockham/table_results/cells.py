"""What tables for a reader consist of: cells with the number that they are sorted by."""

from collections.abc import Iterable, Iterator
from math import isnan
from typing import NamedTuple

from ockham.estimation.model_posterior import in_words
from ockham.io.frames import Note

__all__ = ["Cell", "Rows", "bounded", "number", "remarks_on_table"]

MOST = 0.9995
"""Upper bound of a probability that says something."""


class Cell(NamedTuple):
    """What a table shows, and the number that it is sorted by: NaN where it is unknown, None to sort by the text."""

    text: str
    value: float | None = None

    @property
    def is_number(self) -> bool:
        """Whether it is sorted by a number."""
        return self.value is not None

    @property
    def key(self) -> str:
        """The number; nothing where it is unknown."""
        return "" if self.value is None or isnan(self.value) else repr(float(self.value))


Rows = tuple[list[str], list[list[Cell]]]
"""Heads and rows."""


def number(value: float, digits: int) -> Cell:
    """With so many digits after the point; ``-`` for NaN."""
    return Cell("-" if isnan(value) else f"{value:,.{digits}f}" if abs(value) < 1e9 else f"{value:.1e}", value)


def bounded(probability: float, low: float, high: float) -> str:
    """A probability in words, or what bounds it where it is unknown."""
    if not isnan(probability):
        return in_words(probability)
    if high <= MOST:
        return f"at most {in_words(high)}"
    return f"at least {in_words(low)}" if low >= 1 - MOST else "unknown"


def remarks_on_table(notes: Iterable[Note]) -> Iterator[str]:
    """The warnings among them, in sentences."""
    for note in notes:
        if note.is_warning:
            yield f"Column {note.column!r}: {note.text}." if note.column else f"The table: {note.text}."
