"""Fully observed tables for learning structures: arrays of states, and the data sets of [NiinimakiKoivisto2013]."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

import numpy as np

from ockham.errors import DataError
from ockham.estimation.ancestral_sampling import ancestral_sample
from ockham.io.arguments import table
from ockham.io.bif import read_bif
from ockham.io.download import UCI, archive_cells, archive_file, remedy
from ockham.orders.parent_sets import MAX_NODES
from ockham.streams import Stream

__all__ = ["DATA_SETS", "DataSetName", "StructureData", "read_data_set", "table_of_array"]

DataSetName = Literal["alarm", "mushroom", "promoters"]
MAX_VALUES = 32_767

MUSHROOM = (
    "cap-shape", "cap-surface", "cap-color", "bruises", "odor", "gill-attachment", "gill-spacing", "gill-size",
    "gill-color", "stalk-shape", "stalk-root", "stalk-surface-above-ring", "stalk-surface-below-ring",
    "stalk-color-above-ring", "stalk-color-below-ring", "veil-type", "veil-color", "ring-number", "ring-type",
    "spore-print-color", "population", "habitat",
)  # fmt: skip
PROMOTERS = ("class", *(f"base{position:+d}" for position in range(-50, 8) if position))


@dataclass(frozen=True, eq=False)
class StructureData:
    """A table without missing cells, whose states have names.

    Attributes
    ----------
    names : tuple of str
        The variables.
    values : tuple of tuple of str
        Names of the states of each variable.
    states : ndarray of int16, shape (n_rows, n_variables)
        Counted from 0 in the order of ``values``.
    """

    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    states: np.ndarray

    @cached_property
    def cardinalities(self) -> tuple[int, ...]:
        """Number of states of each variable, those that no row has included."""
        return tuple(len(names) for names in self.values)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the names and the states in their order."""
        named = repr((self.names, self.values, self.states.shape)).encode()
        return hashlib.sha256(named + self.states.astype("<i2").tobytes()).hexdigest()

    def rows(self, chosen: np.ndarray | slice) -> "StructureData":
        """Some of the rows; the states keep their names and numbers."""
        return StructureData(self.names, self.values, self.states[chosen])

    def variables(self, chosen: Sequence[str]) -> "StructureData":
        """Some of the variables, in the order given."""
        for name in chosen:
            if name not in self.names:
                raise DataError(f"unknown variable {name!r}: the data have {', '.join(self.names)}")
        columns = [self.names.index(name) for name in chosen]
        return StructureData(tuple(chosen), tuple(self.values[c] for c in columns), self.states[:, columns])


def table_of_array(array) -> StructureData:
    """A table of states counted from 0, one column a variable, named x1, x2, ...

    Raises
    ------
    DataError
        For anything but a non-empty table of whole numbers from 0 on, without missing cells.
    """
    states = table(array, "the data", "variable")
    if states.dtype.kind not in "iu":
        raise DataError(f"the data: need a table of whole numbers without missing cells, got dtype {states.dtype}; "
                        "code the states as 0, 1, ...")  # fmt: skip
    if states.shape[1] > MAX_NODES:
        raise DataError(f"the data: have {states.shape[1]} variables, {MAX_NODES} are allowed; leave some out")
    if states.min() < 0 or states.max() >= MAX_VALUES:
        raise DataError(f"the data: states are 0 to {MAX_VALUES - 1}; found {states.min()} to {states.max()}")
    values = tuple(tuple(map(str, range(max(2, largest + 1)))) for largest in states.max(axis=0).tolist())
    return StructureData(tuple(f"x{v + 1}" for v in range(len(values))), values, states.astype(np.int16))


def _coded(names: tuple[str, ...], rows: Sequence[Sequence[str]], source: str) -> StructureData:
    """States of cells of text, counted from 0 in the order of the text."""
    values, columns = [], []
    for name, column in zip(names, zip(*rows, strict=True), strict=True):
        found = sorted(set(column))
        if len(found) > MAX_VALUES:
            raise DataError(f"{source}: column {name!r}: has {len(found)} states, {MAX_VALUES} are allowed; leave the "
                            "column out or group its states")  # fmt: skip
        number = {value: k for k, value in enumerate(found)}
        values.append(tuple(found))
        columns.append(np.fromiter((number[value] for value in column), np.int16, len(rows)))
    return StructureData(names, tuple(values), np.stack(columns, axis=1))


