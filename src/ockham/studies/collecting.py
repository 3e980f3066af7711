"""One labelled tree of every score of a study, from the files of its blocks."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

import numpy as np
import xarray as xr

from ockham.contracts import Draw
from ockham.errors import StoreError
from ockham.io.netcdf import opened, provenance
from ockham.studies.grids import DIMENSIONS, Study
from ockham.studies.keys import block_specification, scores_specification
from ockham.studies.records import NO_KEY, no_value, read_block, read_draw

__all__ = ["collect", "open_store"]


def collect(
    study: Study, paths: Mapping[str, Sequence[str | Path]], data_paths: Sequence[str | Path] = ()
) -> xr.DataTree:
    """The scores of a study.

    Parameters
    ----------
    study : Study
    paths : mapping of str to sequence of path
        Entry of the scorers to the files of its blocks, in the order of ``study.blocks(entry)``.
    data_paths : sequence of path
        The files of the replicates' data.

    Returns
    -------
    DataTree
        The root has what the family adds, such as coordinates of the structures. Each entry of the scorers is a group
        with dimensions (replicate, n, structure, run, ...), scores in nats without alias correction, NaN where not
        computed.

    Raises
    ------
    StoreError
        When a file was computed under another configuration or by other code, or lacks cells.
    """
    added = study.family.of_scores(study, study.sizes, _draws(study, data_paths))
    root = xr.Dataset(
        {
            name: (dimensions, values, {"long_name": long_name, "units": units})
            for name, (dimensions, values, long_name, units) in added.items()
        },
        coords={"structure": list(study.models)},
        attrs={
            "title": "Scores of every structure, one group per entry of the scorers",
            "comment": f"xarray.open_dataset(path, group=...) reads the scores; groups: {', '.join(paths)}",
            "study": study.name,
            "condition": study.condition or "",
            "beyond_paper": int(study.beyond_paper),
            "true_structure": study.true_label or "",
            "rests_on": study.rests_on,
            "specification": scores_specification(study),
            "configuration_digest": study.digest,
            "root_seed": str(study.root_seed),
            **provenance(),
        },
    )
    labels = {d: root[d].values.tolist() for d in ("replicate", "n") if d in root.coords}
    groups = {entry: _entry(study, entry, files, root.sizes, labels) for entry, files in paths.items()}
    return xr.DataTree.from_dict({"/": root} | groups)


def _draws(study: Study, paths: Sequence[str | Path]) -> Iterator[Draw]:
    return (read_draw(Path(path), study) for path in paths)


def open_store(path: str | Path) -> xr.DataTree:
    """A store of scores or of summaries, to be closed by the caller.

    Raises
    ------
    StoreError
        When it is damaged, or no store.
    """
    with opened(Path(path)):
        return xr.open_datatree(path)


def _entry(
    study: Study,
    entry: str,
    files: Sequence[str | Path],
    sizes: Mapping[Hashable, int],
    labels: Mapping[str, list[int]],
) -> xr.Dataset:
    """The cells of an entry of the scorers; ``sizes`` are those of what the family adds, ``labels`` its coordinates."""
    parts, models = [], list(study.models)
    for path, block in zip(files, study.blocks(entry).values(), strict=True):
        values = read_block(Path(path), study, block)
        if values.specification != block_specification(study, block):
            raise StoreError(
                f"{path}: attribute specification: computed under another configuration or by other code; "
                "run the workflow again, or move the file away"
            )
        if (values.keys == NO_KEY).any():
            raise StoreError(f"{path}: variable key: some cells have not been computed; run the workflow again")
        with opened(Path(path)):
            part = xr.load_dataset(path)
        if part["key"].shape != block.shape:
            raise StoreError(f"{path}: variable key: more cells than the block has; move the file away and run again")
        for name in set(sizes) & set(part.sizes) - set(DIMENSIONS):
            if part.sizes[name] != sizes[name]:
                raise StoreError(
                    f"{path}: dimension {name!r} has size {part.sizes[name]}, not {sizes[name]}; move the file away "
                    "and run again"
                )
        parts.append(part.assign_coords(structure=[models.index(label) for label in part.structure.values]))
    whole = cast(xr.Dataset, xr.combine_by_coords(_alike(_equally_long(parts)), combine_attrs="drop_conflicts"))
    whole = whole.assign_coords(structure=[models[place] for place in whole.structure.values])
    fill = {name: 0 for name, variable in whole.data_vars.items() if no_value(variable.dtype) == 0}
    for dimension, wanted in {"structure": models, **labels}.items():
        if whole.indexes[dimension].tolist() != wanted:
            whole = whole.reindex({dimension: wanted}, fill_value=fill)
    attributes = {name: whole.attrs[name] for name in ("scorer_settings", "scorer_code")}
    attributes["scorer"] = study.scorer_name(entry)
    attributes["role"] = study.scorers[entry].role or ""
    attributes["from_truth"] = int(study.scorers[entry].from_truth)
    return whole.drop_attrs(deep=False).assign_attrs(attributes)


def _equally_long(parts: list[xr.Dataset]) -> list[xr.Dataset]:
    """The parts with their arrays filled up to the longest of them, as cells are in a block."""
    sizes = {d: max(part.sizes.get(d, 0) for part in parts) for part in parts for d in part.sizes if d not in part}
    return [
        part.pad(
            {d: (0, size - part.sizes[d]) for d, size in sizes.items() if d in part.sizes},
            constant_values={name: no_value(variable.dtype) for name, variable in part.data_vars.items()},
        )
        if any(part.sizes[d] < size for d, size in sizes.items() if d in part.sizes)
        else part
        for part in parts
    ]


def _alike(parts: list[xr.Dataset]) -> list[xr.Dataset]:
    """The parts, each with the variables of all: xarray merges parts that differ in them, and keys become floats."""
    every = {name: variable for part in parts for name, variable in part.variables.items() if name in part.data_vars}
    return [
        part.assign(
            {
                name: (about.dims, np.full(_shape(part, about), no_value(about.dtype), about.dtype), about.attrs)
                for name, about in every.items()
                if name not in part
            }
        )
        for part in parts
    ]


def _shape(part: xr.Dataset, variable: xr.Variable) -> list[int]:
    return [part.sizes.get(dimension, size) for dimension, size in variable.sizes.items()]
