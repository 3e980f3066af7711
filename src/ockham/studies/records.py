"""The stores: data sets and blocks of scores as netCDF, with units, coordinates, cell keys and provenance.

Every file is written whole to a temporary name and renamed, so no half-written file is ever read. A file says what it
was computed from (``specification``), every cell of a block has a key, and reading checks both.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite, isnan
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np

from ockham.contracts import Array, Doubt, Draw, Evidence
from ockham.errors import StoreError
from ockham.io.netcdf import add_labels, add_variable, opened, provenance, read_array, read_attribute, replacing
from ockham.studies.grids import DIMENSIONS, Block, Study
from ockham.studies.keys import block_specification, draw_specification, scorer_digest

__all__ = [
    "BlockScores",
    "arrays_of",
    "collected_digest",
    "empty_block",
    "no_value",
    "read_added",
    "read_block",
    "read_collected",
    "read_draw",
    "shape_of_draw",
    "write_block",
    "write_draw",
]

DIAGNOSTICS = {
    "n_evaluations": ("Passes over the data", "1"),
    "n_iterations": ("Iterations of the fit", "1"),
    "hit_cap": ("Whether the fit stopped at the iteration cap", "1"),
    "acceptance": ("Fraction of proposals accepted", "1"),
    **{f"acceptance_quarter_{q}": (f"Fraction accepted in quarter {q} of the schedule", "1") for q in range(1, 5)},
    "monte_carlo_error": ("Standard error, by the draws, of a score that is an approximation", "nats"),
    "positive_definite": ("Whether the observed information is positive definite", "1"),
}
BESIDE = {
    "standard_error": ("Standard error of", "f8", "nats"),
    "degrees_of_freedom": ("Degrees of freedom of the standard error of", "f8", "1"),
    "effective_sample_size": ("Effective sample size of", "f8", "1"),
    "doubt": ("Why not to trust", "u1", "1"),
}
"""Suffix of what is stored beside a score to its label, type and unit."""
NO_KEY = 0
INCOMPLETE = "incomplete"
"""In place of the specification of a block of which single cells were computed, which the workflow then completes."""
MISSING = -1
"""The state of a cell of a table that was not observed."""


@dataclass
class BlockScores:
    """The cells of one block: arrays of shape (replicates, sizes, structures, runs).

    Attributes
    ----------
    scores : dict of str to ndarray
        Nats, NaN where not computed.
    standard_errors : dict of str to ndarray
        Nats, of the scores that are random; NaN where not computed.
    degrees_of_freedom : dict of str to ndarray
        Of the standard errors that are made of a few values; NaN elsewhere, and where not computed.
    effective_sample_sizes : dict of str to ndarray
        Of the scores that are weighted means; NaN where not computed.
    doubts : dict of str to ndarray of uint8
        The flags of ``Doubt`` of every score; 0 where not computed.
    diagnostics : dict of str to ndarray
        Of the fit or run that the scores came from; NaN where not computed.
    arrays : dict of str to ndarray
        Of the run, with more dimensions, as the scorer's ``ARRAYS`` says; what a cell leaves is NaN, or 0 in whole
        numbers.
    keys : ndarray of int64
        What each cell was computed from; 0 where it was not.
    specification : str
        What the file said that its cells were computed from; empty for a new block.
    """

    scores: dict[str, np.ndarray]
    standard_errors: dict[str, np.ndarray]
    degrees_of_freedom: dict[str, np.ndarray]
    effective_sample_sizes: dict[str, np.ndarray]
    doubts: dict[str, np.ndarray]
    diagnostics: dict[str, np.ndarray]
    arrays: dict[str, np.ndarray]
    keys: np.ndarray
    specification: str = ""

    def variables(self) -> dict[str, np.ndarray]:
        """Every array but the keys, under the name that it is stored by."""
        beside = {
            f"{name}_{suffix}": array for suffix, arrays in self.beside().items() for name, array in arrays.items()
        }
        return {**self.scores, **beside, **self.diagnostics, **self.arrays}

    def beside(self) -> dict[str, dict[str, np.ndarray]]:
        """What is known of the scores, by the suffix that it is stored with."""
        return {
            "standard_error": self.standard_errors,
            "degrees_of_freedom": self.degrees_of_freedom,
            "effective_sample_size": self.effective_sample_sizes,
            "doubt": self.doubts,
        }

    def clear(self, where: np.ndarray) -> None:
        """Make the cells where this, shape of the keys, is true as if they had never been computed."""
        if not self.keys[where].any():
            return
        self.keys[where] = NO_KEY
        for array in self.variables().values():
            array[where] = no_value(array.dtype)
        made = self.standard_errors, self.degrees_of_freedom, self.effective_sample_sizes, self.diagnostics, self.arrays
        for arrays in made:  # what no cell has is not there, as in a new block
            for name in [name for name, array in arrays.items() if _is_empty(array)]:
                del arrays[name]

    def put(self, index: tuple[int, int, int, int], found: Mapping[str, Evidence]) -> None:
        """The results of one cell into their places."""
        last = None
        for name, evidence in found.items():
            self.scores[name][index] = evidence.log_evidence
            if not isnan(evidence.standard_error):
                self._put(self.standard_errors, name, index, np.float64(evidence.standard_error))
            if isfinite(evidence.degrees_of_freedom):
                self._put(self.degrees_of_freedom, name, index, np.float64(evidence.degrees_of_freedom))
            if not isnan(evidence.effective_sample_size):
                self._put(self.effective_sample_sizes, name, index, np.float64(evidence.effective_sample_size))
            self.doubts[name][index] = int(evidence.doubt)
            if (
                last is not None
                and evidence.diagnostics is last.diagnostics
                and (evidence.arrays is last.arrays or not (evidence.arrays or last.arrays))
            ):
                continue  # the scores of one run share them
            last = evidence
            for diagnostic, value in {"n_evaluations": evidence.n_evaluations, **evidence.diagnostics}.items():
                self._put(self.diagnostics, diagnostic, index, np.float64(value))
            for label, array in evidence.arrays.items():
                self._put(self.arrays, label, index, array)

    def _put(
        self, of: dict[str, np.ndarray], name: str, index: tuple[int, int, int, int], value: np.ndarray | np.float64
    ) -> None:
        """A value, or an array, into the array of this name, which is made, or made larger, where it has no room."""
        if name not in of:
            of[name] = padded(np.empty((0,) * (4 + value.ndim), value.dtype), self.keys.shape + value.shape)
        shape = of[name].shape[4:]
        if shape != value.shape:
            shape = tuple(np.maximum(shape, value.shape))
            of[name] = padded(of[name], self.keys.shape + shape)
            value = padded(np.asarray(value), shape)
        of[name][index] = value


def padded(array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The array in the corner of a larger one, which is otherwise NaN, or 0 in whole numbers."""
    if array.shape == shape:
        return array
    larger = np.full(shape, no_value(array.dtype), dtype=array.dtype)
    larger[tuple(slice(n) for n in array.shape)] = array
    return larger


