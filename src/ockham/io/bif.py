"""Discrete networks with known parameters from files in the Bayesian Interchange Format (BIF), read by pyAgrum."""

import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ockham.errors import DataError

__all__ = ["TabulatedNetwork", "read_bif"]

TOLERANCE = 1e-3
"""How far the probabilities of a row, which are rounded in files, may sum from 1."""


class TabulatedNetwork(NamedTuple):
    """A network as its tables say it.

    Attributes
    ----------
    names : tuple of str
    values : tuple of tuple of str
        Names of the states of each variable.
    parents : tuple of tuple of int
    tables : tuple of ndarray, shape (n_configurations, n_values)
        Conditional probabilities of each variable, the first parent varying slowest; every row sums to 1.
    """

    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    parents: tuple[tuple[int, ...], ...]
    tables: tuple[np.ndarray, ...]


def read_bif(path: Path) -> TabulatedNetwork:
    """The network of a file. Every row of parameters is divided by its sum; the library keeps single precision.

    Raises
    ------
    DataError
        When the file cannot be read, or a row of probabilities does not sum to 1 or has a negative one.
    """
    if not Path(path).is_file():
        raise DataError(f"{path}: there is no such file; give the path of a BIF file")
    try:
        Path(path).read_text(encoding="utf-8")  # what the library itself does not look at
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not text in UTF-8 ({error}); save it as UTF-8") from error
    pyagrum = _library()
    try:
        found = pyagrum.BayesNet()
        complaint = found.loadBIF(str(path))
    except pyagrum.GumException as error:
        raise DataError(f"{path}: not a network in BIF ({' '.join(str(error).split())}); correct the file") from error
    if complaint or not found.nodes():
        reason = " ".join(complaint.split()) or "no variable"
        raise DataError(f"{path}: not a network in BIF ({reason}); correct the file")
    names = tuple(found.variable(node).name() for node in sorted(found.nodes()))
    values = tuple(tuple(found.variable(name).labels()) for name in names)
    parents, tables = [], []
    for name, states in zip(names, values, strict=True):
        given = found.cpt(name)
        if len(states) < 2:
            raise DataError(f"{path}: {name!r} has {len(states)} state; a variable has two or more: leave it out")
        parents.append(tuple(names.index(p) for p in reversed(given.names[1:])))  # the library's last is the slowest
        table = given.toarray().reshape(-1, len(states))
        totals = np.add.reduceat(table.ravel(), np.arange(0, table.size, len(states)))
        wrong = ~(np.abs(totals - 1) <= TOLERANCE) | (table.min(axis=1) < 0)
        if wrong.any():
            total = totals[np.argmax(wrong)]
            raise DataError(
                f"{path}: probabilities of {name!r} sum to {total:.6g} in a row, not 1, or are negative; correct them"
            )
        tables.append(table / totals[:, None])
    return TabulatedNetwork(names, values, tuple(parents), tuple(tables))


def _library():
    with warnings.catch_warnings():  # of the types in its C part: an error there would end the process
        warnings.simplefilter("ignore", DeprecationWarning)
        import pyagrum  # only networks in files need it
    return pyagrum
