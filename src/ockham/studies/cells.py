"""The computation of a study's data sets and cells, one at a time or a block at a time."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ockham import families
from ockham.contracts import Data, Draw, Evidence
from ockham.errors import ConfigError, OckhamError
from ockham.streams import Stream
from ockham.studies.grids import Block, Study
from ockham.studies.keys import cell_base, cell_key
from ockham.studies.records import BlockScores, empty_block, shape_of_draw

__all__ = ["complete_block", "draw_replicate", "expected_keys", "score_cell"]

Cell = tuple[int, int, str, int]
"""Replicate, size, structure, run."""


def draw_replicate(study: Study, replicate: int) -> Draw:
    """The data of one replicate, as long as the study's largest size."""
    stream = Stream(study.root_seed, "data", study.stream_name)
    draw = study.family.draw(study, study.sizes, replicate, stream, _published(study))
    found, expected = draw.states.shape + draw.parameters.shape, shape_of_draw(study)
    if found != expected:
        raise ConfigError(
            f"family {study.family.name}: draw: states and parameters have shapes {found}, not {expected}"
        )
    return draw


def _published(study: Study) -> Mapping[str, np.ndarray] | None:
    place = families.paper(study.paper).parameters if study.paper else ""
    return families.load(place) if place else None


def score_cell(study: Study, entry: str, data: Data, source: Draw, cell: Cell) -> dict[str, Evidence]:
    """One run of one entry of the scorers on one structure and data set; an error says which."""
    more: dict[str, Any] = {}
    if study.scorers[entry].from_truth:
        more = {"start": study.family.start(study, source.parameters)}
    model, settings = study.family.model_of(study, source, cell[2]), study.scorer_settings[entry]
    replicate, n, structure, run = cell
    here = f"scorers.{entry}, run {run} of structure {structure} with replicate {replicate} and n = {n}"
    try:
        return families.run(study.scorer_module(entry), model, data, settings, _stream(study, entry, cell), **more)
    except OckhamError as error:
        raise type(error)(f"{here}: {error}") from error
    except Exception as error:
        error.add_note(f"{here} of study {study.name}; `ockham cell` computes this cell alone")
        raise


def _stream(study: Study, entry: str, cell: Cell) -> Stream:
    return study.family.cell_stream(study.root_seed, study.stream_name, entry, *cell)


def complete_block(
    study: Study,
    block: Block,
    draws: Mapping[int, Draw],
    values: BlockScores,
    only: tuple[int, int, str] | None = None,
) -> int:
    """Compute, in place, the cells whose key is missing or different; returns how many.

    ``only`` names a replicate, a size and a structure: then just their runs are computed, whatever their keys.
    """
    outdated = [found for found in _cells(study, block, draws, only) if only or values.keys[found[0]] != found[2]]
    where = np.zeros(block.shape, dtype=bool)
    for index, *_ in outdated:
        where[index] = True
    values.clear(where)
    n_computed = len(outdated)
    outdated.reverse()
    while outdated:  # none is kept longer than it is needed, for data may hold tables of what was scored on them
        index, cell, key, data = outdated.pop()
        values.put(index, score_cell(study, block.scorer, data, draws[cell[0]], cell))
        values.keys[index] = key
    if only is None:
        values.specification = ""  # every cell is now what this configuration says
    return n_computed


def expected_keys(study: Study, block: Block, draws: Mapping[int, Draw]) -> np.ndarray:
    """The keys of a block in which every cell is up to date."""
    keys = np.empty_like(empty_block(study, block).keys)
    for index, _, key, _ in _cells(study, block, draws, None):
        keys[index] = key
    return keys


def _cells(
    study: Study, block: Block, draws: Mapping[int, Draw], only: tuple[int, int, str] | None
) -> Iterator[tuple[tuple[int, int, int, int], Cell, int, Data]]:
    """Index, coordinates, expected key and data of every cell of a block, or of the runs of only one."""
    for r, replicate in enumerate(block.replicates):
        for i, n in enumerate(block.sizes):
            if only and only[:2] != (replicate, n):
                continue
            data = study.family.prepare(study, draws[replicate], n)
            for s, structure in enumerate(block.structures):
                if only and only[2] != structure:
                    continue
                base = cell_base(study, block.scorer, draws[replicate], data.digest, structure)
                for g, run in enumerate(block.runs):
                    cell = replicate, n, structure, run
                    yield (r, i, s, g), cell, cell_key(base, _stream(study, block.scorer, cell)), data
