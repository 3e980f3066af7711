"""Whether a folder of results is what its configuration and this code give: every file made again, and compared whole.

A file is made again by the function that the workflow makes it by, and compared by one function, whatever it is. Blocks
of scores are the exception, for they may have taken hours: a block is written again with the values that it has, and
some of its cells are recomputed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from ockham.contracts import Draw
from ockham.errors import StoreError
from ockham.io.comparing import differences
from ockham.io.findings import Finding, of_differences
from ockham.io.netcdf import opened, provenance, read_attribute
from ockham.streams import Stream
from ockham.studies.cells import complete_block, draw_replicate, expected_keys
from ockham.studies.grids import Block, Study
from ockham.studies.keys import measurement_specification, measurements_of, scores_specification
from ockham.studies.loading import load
from ockham.studies.products import write_measured, write_scores, write_summaries
from ockham.studies.recomputing import Comparison, compare
from ockham.studies.records import BlockScores, empty_block, read_block, write_block, write_draw
from ockham.studies.study_files import conditions_of
from ockham.studies.verifying_shown import verify_counts, verify_shown

__all__ = ["verify"]

SPECIFICATION = "attribute specification"
Cell = tuple[int, int, str]
"""Replicate, size, structure."""


class _File(NamedTuple):
    """The studies of a file, by what ``load`` takes: all that it has, or one of its conditions."""

    studies: dict[str, Study]
    whole: bool

    @property
    def name(self) -> str:
        """Of the folder that has the summaries of all its studies."""
        return next(iter(self.studies.values())).study


def verify(
    results: Path, sources: Sequence[str], n_cells: int, seed: int, figures: Path | None = None
) -> Iterator[Finding]:
    """Look at every file of the studies in a folder of results, and recompute some cells of all their scorers' entries.

    Data sets are drawn again, measurements taken again, scores collected and summarised again, figures and tables made
    again. All that the files hold must be the same, bit for bit, but provenance and measured times. Every block must be
    complete and its keys those of this configuration, data and code.

    Parameters
    ----------
    results : Path
    sources : sequence of str
        Study files, conditions of them as ``<file>:<condition>``, or folders of study files: of these, the studies that
        have a folder in the results.
    n_cells : int
        Cells, with all their runs in a block, to recompute of every entry; all of them where it has no more. With none,
        nothing is measured again either.
    seed : int
        Root seed of the choice of cells.
    figures : Path, optional
        Folder of figures and tables; without, they are not looked at.

    Raises
    ------
    OckhamError
        When there is nothing to verify, or a configuration is broken.
    """
    if not results.is_dir():
        raise StoreError(
            f"{results}: is not a folder; give the folder of results, such as results, or a file that ockham select, "
            "compare or search wrote"
        )
    files, roots = _studies(results, sources)
    studies = [study for file in files for study in file.studies.values()]
    for path in _foreign_files(results, studies, roots):
        yield Finding(True, f"{path}: belongs to none of the studies; move it away, or name its study with --config")
    for file in files:
        with TemporaryDirectory() as scratch:
            yield from _verify_file(results, file, n_cells, seed, figures, Path(scratch))
    if figures is not None:
        with TemporaryDirectory() as scratch:
            yield from verify_counts(figures, Path(scratch))


def _verify_file(
    results: Path, file: _File, n_cells: int, seed: int, figures: Path | None, scratch: Path
) -> Iterator[Finding]:
    sound = True
    for study in file.studies.values():
        for finding in _verify_study(study, results / study.name, n_cells, seed, scratch):
            sound &= not finding.wrong
            yield finding
    summarised = {study.name: [study] for study in file.studies.values()}
    if file.whole:
        summarised |= {file.name: list(file.studies.values())}
    for name, studies in summarised.items():
        folder, shown = results / name, figures if file.whole and name == file.name else None
        if shown is None and not (folder / "summaries.nc").exists():
            continue
        if not sound:
            yield Finding(False, f"{folder}: what follows from its scores is not looked at, for they are not sound")
            continue
        try:
            yield from verify_summaries(results, folder / "summaries.nc", studies, scratch)
            if shown is not None:
                yield from verify_shown(shown / file.name, results, file.studies, scratch / "summaries.nc")
        except StoreError as error:
            yield Finding(True, str(error))


def _studies(results: Path, sources: Sequence[str]) -> tuple[list[_File], list[Path]]:
    """The studies to verify, and the folders in which all netCDF files must be theirs."""
    found, roots = [], []
    for source in sources:
        if Path(source).is_dir():
            files = [str(file) for file in sorted(Path(source).glob("*.yaml")) if (results / file.stem).is_dir()]
            roots.append(results)
        else:
            files = [source]
        for file in files:
            studies = {name: load(name) for name in conditions_of(file)}
            whole = list(studies) != [file] or next(iter(studies.values())).condition is None
            found.append(_File(studies, whole))
            roots += [results / (study.study if whole else study.name) for study in studies.values()]
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
        known |= {place / "summaries.nc" for place in (folder, results / study.study)}
        known |= {folder / f"{name}.nc" for name in study.measurements}
        known |= _grid_files(study, folder)
    own = [results / study.name for study in studies]
    found = {path for root in roots for path in root.rglob("*") if not path.is_dir()} - known
    return sorted(path for path in found if path.suffix == ".nc" or any(path.is_relative_to(folder) for folder in own))


def _grid_files(study: Study, folder: Path) -> set[Path]:
    blocks = {path for paths in _blocks(study, folder).values() for path in paths}
    return {folder / "scores.nc", *_data(study, folder), *blocks, *(path.with_suffix(".done") for path in blocks)}


def _data(study: Study, folder: Path) -> list[Path]:
    return [_draw_path(folder, replicate) for replicate in study.replicates.indices()]


def _blocks(study: Study, folder: Path) -> dict[str, list[Path]]:
    return {entry: [_block_path(folder, block) for block in study.blocks(entry).values()] for entry in study.scorers}


def _draw_path(folder: Path, replicate: int) -> Path:
    return folder / f"data/replicate-{replicate:03d}.nc"


def _block_path(folder: Path, block: Block) -> Path:
    return folder / f"scores/{block.scorer}/{block.name}.nc"


def _verify_study(study: Study, folder: Path, n_cells: int, seed: int, scratch: Path) -> Iterator[Finding]:
    draws = {replicate: draw_replicate(study, replicate) for replicate in study.replicates.indices()}
    problems = [finding for draw in draws.values() for finding in verify_draw(study, folder, draw, scratch)]
    yield from problems
    text = "differ or are missing" if problems else "are as drawn anew"
    yield Finding(False, f"{folder}: {len(problems) or len(draws)} of {len(draws)} data sets {text}")
    for scorer in study.scorers:
        yield from verify_entry(study, folder, scorer, draws, n_cells, seed, scratch)
    yield from verify_scores(study, folder, scratch)
    for name in study.measurements:
        yield from verify_measured(study, folder, name, again=n_cells > 0, scratch=scratch)


def verify_draw(study: Study, folder: Path, draw: Draw, scratch: Path) -> Iterator[Finding]:
    """Whether the file of a replicate's data is as drawn anew."""
    made = scratch / "draw.nc"
    write_draw(made, study, draw)
    yield from _compared(_draw_path(folder, draw.replicate), made, "remove the file and draw it again")