def no_value(kind: np.dtype) -> float:
    """What stands for no value: NaN, or 0 in whole numbers."""
    return np.nan if kind.kind == "f" else 0


def _is_empty(array: np.ndarray) -> bool:
    return bool(np.isnan(array).all() if array.dtype.kind == "f" else not array.any())


def arrays_of(study: Study, entry: str) -> Mapping[str, Array]:
    """The arrays that an entry's scorer returns beside its evidences."""
    return getattr(study.scorer_module(entry), "ARRAYS", {})


def write_draw(path: Path, study: Study, draw: Draw) -> None:
    """Store one replicate's data, readable with ``xarray.open_dataset``."""
    with replacing(path) as file:
        _describe(file, study, "Data of one replicate", draw_specification(study, draw.replicate))
        file.replicate = draw.replicate
        file.true_structure = study.true_label or ""
        file.parameters_from = "published" if draw.replicate == 0 else "drawn"
        file.createDimension("row", len(draw.states))
        file.createDimension("variable", draw.states.shape[1])
        file.createDimension("entry", len(draw.parameters))
        kind = study.family.state_type
        add_variable(file, "states", kind, ("row", "variable"), draw.states, "State, counted from 0; -1: missing", "1")
        add_variable(file, "parameters", "f8", ("entry",), draw.parameters, "True parameters theta; NaN: unknown", "1")
        if draw.names:
            add_labels(file, "variable", draw.names)
        if draw.cardinalities:
            add_variable(file, "cardinality", "i4", ("variable",), draw.cardinalities, "Number of values", "1")
        for name, (dimensions, values, long_name, units) in study.family.of_draw(study).items():
            kind = np.asarray(values).dtype.str[1:]
            add_variable(file, name, kind, dimensions, values, long_name, units)


