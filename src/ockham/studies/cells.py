"""The computation of a study's data sets and cells, one at a time or a block at a time."""

from collections.abc import Iterator, Mapping

import numpy as np

from ockham.contracts import Evidence
from ockham.datasets.ancestral_sampling import draw
from ockham.datasets.unique_rows import UniqueRows
from ockham.models.dirichlet import sample_log
from ockham.records import NO_KEY, BlockScores, Draw, cell_key, scorer_digest
from ockham.scorers import SCORERS
from ockham.settings import Block, Study
from ockham.streams import Stream, cell_stream
from ockham.studies import PUBLISHED

__all__ = ["complete_block", "draw_replicate", "forget", "observed", "score_cell"]


def draw_replicate(study: Study, replicate: int) -> Draw:
    """The data of one replicate, as long as the study's largest size."""
    truth = study.truth
    stream = Stream(study.root_seed, "data", study.study, replicate)
    if replicate == 0:
        parameters = np.concatenate([PUBLISHED[study.paper][name].ravel() for name in truth.names])
    else:
        parameters = np.exp(sample_log(truth, stream.child("parameters").generator()))
    states = draw(truth, parameters, max(study.sizes), stream.child("states").generator())
    return Draw(replicate, parameters, states.astype(np.int16))


def observed(study: Study, source: Draw, n: int) -> UniqueRows:
    """The unique rows of the data set of size n of one replicate."""
    columns = list(study.truth.observed)
    cardinalities = [study.truth.cardinalities[i] for i in columns]
    return UniqueRows.of(source.states[:n, columns], cardinalities, f"replicate {source.replicate}")


def score_cell(
    study: Study, scorer: str, data: UniqueRows, replicate: int, n: int, structure: str, run: int
) -> dict[str, Evidence]:
    """One run of one scorer on one structure and data set."""
    stream = cell_stream(study.root_seed, study.study, replicate, n, structure, run)
    return SCORERS[scorer].score(study.networks[structure], data, study.scorer_settings[scorer], stream)


def complete_block(study: Study, block: Block, draws: Mapping[int, Draw], values: BlockScores) -> int:
    """Compute, in place, the cells whose key is missing or different; returns how many."""
    n_computed = 0
    for index, cell, key, data in _cells(study, block, draws):
        if values.keys[index] == key:
            continue
        for name, evidence in score_cell(study, block.scorer, data, *cell).items():
            values.scores[name][index] = evidence.log_evidence
            for diagnostic, value in evidence.diagnostics.items():
                if diagnostic not in values.diagnostics:
                    values.diagnostics[diagnostic] = np.zeros(values.keys.shape, dtype=np.int32)
                values.diagnostics[diagnostic][index] = value
        values.keys[index] = key
        n_computed += 1
    return n_computed


def forget(study: Study, block: Block, values: BlockScores, replicate: int, n: int, structure: str) -> None:
    """Take the key of the runs of one cell away, so that they are computed again."""
    index = block.replicates.index(replicate), block.sizes.index(n), list(study.networks).index(structure)
    values.keys[index] = NO_KEY


def _cells(
    study: Study, block: Block, draws: Mapping[int, Draw]
) -> Iterator[tuple[tuple[int, int, int, int], tuple[int, int, str, int], int, UniqueRows]]:
    """Index, coordinates, expected key and data of every cell of a block."""
    settings = study.scorer_settings[block.scorer].model_dump_json()
    common = f"{study.study}|{study.root_seed}|{block.scorer}|{settings}|{scorer_digest(block.scorer)}"
    for r, replicate in enumerate(block.replicates):
        for i, n in enumerate(block.sizes):
            data = observed(study, draws[replicate], n)
            for s, (structure, network) in enumerate(study.networks.items()):
                base = f"{common}|{data.digest}|{network.digest}"
                for g, run in enumerate(block.runs):
                    cell = replicate, n, structure, run
                    yield (r, i, s, g), cell, cell_key(base, *cell), data
