"""The comparison of a cell that is stored with the same cell computed anew."""

from math import nan
from typing import NamedTuple

import numpy as np

from ockham.contracts import Draw
from ockham.io.comparing import same_bits
from ockham.studies.cells import complete_block
from ockham.studies.grids import Block, Study
from ockham.studies.records import NO_KEY, BlockScores, arrays_of, padded

__all__ = ["Comparison", "compare", "recompute"]


class Comparison(NamedTuple):
    """One number that a store has of one run of a cell, and the same number computed anew; NaN where there is none.

    Of an array, the numbers are how many values it has.
    """

    variable: str
    run: int
    stored: float
    computed: float
    same: bool


def recompute(
    study: Study, block: Block, source: Draw, values: BlockScores, cell: tuple[int, int, str]
) -> list[Comparison]:
    """Compute the runs of a cell (replicate, n, structure) anew, in place, and compare every number with the old."""
    index = _index(block, cell)
    known = values.keys[index] != NO_KEY
    before = {name: array[index].copy() for name, array in values.variables().items()}
    complete_block(study, block, {cell[0]: source}, values, cell)
    now = {name: array[index] for name, array in values.variables().items()}
    return _compare(study, block, known, before, now)


def compare(
    study: Study, block: Block, stored: BlockScores, computed: BlockScores, cell: tuple[int, int, str]
) -> list[Comparison]:
    """Every number of the runs of a cell (replicate, n, structure) in two blocks."""
    index = _index(block, cell)
    known = stored.keys[index] != NO_KEY
    return _compare(study, block, known, *(
        {name: array[index] for name, array in values.variables().items()} for values in (stored, computed)
    ))  # fmt: skip


def _index(block: Block, cell: tuple[int, int, str]) -> tuple[int, int, int]:
    replicate, n, structure = cell
    return block.replicates.index(replicate), block.sizes.index(n), block.structures.index(structure)


def _compare(
    study: Study, block: Block, known: np.ndarray, old: dict[str, np.ndarray], new: dict[str, np.ndarray]
) -> list[Comparison]:
    """Every number, over runs, but measured times; a run that is not ``known`` has no old one."""
    times = {name for name, array in arrays_of(study, block.scorer).items() if array.units == "s"}
    return [
        _compared(name, run, old[name][g] if name in old and known[g] else None, new[name][g] if name in new else None)
        for name in {**new, **old}
        if name not in times
        for g, run in enumerate(block.runs)
    ]


def _compared(name: str, run: int, old: np.ndarray | None, new: np.ndarray | None) -> Comparison:
    if any(array is not None and array.ndim for array in (old, new)):
        stored, computed = (nan if array is None else float(array.size) for array in (old, new))
        return Comparison(name, run, stored, computed, old is not None and new is not None and _same(old, new))
    before, now = (np.float64(nan if array is None else array) for array in (old, new))
    return Comparison(name, run, float(before), float(now), before.tobytes() == now.tobytes())


def _same(old: np.ndarray, new: np.ndarray) -> bool:
    """Whether two arrays have the same bits where the shorter is filled up, as cells are in a block."""
    shape = tuple(np.maximum(old.shape, new.shape))
    return same_bits(padded(old, shape), padded(new, shape))