def verify_scores(study: Study, folder: Path, scratch: Path) -> Iterator[Finding]:
    """Whether the store of all scores is as collected from the blocks anew."""
    path, made = folder / "scores.nc", scratch / "scores.nc"
    try:
        write_scores(made, study, _blocks(study, folder), _data(study, folder))
    except StoreError as error:  # of data or blocks
        yield Finding(True, str(error))
        yield from _of_specification(path, scores_specification(study))
    else:
        yield from _compared(path, made, "collect it again")


def verify_measured(study: Study, folder: Path, name: str, *, again: bool, scratch: Path) -> Iterator[Finding]:
    """Whether a measurement is as made anew, or, if it is not to be made, of this configuration and code."""
    path, made = folder / f"{name}.nc", scratch / f"{name}.nc"
    if again:
        try:
            write_measured(made, study, name, _draw_path(folder, study.measured_replicate))
        except StoreError as error:  # of the data, which are told by themselves
            yield Finding(True, str(error))
        else:
            yield from _compared(path, made, "remove the file and measure it again", times=False)
    else:
        yield from _of_specification(path, measurement_specification(study, name))


def verify_summaries(results: Path, path: Path, studies: Sequence[Study], scratch: Path) -> Iterator[Finding]:
    """Whether summaries, if they are there, are as made anew; these are left in the folder ``scratch``."""
    made = scratch / "summaries.nc"
    scores = [results / study.name / "scores.nc" for study in studies]
    measured = {label: results / study.name / f"{name}.nc" for label, (study, name) in measurements_of(studies).items()}
    write_summaries(made, studies, scores, measured)
    if path.exists():
        problems = list(_compared(path, made, "remove the file and run the workflow again"))
        yield from problems or [Finding(False, f"{path}: as made anew")]


