"""Discrete networks with known parameters from files in the Bayesian Interchange Format (BIF), read by pyAgrum."""

import warnings
from pathlib import Path

import numpy as np

from ockham.errors import DataError
from ockham.networks.discrete_network import DiscreteNetwork

__all__ = ["read_bif"]

TOLERANCE = 1e-3
"""How far the probabilities of a row, which are rounded in files, may sum from 1."""


def read_bif(path: Path) -> tuple[DiscreteNetwork, np.ndarray, tuple[tuple[str, ...], ...]]:
    """A network, its parameters and the names of the states of its variables.

    Every row of parameters is divided by its sum. The library keeps numbers in single precision.

    Returns
    -------
    network : DiscreteNetwork
        Nothing is hidden; all hyperparameters are 1.
    parameters : ndarray, shape (n_entries,)
    values : tuple of tuple of str

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
        told = found.loadBIF(str(path))
    except pyagrum.GumException as error:
        raise DataError(f"{path}: not a network in BIF ({' '.join(str(error).split())}); correct the file") from error
    if told or not found.nodes():
        told = " ".join(told.split()) or "no variable"
        raise DataError(f"{path}: not a network in BIF ({told}); correct the file")
    names = [found.variable(node).name() for node in sorted(found.nodes())]
    tables = {name: found.cpt(name) for name in names}
    network = DiscreteNetwork.build(
        {name: found.variable(name).domainSize() for name in names},
        {name: list(reversed(tables[name].names[1:])) for name in names},  # its arrays have the last parent slowest
    )
    parameters = np.concatenate([tables[name].toarray().ravel() for name in names])
    totals = np.add.reduceat(parameters, network.row_starts[:-1])
    wrong = ~(np.abs(totals - 1) <= TOLERANCE) | (np.minimum.reduceat(parameters, network.row_starts[:-1]) < 0)
    if wrong.any():
        row = np.argmax(wrong)
        name = names[np.searchsorted(network.offsets, network.row_starts[row], side="right") - 1]
        raise DataError(
            f"{path}: probabilities of {name!r} sum to {totals[row]:.6g} in a row, not 1, or are negative; correct them"
        )
    return network, parameters / totals[network.rows], tuple(tuple(found.variable(name).labels()) for name in names)


def _library():
    with warnings.catch_warnings():  # of the types in its C part: an error there would end the process
        warnings.simplefilter("ignore", DeprecationWarning)
        import pyagrum  # only networks in files need it
    return pyagrum
