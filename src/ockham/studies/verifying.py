"""Whether a folder of results is what its configuration and this code give: every file seen, some cells recomputed."""

from collections.abc import Iterator, Mapping, Sequence
from math import nan
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ockham.contracts import Draw
from ockham.errors import StoreError
from ockham.streams import Stream
from ockham.studies.cells import complete_block, draw_replicate, expected_keys
from ockham.studies.findings import Finding, same_bits
from ockham.studies.grids import Block, Study
from ockham.studies.keys import block_specification
from ockham.studies.loading import load
from ockham.studies.records import (
    NO_KEY,
    BlockScores,
    arrays_of,
    collected_digest,
    padded,
    read_added,
    read_block,
    read_collected,
    read_draw,
)
from ockham.studies.study_files import conditions_of

__all__ = ["Comparison", "recompute", "verify"]

DERIVED = ("summaries.nc",)
"""Files of a study that follow from the scores: known, but not looked into. What is measured is another."""


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
    """Compute the runs of a cell (replicate, n, structure) anew, in place, and compare every number with the old.

    Measured times are left out.
    """
    replicate, n, structure = cell
    index = block.replicates.index(replicate), block.sizes.index(n), block.structures.index(structure)
    known = values.keys[index] != NO_KEY
    before = {name: array[index].copy() for name, array in values.variables().items()}
    for array in values.variables().values():
        array[index] = nan if array.dtype.kind == "f" else 0
    complete_block(study, block, {replicate: source}, values, cell)
    times = {name for name, array in arrays_of(study, block.scorer).items() if array.units == "s"}
    return [
        _compared(name, run, before[name][g] if name in before and known[g] else None, array[index][g])
        for name, array in values.variables().items()
        if name not in times
        for g, run in enumerate(block.runs)
    ]


def _compared(name: str, run: int, old: np.ndarray | None, new: np.ndarray) -> Comparison:
    if new.ndim:
        same = old is not None and same_bits(old, new)
        return Comparison(name, run, nan if old is None else float(old.size), float(new.size), same)
    stored, computed = np.float64(nan if old is None else old), np.float64(new)
    return Comparison(name, run, float(stored), float(computed), stored.tobytes() == computed.tobytes())


def verify(results: Path, sources: Sequence[str], n_cells: int, seed: int) -> Iterator[Finding]:
    """Look at every file of the studies in a folder of results, and recompute some cells of all their scorers' entries.

    Every data set is drawn again and compared bit for bit. Every block must be complete and its keys those of this
    configuration, data and code, and the store of all scores must hold the same bits as the blocks.

    Parameters
    ----------
    results : Path
    sources : sequence of str
        Study files, conditions of them as ``<file>:<condition>``, or folders of study files: of these, the studies that
        have a folder in the results.
    n_cells : int
        Cells, with all their runs in a block, to recompute of every entry; all of them where it has no more.
    seed : int
        Root seed of the choice of cells.

    Raises
    ------
    OckhamError
        When there is nothing to verify, or a configuration is broken.
    """
    if not results.is_dir():
        raise StoreError(f"{results}: is not a folder; give the folder of results, such as results")
    studies, roots = _studies(results, sources)
    for path in _foreign_files(results, studies, roots):
        yield Finding(True, f"{path}: belongs to none of the studies; move it away, or name its study with --config")
    for study in studies:
        yield from _verify_study(study, results / study.name, n_cells, seed)


def _studies(results: Path, sources: Sequence[str]) -> tuple[list[Study], list[Path]]:
    """The studies to verify, and the folders in which all netCDF files must be theirs."""
    found, roots = [], []
    for source in sources:
        if Path(source).is_dir():
            files = [str(file) for file in sorted(Path(source).glob("*.yaml")) if (results / file.stem).is_dir()]
            roots.append(results)
        else:
            files = [source]
        for file in files:
            studies = [load(name) for name in conditions_of(file)]
            roots += [results / (study.name if len(studies) == 1 else study.study) for study in studies]
            found += studies
    if not found:
        raise StoreError(
            f"{results}: has no folder of a study in {', '.join(sources)}; name the study's file, or its folder, with "
            "--config"
        )
    return found, roots