class Reader(Protocol):
    """What reads a data set."""

    def __call__(self, n_rows: int, stream: Stream, /) -> StructureData:
        """So many rows."""


def read_data_set(name: DataSetName, n_rows: int, stream: Stream) -> StructureData:
    """``n_rows`` rows of a data set of [NiinimakiKoivisto2013]; more rows of the same stream begin with the fewer.

    Of ``mushroom`` they are drawn at random, without replacement; ``alarm`` is a network, from which they are sampled;
    ``promoters`` has its 106 rows in their order.

    Raises
    ------
    DataError
        When the file cannot be had or does not hold what it should, or has fewer rows.
    """
    return DATA_SETS[name](n_rows, stream)


def _mushroom(n_rows: int, stream: Stream) -> StructureData:
    """The 22 attributes without the class, which is the first column; ``?`` is a state."""
    path = f"{UCI}/mushroom/agaricus-lepiota.data"
    data = _table("mushroom", path, MUSHROOM, [row[1:] for row in archive_cells(path)])
    data = _checked("mushroom", path, data, n_rows)
    return data.rows(stream.child("rows").generator().permutation(len(data.states))[:n_rows])


def _promoters(n_rows: int, _: Stream) -> StructureData:
    """The class and the 57 bases, from 50 before the start of transcription to 7 after it."""
    path = f"{UCI}/molecular-biology/promoter-gene-sequences/promoters.data"
    rows = [[row[0], *row[-1]] for row in archive_cells(path)]
    return _checked("promoters", path, _table("promoters", path, PROMOTERS, rows), n_rows).rows(slice(n_rows))


def _alarm(n_rows: int, stream: Stream) -> StructureData:
    """Rows sampled from the network of the bnlearn repository."""
    url = "https://www.bnlearn.com/bnrepository/alarm/alarm.bif.gz"
    network = read_bif(archive_file(url))
    rounded = np.round(np.concatenate([table.ravel() for table in network.tables]) * 1e6).astype("<i8")
    named = repr((network.names, network.parents, network.values)).encode()
    if hashlib.sha256(named + rounded.tobytes()).hexdigest() != DIGESTS["alarm"]:
        raise DataError(f"alarm: the file does not hold the expected network; {remedy(url)}")
    states = ancestral_sample(network.tables, network.parents, n_rows, stream.child("rows").generator())
    return StructureData(network.names, network.values, states.astype(np.int16))


def _table(name: str, path: str, names: Sequence[str], rows: list[list[str]]) -> StructureData:
    if any(len(row) != len(names) for row in rows):
        raise DataError(f"{name}: the file does not hold rows of the expected length; {remedy(path)}")
    return _coded(tuple(names), rows, name)


def _checked(name: str, path: str, data: StructureData, n_rows: int) -> StructureData:
    if data.digest != DIGESTS[name]:
        raise DataError(f"{name}: the file does not hold the expected values; {remedy(path)}")
    if n_rows > len(data.states):
        raise DataError(f"{name}: has {len(data.states)} rows, not {n_rows}; ask for fewer")
    return data


EXTENTS: dict[DataSetName, tuple[int | None, int]] = {
    "alarm": (None, 37),
    "mushroom": (8124, len(MUSHROOM)),
    "promoters": (106, len(PROMOTERS)),
}
"""Rows, where there is an end to them, and variables of each data set."""

DATA_SETS: dict[DataSetName, Reader] = {"alarm": _alarm, "mushroom": _mushroom, "promoters": _promoters}
"""Name to the function that reads it."""

DIGESTS = {
    "alarm": "65354689c7f3306c444de6d84285b93c60bf01bde6c70257f3bfaf3f5abefee6",
    "mushroom": "f5c07dbb80a398380d3f3260acaaeba24e727636b5770938a08f01b7b0ba6de9",
    "promoters": "146b201c5870213e55e32f31336e321c145ccf0b23a5e694adbc7e8d0b473474",
}
"""SHA-256 of the parsed content of each file, so that how it is written does not matter."""
