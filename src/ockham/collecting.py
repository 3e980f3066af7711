"""One labelled tree of every score of a study, from the files of its blocks."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from math import log
from pathlib import Path

import pandas as pd
import xarray as xr

from ockham.errors import StoreError
from ockham.records import NO_KEY, block_specification, provenance
from ockham.settings import Study

__all__ = ["collect", "manifest"]


def collect(study: Study, paths: Mapping[str, Sequence[str | Path]]) -> xr.DataTree:
    """The scores of a study.

    Parameters
    ----------
    study : Study
    paths : mapping of str to sequence of path
        Scorer to the files of its blocks, in the order of ``study.blocks(scorer)``.

    Returns
    -------
    DataTree
        The root has, per structure, ``n_parameters`` and ``log_aliases`` (ln S, nats). Each scorer is a group with
        dimensions (replicate, n, structure, run), scores in nats without alias correction, NaN where not computed.

    Raises
    ------
    StoreError
        When a file was computed under another configuration or by other code, or lacks cells.
    """
    root = xr.Dataset(
        {
            "n_parameters": ("structure", [s.n_parameters for s in study.networks.values()]),
            "log_aliases": ("structure", [log(s.n_aliases) for s in study.networks.values()]),
        },
        coords={"structure": list(study.networks)},
        attrs={
            "title": "Scores of every structure, one group per scorer",
            "comment": f"xarray.open_dataset(path, group=...) reads the scores; groups: {', '.join(paths)}",
            "study": study.study,
            "true_structure": study.true_structure,
            "configuration_digest": study.digest,
            "root_seed": str(study.root_seed),
            **provenance(),
        },
    )
    root["n_parameters"].attrs = {"long_name": "Free parameters d(m)", "units": "1"}
    root["log_aliases"].attrs = {"long_name": "ln S, log number of aliases", "units": "nats"}
    groups = {scorer: _scorer(study, scorer, files) for scorer, files in paths.items()}
    return xr.DataTree.from_dict({"/": root, **groups})


def _scorer(study: Study, scorer: str, files: Sequence[str | Path]) -> xr.Dataset:
    parts = []
    for path, block in zip(files, study.blocks(scorer).values(), strict=True):
        try:
            part = xr.load_dataset(path)
            incomplete = bool((part["key"] == NO_KEY).any())
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise StoreError(f"{path}: not a readable netCDF file ({error}); move it away and run again") from error
        if part.attrs.get("specification") != block_specification(study, block):
            raise StoreError(
                f"{path}: attribute specification: computed under another configuration or by other code; "
                "run the workflow again, or move the file away"
            )
        if incomplete:
            raise StoreError(f"{path}: variable key: some cells are not computed; run the workflow again")
        parts.append(part)
    whole = xr.combine_by_coords(parts, combine_attrs="drop_conflicts")
    return whole.drop_attrs(deep=False).assign_attrs(
        {name: whole.attrs[name] for name in ("scorer", "scorer_settings", "scorer_code")}
    )


def manifest(config: str | Path, scores: str | Path, benchmarks: str | Path) -> str:
    """JSON text that says what a study's figures were made from, and at what cost.

    ``benchmarks`` is the folder of Snakemake's benchmark files, one per job, in one folder per scorer. Where a job ran
    more than once, such as to add a size, only its last run is counted.
    """
    with xr.open_dataset(scores) as root:
        attributes = dict(root.attrs)
    jobs, began, ended = {}, [], []
    for folder in sorted(path for path in Path(benchmarks).iterdir() if path.is_dir()):
        files = sorted(folder.glob("*.tsv"))
        table = pd.concat([pd.read_csv(path, sep="\t") for path in files])
        ended += [path.stat().st_mtime for path in files]
        began += [path.stat().st_mtime - seconds for path, seconds in zip(files, table["s"], strict=True)]
        jobs[folder.name] = {
            "jobs": len(table),
            "cpu_seconds": round(float(table["cpu_time"].sum()), 1),
            "wall_seconds": round(float(table["s"].sum()), 1),
            "longest_job_seconds": round(float(table["s"].max()), 1),
            "largest_memory_mb": round(float(pd.to_numeric(table["max_rss"], errors="coerce").max()), 1),
        }
    libraries = ("matplotlib", "netCDF4", "pandas", "pydantic", "scipy", "snakemake", "xarray")
    content = {
        "configuration": Path(config).as_posix(),
        **{name: value for name, value in attributes.items() if name not in ("title", "comment")},
        "library_versions": {name: version(name) for name in libraries},
        "scored_from": _utc(min(began)),
        "scored_until": _utc(max(ended)),
        "scoring": jobs,
    }
    return json.dumps(content, indent=2) + "\n"


def _utc(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, tz=UTC).isoformat(timespec="seconds")