def verify_entry(
    study: Study, folder: Path, scorer: str, draws: Mapping[int, Draw], n_cells: int, seed: int, scratch: Path
) -> Iterator[Finding]:
    """Whether the blocks of an entry are sound, and some of their cells as computed anew."""
    blocks = list(study.blocks(scorer).values())
    chosen = _choose(blocks, n_cells, Stream(seed, "verify", study.name, scorer).generator())
    n_same, n_compared, n_sound = 0, 0, 0
    for block, cells in zip(blocks, chosen, strict=True):
        path = _block_path(folder, block)
        try:
            stored = read_block(path, study, block)
        except StoreError as error:
            yield Finding(True, str(error))
            continue
        expected = replace(stored, keys=expected_keys(study, block, draws), specification="")
        problems = _check_block(study, path, block, expected, scratch)
        yield from problems
        n_sound += not problems
        if problems:
            continue
        anew, n_before = empty_block(study, block), n_same
        for cell in cells:
            complete_block(study, block, draws, anew, cell)
            different = [c for c in compare(study, block, stored, anew, cell) if not c.same]
            yield from (_of_cell(path, cell, c) for c in different)
            n_same += not different
        n_compared += len(cells)
        if n_same - n_before == len(cells) == prod(block.shape[:3]):  # then names and sizes are known as well
            yield from _check_block(study, path, block, anew, scratch, times=False)
    yield Finding(
        False,
        f"{folder}: {scorer}: {n_sound} of {len(blocks)} blocks are sound; {n_same} of {n_compared} cells that were "
        "recomputed are the same",
    )


def _check_block(
    study: Study, path: Path, block: Block, expected: BlockScores, scratch: Path, *, times: bool = True
) -> list[Finding]:
    """Whether the file of a block is what is written of these cells."""
    made = scratch / "block.nc"
    write_block(made, study, block, expected)
    return _compared(path, made, "run the workflow again", times=times)


def _of_cell(path: Path, cell: Cell, found: Comparison) -> Finding:
    replicate, n, structure = cell
    return Finding(
        True,
        f"{path}: variable {found.variable}: replicate {replicate}, n {n}, structure {structure}, run {found.run}: "
        f"stored {found.stored!r}, now {found.computed!r}: DIFFERENT",
    )


def _choose(blocks: list[Block], n_cells: int, rng: np.random.Generator) -> list[list[Cell]]:
    """For every block the cells to recompute, of all of them chosen at random."""
    ends = np.cumsum([len(b.replicates) * len(b.sizes) * len(b.structures) for b in blocks])
    chosen: list[list[Cell]] = [[] for _ in blocks]
    for position in np.sort(rng.choice(ends[-1], size=min(n_cells, ends[-1]), replace=False)):
        which = int(np.searchsorted(ends, position, side="right"))
        block = blocks[which]
        shape = len(block.replicates), len(block.sizes), len(block.structures)
        r, i, s = np.unravel_index(ends[which] - 1 - position, shape)
        chosen[which].append((block.replicates[r], block.sizes[i], block.structures[s]))
    return chosen


def _of_specification(path: Path, specification: str) -> list[Finding]:
    """Whether a store that is not made again is of this configuration and code."""
    try:
        with opened(path) as file:
            if read_attribute(path, file, "specification", str) == specification:
                return []
    except StoreError as error:
        return [Finding(True, str(error))]
    return [_other(path, "run the workflow again")]


def _other(path: Path, remedy: str) -> Finding:
    return Finding(True, f"{path}: {SPECIFICATION}: of another configuration or other code; {remedy}")


def _compared(path: Path, made: Path, remedy: str, *, times: bool = True) -> list[Finding]:
    """Where a store differs from the one that was made again; if it is of another specification, only that."""
    try:
        found = list(differences(path, made, provenance(), times=times))
    except StoreError as error:
        return [Finding(True, str(error))]
    if any(place == SPECIFICATION for place, _ in found):
        return [_other(path, remedy)]
    return of_differences(path, found, remedy)
