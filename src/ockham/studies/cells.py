"""The computation of a study's data sets and cells, one at a time or a block at a time."""

from collections.abc import Callable, Iterator, Mapping
from math import isnan
from typing import NamedTuple

import numpy as np

from ockham.contracts import Evidence
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.mixtures import mixture_parameters
from ockham.networks.data.real import read
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.settings import MixtureParameters, RealData, Study
from ockham.streams import Stream, cell_stream
from ockham.studies import PUBLISHED
from ockham.studies.grids import Block
from ockham.studies.records import BlockScores, Draw, cell_key, empty_block, scorer_digest

__all__ = ["NETWORKS", "Kind", "complete_block", "draw_replicate", "expected_keys", "observed", "score_cell"]

SMALLEST_START = 0.0025


def draw_replicate(study: Study, replicate: int) -> Draw:
    """The data of one replicate, as long as the study's largest size."""
    truth = study.truth
    stream = Stream(study.root_seed, "data", study.stream_name, replicate)
    if isinstance(study.data, RealData):
        return Draw(replicate, np.full(truth.n_entries, np.nan), read(study.data.name))
    if replicate == 0:
        parameters = np.concatenate([PUBLISHED[study.paper][name].ravel() for name in truth.names])
    elif isinstance(study.data, MixtureParameters):
        given = study.data
        parameters = mixture_parameters(
            truth, stream.child("parameters").generator(), given.class_sizes, given.deviation, given.zeros
        )
    else:
        parameters = np.exp(sample_log(truth, stream.child("parameters").generator()))
    states = draw(truth, parameters, max(study.sizes), stream.child("states").generator())
    return Draw(replicate, parameters, states.astype(np.int16))


def observed(study: Study, source: Draw, n: int) -> UniqueRows:
    """The unique rows of the data set of size n of one replicate."""
    columns = list(study.truth.observed)
    cardinalities = [study.truth.cardinalities[i] for i in columns]
    missing = isinstance(study.data, RealData)
    return UniqueRows.of(source.states[:n, columns], cardinalities, f"replicate {source.replicate}", missing=missing)


class Kind(NamedTuple):
    """What the cells of one kind of study take from its draws.

    Attributes
    ----------
    draw : callable
        (study, replicate) to the data of one replicate.
    observed : callable
        (study, draw, n) to the data set of size n.
    start : callable
        (study, parameters) to the true parameters that scorers may start from.
    """

    draw: Callable
    observed: Callable
    start: Callable


def _inside(study: Study, parameters: np.ndarray) -> np.ndarray:
    """True parameters to start from: a printed .00 is taken as half of its last digit, for a chain is stuck at 0."""
    inside = np.maximum(parameters, SMALLEST_START)
    return inside / np.add.reduceat(inside, study.truth.row_starts[:-1])[study.truth.rows]


NETWORKS = Kind(draw_replicate, observed, _inside)


def score_cell(
    study: Study, scorer: str, data, source: Draw, n: int, structure: str, run: int, kind: Kind = NETWORKS
) -> dict[str, Evidence]:
    """One run of one entry of the scorers on one structure and data set."""
    settings, more = study.scorer_settings[scorer], {}
    if study.scorers[scorer].from_truth:
        more = {"start": kind.start(study, source.parameters)}
    stream = cell_stream(study.root_seed, study.stream_name, source.replicate, n, structure, run)
    return study.scorer_module(scorer).score(study.networks[structure], data, settings, stream, **more)


def complete_block(
    study: Study,
    block: Block,
    draws: Mapping[int, Draw],
    values: BlockScores,
    only: tuple[int, int, str] | None = None,
    kind: Kind = NETWORKS,
) -> int:
    """Compute, in place, the cells whose key is missing or different; returns how many.

    ``only`` names a replicate, a size and a structure: then just their runs are computed, whatever their keys.
    """
    n_computed, shape = 0, values.keys.shape
    for index, cell, key, data in _cells(study, block, draws, only, kind):
        if values.keys[index] == key and only is None:
            continue
        told = None
        for name, evidence in score_cell(study, block.scorer, data, draws[cell[0]], *cell[1:], kind).items():
            values.scores[name][index] = evidence.log_evidence
            if not isnan(evidence.standard_error):
                _set(values.standard_errors, name, shape, index, evidence.standard_error)
            if evidence.diagnostics is not told:  # the scores of one fit share them
                told = evidence.diagnostics
                for diagnostic, value in {"n_evaluations": evidence.n_evaluations, **told}.items():
                    _set(values.diagnostics, diagnostic, shape, index, value)
        values.keys[index] = key
        n_computed += 1
    if only is None:
        values.specification = ""  # every cell is now what this configuration says
    return n_computed


def expected_keys(study: Study, block: Block, draws: Mapping[int, Draw], kind: Kind = NETWORKS) -> np.ndarray:
    """The keys of a block in which every cell is up to date."""
    keys = np.empty_like(empty_block(study, block).keys)
    for index, _, key, _ in _cells(study, block, draws, None, kind):
        keys[index] = key
    return keys


def _set(
    arrays: dict[str, np.ndarray], name: str, shape: tuple[int, ...], index: tuple[int, ...], value: float
) -> None:
    """Put a value into the array of this name, made like the others if it is new."""
    if name not in arrays:
        arrays[name] = np.full(shape, np.nan)
    arrays[name][index] = value


def _cells(
    study: Study, block: Block, draws: Mapping[int, Draw], only: tuple[int, int, str] | None, kind: Kind
) -> Iterator[tuple[tuple[int, int, int, int], tuple[int, int, str, int], int, UniqueRows]]:
    """Index, coordinates, expected key and data of every cell of a block, or of the runs of only one."""
    settings = study.scorer_settings[block.scorer].model_dump_json()
    start = f"|truth {SMALLEST_START}" if study.scorers[block.scorer].from_truth else ""
    code = scorer_digest(study, block.scorer)
    common = f"{study.stream_name}|{study.root_seed}|{block.scorer}|{settings}|{code}{start}"
    for r, replicate in enumerate(block.replicates):
        for i, n in enumerate(block.sizes):
            if only and only[:2] != (replicate, n):
                continue
            data = kind.observed(study, draws[replicate], n)
            for s, structure in enumerate(block.structures):
                if only and only[2] != structure:
                    continue
                base = f"{common}|{data.digest}|{study.networks[structure].digest}"
                for g, run in enumerate(block.runs):
                    cell = replicate, n, structure, run
                    yield (r, i, s, g), cell, cell_key(base, *cell), data
