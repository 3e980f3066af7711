"""The real data sets of the papers, from their archives or from the folder that ``OCKHAM_DATA`` names."""

import hashlib
from dataclasses import dataclass

import numpy as np

from ockham.errors import DataError
from ockham.io.download import UCI, archive_cells, remedy
from ockham.networks.data.unique_rows import MISSING

__all__ = ["DATA_SETS", "DataSet", "read"]


@dataclass(frozen=True)
class DataSet:
    """A table of discrete attributes, one case a line, values between commas, ``?`` where one is missing.

    Attributes
    ----------
    files : tuple of str
        Paths in the archive; their rows follow each other.
    attributes : slice
        The columns that are attributes; the others are names and classes.
    n : int
        Cases.
    cardinalities : list of int
        Values that occur of each attribute. An attribute with one value is left out: it has probability 1.
    digest : str
        SHA-256 of the states, so of the parsed content and not of how a file is written.
    """

    files: tuple[str, ...]
    attributes: slice
    n: int
    cardinalities: list[int]
    digest: str


DATA_SETS = {
    "small_soybean": DataSet(
        files=("soybean/soybean-small.data",),
        attributes=slice(0, 35),
        n=47,
        cardinalities=[7, 2, 3, 3, 2, 4, 4, 2, 2, 3, 2, 2, 4, 4] + [2] * 7,
        digest="33a9e42e41f8b6824c6b7b14865ef8d3a91b17140ecad6b759d79474f9b631e7",
    ),
    "audiology": DataSet(
        files=("audiology/audiology.standardized.data", "audiology/audiology.standardized.test"),
        attributes=slice(0, 69),
        n=226,
        cardinalities=[2, 5, 2, 3, 3, 4] + [2] * 52 + [3, 3, 2, 2, 2, 6, 2, 5, 2, 2, 2],
        digest="836b77d5931eb9230f63625fe5ad9e3a09c7a606b24d62c2488a6907bd78e396",
    ),
    "lung_cancer": DataSet(
        files=("lung-cancer/lung-cancer.data",),
        attributes=slice(1, 57),
        n=32,
        cardinalities=[2, 3, 4, 3, 2] + [3] * 6 + [4] + [3] * 4 + [2, 2, 3, 3, 2, 2, 2, 3, 3, 3, 2] + [3] * 19
        + [2, 2] + [3] * 5 + [2, 2, 2],
        digest="0901be46212b35c269ac52963b527d611ec610b788b3016a6b33e4cad9fce96d",
    ),
}  # fmt: skip


def read(name: str) -> np.ndarray:
    """States of a data set, int16, shape (n, len(cardinalities)), ``MISSING`` where there is none.

    The values of an attribute are counted from 0 in the order of their text.

    Raises
    ------
    DataError
        When a file cannot be had or does not hold what it should.
    """
    data_set = DATA_SETS[name]
    cells = archive_cells(*(f"{UCI}/{path}" for path in data_set.files))
    states = _states(np.array(cells)[:, data_set.attributes])
    if hashlib.sha256(np.array(states.shape).astype("<i8").tobytes() + states.astype("<i2").tobytes()).hexdigest() != (
        data_set.digest
    ):
        raise DataError(f"{name}: the files do not hold the expected values; {remedy(*data_set.files)}")
    return states


def _states(cells: np.ndarray) -> np.ndarray:
    states = np.full(cells.shape, MISSING, dtype=np.int16)
    for column, values in enumerate(cells.T):
        known = values != "?"
        states[known, column] = np.unique(values[known], return_inverse=True)[1]
    return states[:, states.max(axis=0) > 0]