def _foreign_files(results: Path, studies: list[Study], roots: list[Path]) -> list[Path]:
    """The netCDF files, and in a study's own folder the files, that no study has."""
    known: set[Path] = set()
    for study in studies:
        folder = results / study.name
        known |= {place / name for place in (folder, results / study.study) for name in DERIVED}
        known |= {folder / f"{name}.nc" for name in study.measurements}
        known |= _grid_files(study, folder)
    own = [results / study.name for study in studies]
    found = {path for root in roots for path in root.rglob("*") if not path.is_dir()} - known
    return sorted(path for path in found if path.suffix == ".nc" or any(path.is_relative_to(folder) for folder in own))


def _grid_files(study: Study, folder: Path) -> set[Path]:
    draws = {_draw_path(folder, replicate) for replicate in study.replicates.indices()}
    blocks = {_block_path(folder, block) for scorer in study.scorers for block in study.blocks(scorer).values()}
    return {folder / "scores.nc", *draws, *blocks, *(path.with_suffix(".done") for path in blocks)}


def _verify_study(study: Study, folder: Path, n_cells: int, seed: int) -> Iterator[Finding]:
    draws = {replicate: draw_replicate(study, replicate) for replicate in study.replicates.indices()}
    problems = [finding for draw in draws.values() for finding in _check_draw(study, folder, draw)]
    yield from problems
    text = "differ or are missing" if problems else "are as drawn anew"
    yield Finding(False, f"{folder}: {len(problems) or len(draws)} of {len(draws)} data sets {text}")
    yield from _check_collection(study, folder / "scores.nc", draws)
    for scorer in study.scorers:
        yield from _verify_entry(study, folder, scorer, draws, n_cells, seed)


def _draw_path(folder: Path, replicate: int) -> Path:
    return folder / f"data/replicate-{replicate:03d}.nc"


def _block_path(folder: Path, block: Block) -> Path:
    return folder / f"scores/{block.scorer}/{block.name}.nc"


def _check_draw(study: Study, folder: Path, expected: Draw) -> list[Finding]:
    path = _draw_path(folder, expected.replicate)
    try:
        stored = read_draw(path, study)
    except StoreError as error:
        return [Finding(True, str(error))]
    other = [name for name in ("parameters", "states") if not same_bits(getattr(stored, name), getattr(expected, name))]
    other += [
        name for name in ("replicate", "names", "cardinalities") if getattr(stored, name) != getattr(expected, name)
    ]
    if not other:
        return []
    return [Finding(True, f"{path}: {', '.join(other)}: DIFFERENT from what is drawn anew; draw it again")]


def _check_collection(study: Study, path: Path, draws: Mapping[int, Draw]) -> Iterator[Finding]:
    """Whether the store of all scores is of this configuration, and what the family adds to it is as made anew."""
    try:
        if collected_digest(path) != study.digest:
            yield Finding(True, f"{path}: attribute configuration_digest: of another configuration; collect it again")
        for name, (_, values, *_) in study.family.of_scores(study, study.sizes, draws.values()).items():
            stored, made = read_added(path, name), np.asarray(values)
            if stored.shape != made.shape or not (stored == made).all():
                yield Finding(True, f"{path}: variable {name}: DIFFERENT from what is made anew; collect it again")
    except StoreError as error:
        yield Finding(True, str(error))


