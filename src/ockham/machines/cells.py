"""The data sets and cells of studies of restricted Boltzmann machines."""

import numpy as np

from ockham.errors import DataError
from ockham.machines.data import newsgroups
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.restricted_boltzmann import states, visible_distribution
from ockham.machines.settings import BoltzmannStudy, Simulated
from ockham.streams import Stream
from ockham.studies.cells import Kind
from ockham.studies.records import Draw

__all__ = ["MACHINES"]

MAX_ATTEMPTS = 100_000


def _draw(study: BoltzmannStudy, replicate: int) -> Draw:
    """The rows of one replicate, as long as the study's largest size; smaller data sets are their first rows."""
    stream = Stream(study.root_seed, "data", study.stream_name, replicate)
    if isinstance(study.data, Simulated):
        truth = study.truth
        parameters = truth.sample(stream.child("parameters").generator())
        rng = stream.child("states").generator()
        drawn = rng.choice(2**truth.n_visible, max(study.sizes), p=visible_distribution(truth, parameters))
        return Draw(replicate, parameters, states(truth.n_visible)[drawn].astype(np.int16))
    documents, rng = newsgroups.read(study.data.words), stream.child("documents").generator()
    for _ in range(MAX_ATTEMPTS):
        chosen = documents[rng.permutation(len(documents))[: max(study.sizes)]]
        if not study.data.every_word or chosen[: min(study.sizes)].any(axis=0).all():
            return Draw(replicate, np.full(study.truth.n_parameters, np.nan), chosen.astype(np.int16))
    raise DataError(
        f"every_word: no {min(study.sizes)} documents with all {study.data.words} words in {MAX_ATTEMPTS} attempts; "
        "give a larger smallest size, or set every_word to false"
    )


def _observed(study: BoltzmannStudy, source: Draw, n: int) -> BinaryRows:
    return BinaryRows.of(source.states[:n], f"replicate {source.replicate}")


def _start(study: BoltzmannStudy, parameters: np.ndarray) -> np.ndarray:
    """True parameters are an exact draw of the posterior."""
    return parameters


MACHINES = Kind(_draw, _observed, _start)