def read_draw(path: Path, study: Study) -> Draw:
    """One replicate's data; refused when it was not drawn under this configuration."""
    again = "remove the file and draw it again"
    with opened(path) as file:
        replicate = read_attribute(path, file, "replicate", int)
        if read_attribute(path, file, "specification", str) != draw_specification(study, replicate):
            raise StoreError(
                f"{path}: attribute specification: the data were drawn under another configuration or by other code; "
                f"{again}"
            )
        parameters = read_array(path, file, "parameters", ("entry",), "f8")
        states = read_array(path, file, "states", ("row", "variable"), study.family.state_type)
        labelled = "variable" in file.variables
        names = read_array(path, file, "variable", ("variable",), "U").tolist() if labelled else ()
        counted = "cardinality" in file.variables
        cardinalities = read_array(path, file, "cardinality", ("variable",), "i").tolist() if counted else ()
    found, expected = states.shape + parameters.shape, shape_of_draw(study)
    if found != expected:
        raise StoreError(f"{path}: variables 'states' and 'parameters' have shapes {found}, not {expected}; {again}")
    limits = study.cardinalities or cardinalities
    if limits and ((states < MISSING) | (states >= limits)).any():
        raise StoreError(f"{path}: variable 'states' has values that its variables cannot take; {again}")
    return Draw(replicate, parameters, states, tuple(names), tuple(cardinalities))


def shape_of_draw(study: Study) -> tuple[int, int, int]:
    """Rows and columns of the states of a draw, and number of its parameters."""
    return max(study.sizes), study.n_variables, study.n_entries


def empty_block(study: Study, block: Block) -> BlockScores:
    """A block in which no cell is computed."""
    estimates = study.scorer_module(block.scorer).ESTIMATES
    return BlockScores(
        scores={name: np.full(block.shape, np.nan) for name in estimates},
        standard_errors={},
        degrees_of_freedom={},
        effective_sample_sizes={},
        doubts={name: np.zeros(block.shape, dtype=np.uint8) for name in estimates},
        diagnostics={},
        arrays={},
        keys=np.full(block.shape, NO_KEY, dtype=np.int64),
    )


def write_block(path: Path, study: Study, block: Block, values: BlockScores) -> None:
    """Store a block, readable with ``xarray.open_dataset``.

    Its specification is the one that ``values`` brings from its file, or that of this configuration when all of its
    cells were brought up to date and it has none; of a new block that lacks cells it is ``INCOMPLETE``.
    """
    lacks_cells = bool((values.keys == NO_KEY).any())
    now = INCOMPLETE if lacks_cells else block_specification(study, block)
    with replacing(path) as file:
        _describe(file, study, f"Scores of {block.scorer}", values.specification or now)
        file.scorer = block.scorer
        file.role = study.scorers[block.scorer].role or ""
        file.block = block.name
        file.scorer_settings = json.dumps(study.scorer_settings[block.scorer].model_dump(mode="json"), sort_keys=True)
        file.scorer_code = scorer_digest(study, block.scorer)
        for name, coordinate, kind, long_name in (
            ("replicate", block.replicates, "i4", "Replicate; 0 has the published parameters"),
            ("n", block.sizes, "i4", "Data set size"),
            ("run", block.runs, "i4", "Independent run"),
        ):
            file.createDimension(name, len(coordinate))
            add_variable(file, name, kind, (name,), coordinate, long_name, "1")
        file.createDimension("structure", len(block.structures))
        add_labels(file, "structure", tuple(block.structures))
        estimates = study.scorer_module(block.scorer).ESTIMATES
        for name, estimate in estimates.items():
            variable = add_variable(file, name, "f8", DIMENSIONS, values.scores[name], estimate.long_name, "nats")
            variable.bound = estimate.bound
            variable.local = np.int8(estimate.local)
            variable.over_runs = estimate.over_runs
            variable.reference = estimate.reference
        for suffix, arrays in values.beside().items():
            about, kind, units = BESIDE[suffix]
            for name, array in arrays.items():
                long_name = f"{about} {estimates[name].long_name}"
                variable = add_variable(file, f"{name}_{suffix}", kind, DIMENSIONS, array, long_name, units)
                if suffix == "doubt":
                    variable.setncatts(Doubt.attributes())
        labels = dict(DIAGNOSTICS)
        for score, estimate in estimates.items():
            labels |= {f"{score}_{name}": (f"{a}: {estimate.long_name}", b) for name, (a, b) in DIAGNOSTICS.items()}
        for name, array in values.diagnostics.items():
            long_name, units = labels.get(name, (name, "1"))
            add_variable(file, name, "f8", DIMENSIONS, array, long_name, units)
        _add_arrays(file, arrays_of(study, block.scorer), values)
        add_variable(
            file, "key", "i8", DIMENSIONS, values.keys, "Digest of what the cell was computed from; 0: nothing", "1"
        )