def _verify_entry(
    study: Study, folder: Path, scorer: str, draws: Mapping[int, Draw], n_cells: int, seed: int
) -> Iterator[Finding]:
    blocks = list(study.blocks(scorer).values())
    chosen = _choose(blocks, n_cells, Stream(seed, "verify", study.name, scorer).generator())
    collection = _Collection(study, folder / "scores.nc", scorer)
    n_same, n_compared, n_sound = 0, 0, 0
    for block, cells in zip(blocks, chosen, strict=True):
        path = _block_path(folder, block)
        try:
            stored = read_block(path, study, block)
        except StoreError as error:
            yield Finding(True, str(error))
            continue
        problems = list(_check_block(study, path, block, stored, draws))
        others = list(collection.check(path, block, stored))
        yield from (*problems, *others)
        n_sound += not problems + others
        for cell in () if problems else cells:
            differences = [c for c in recompute(study, block, draws[cell[0]], stored, cell) if not c.same]
            for c in differences:
                yield Finding(
                    True,
                    f"{path}: variable {c.variable}: replicate {cell[0]}, n {cell[1]}, structure {cell[2]}, run "
                    f"{c.run}: stored {c.stored!r}, now {c.computed!r}: DIFFERENT",
                )
            n_compared += 1
            n_same += not differences
    yield Finding(
        False,
        f"{folder}: {scorer}: {n_sound} of {len(blocks)} blocks are sound; {n_same} of {n_compared} cells that were "
        "recomputed are the same",
    )


def _choose(blocks: list[Block], n_cells: int, rng: np.random.Generator) -> list[list[tuple[int, int, str]]]:
    """For every block the cells (replicate, n, structure) to recompute, of all of them chosen at random."""
    ends = np.cumsum([len(b.replicates) * len(b.sizes) * len(b.structures) for b in blocks])
    chosen: list[list[tuple[int, int, str]]] = [[] for _ in blocks]
    for position in np.sort(rng.choice(ends[-1], size=min(n_cells, ends[-1]), replace=False)):
        which = int(np.searchsorted(ends, position, side="right"))
        block = blocks[which]
        shape = len(block.replicates), len(block.sizes), len(block.structures)
        r, i, s = np.unravel_index(ends[which] - 1 - position, shape)
        chosen[which].append((block.replicates[r], block.sizes[i], block.structures[s]))
    return chosen


def _check_block(
    study: Study, path: Path, block: Block, stored: BlockScores, draws: Mapping[int, Draw]
) -> Iterator[Finding]:
    if stored.specification != block_specification(study, block):
        yield Finding(
            True,
            f"{path}: attribute specification: computed under another configuration or by other code; "
            "run the workflow again",
        )
    n_other = int((stored.keys != expected_keys(study, block, draws)).sum())
    if n_other:
        yield Finding(
            True,
            f"{path}: variable key: {n_other} of {stored.keys.size} cells are missing or come from other data, "
            "settings or code; run the workflow again",
        )


class _Collection:
    """What the store of all scores has of one entry, read once."""

    def __init__(self, study: Study, path: Path, scorer: str) -> None:
        self.path, self.whole = path, study.entry(scorer)
        self.values: BlockScores | None = None
        self.error: StoreError | None = None
        try:
            self.values = read_collected(path, study, self.whole)
        except StoreError as error:
            self.error = error

    def check(self, path: Path, block: Block, stored: BlockScores) -> Iterator[Finding]:
        """Whether it has the bits of a block."""
        if self.values is None:
            if self.error:
                yield Finding(True, str(self.error))
            self.error = None  # it is reported once
            return
        index = np.ix_(
            *([of.index(value) for value in part] for of, part in zip(_axes(self.whole), _axes(block), strict=True))
        )
        for name, array in {"key": stored.keys, **stored.variables()}.items():
            whole = {"key": self.values.keys, **self.values.variables()}.get(name)
            if whole is None or not same_bits(whole[index], padded(array, array.shape[:4] + whole.shape[4:])):
                yield Finding(True, f"{self.path}: group {block.scorer}, variable {name}: DIFFERENT from {path}")


def _axes(block: Block) -> tuple[list, ...]:
    return block.replicates, block.sizes, block.structures, block.runs