def _add_arrays(file: netCDF4.Dataset, arrays: Mapping[str, Array], values: BlockScores) -> None:
    """The arrays of the runs, those that share a dimension made equally long along it."""
    sizes: dict[str, int] = {}
    for name, array in values.arrays.items():
        for dimension, size in zip(arrays[name].dimensions, array.shape[4:], strict=True):
            sizes[dimension] = max(size, sizes.get(dimension, 0))
    for dimension, size in sizes.items():
        file.createDimension(dimension, size)
    for name, array in values.arrays.items():
        about = arrays[name]
        whole = padded(array, array.shape[:4] + tuple(sizes[dimension] for dimension in about.dimensions))
        dimensions = (*DIMENSIONS, *about.dimensions)
        add_variable(file, name, about.kind, dimensions, whole, about.long_name, about.units)


def read_block(path: Path, study: Study, block: Block) -> BlockScores:
    """The cells of this block that a file holds, whatever they were computed from: their keys tell.

    Cells that the file does not have, such as those of a new size, are empty; cells that the block does not have are
    dropped. A file of other code is taken as empty, for none of its keys can be right.
    """
    with opened(path) as file:
        for name, expected in (("study", study.name), ("scorer", block.scorer), ("block", block.name)):
            if (found := read_attribute(path, file, name, str)) != expected:
                raise StoreError(f"{path}: attribute {name} is {found!r}, expected {expected!r}; move the file away")
        specification = read_attribute(path, file, "specification", str)
        if read_attribute(path, file, "scorer_code", str) != scorer_digest(study, block.scorer):
            values = empty_block(study, block)
        else:
            values = _read_cells(path, file, study, block)
        values.specification = specification
    return values


def read_collected(path: Path, study: Study, block: Block) -> BlockScores:
    """The cells of a block that the store of all scores holds."""
    with opened(path) as file:
        if block.scorer not in file.groups:
            raise StoreError(f"{path}: has no group {block.scorer!r}; run the workflow again")
        return _read_cells(path, file.groups[block.scorer], study, block)


def collected_digest(path: Path) -> str:
    """Digest of the configuration that the store of all scores was made under."""
    with opened(path) as file:
        return read_attribute(path, file, "configuration_digest", str)


def read_added(path: Path, name: str) -> np.ndarray:
    """What the family adds to the store of all scores, by name."""
    with opened(path) as file:
        return read_array(path, file, name)


def _read_cells(path: Path, group: netCDF4.Dataset, study: Study, block: Block) -> BlockScores:
    values = empty_block(study, block)
    wanted: tuple[list[Any], ...] = (block.replicates, block.sizes, block.structures, block.runs)
    here, there = [], []
    for dimension, kind, coordinate in zip(DIMENSIONS, ("i", "i", "U", "i"), wanted, strict=True):
        labels = read_array(path, group, dimension, (dimension,), kind).tolist()
        position = {value: i for i, value in enumerate(labels)}
        if len(position) < len(labels):
            raise StoreError(f"{path}: variable {dimension!r} has a value twice; move the file away")
        common = [i for i, value in enumerate(coordinate) if value in position]
        here.append(common)
        there.append([position[coordinate[i]] for i in common])
    here_index, there_index = np.ix_(*here), np.ix_(*there)
    keys = read_array(path, group, "key", DIMENSIONS, "i8")
    values.keys[here_index] = keys[there_index]
    for name, array in values.scores.items():
        array[here_index] = read_array(path, group, name, DIMENSIONS, "f8")[there_index]
    arrays = arrays_of(study, block.scorer)
    beside = {f"{score}_{suffix}": (score, suffix) for score in values.scores for suffix in BESIDE}
    for name in arrays:
        if name not in group.variables and (keys != NO_KEY).any():
            raise StoreError(f"{path}: has no variable {name!r}: every run leaves it; move the file away")
    for name, variable in group.variables.items():
        if name in (*DIMENSIONS, "key", *values.scores) or variable.dimensions == (name,):  # labels of a dimension
            continue
        more, kind = (arrays[name].dimensions, arrays[name].kind) if name in arrays else ((), "f8")
        if name in beside:
            kind = BESIDE[beside[name][1]][1]
        stored = read_array(path, group, name, (*DIMENSIONS, *more), kind)
        whole = padded(np.empty((0,) * stored.ndim, stored.dtype), block.shape + stored.shape[4:])
        whole[here_index] = stored[there_index]
        if name in arrays:
            values.arrays[name] = whole
        elif name in beside:
            score, suffix = beside[name]
            values.beside()[suffix][score] = whole
        else:
            values.diagnostics[name] = whole
    return values


def _describe(file: netCDF4.Dataset, study: Study, title: str, specification: str) -> None:
    file.title = title
    file.study = study.name
    file.specification = specification
    file.root_seed = str(study.root_seed)
    for name, value in provenance().items():
        setattr(file, name, value)
