"""What a study's scores cost, from Snakemake's benchmark files: one a job, in one folder per entry of the scorers."""

import json
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import pandas as pd
import xarray as xr

from ockham.settings import Study

__all__ = ["computation_time", "manifest"]


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


def computation_time(study: Study, benchmarks: str | Path, published: str | Path) -> pd.DataFrame:
    """CPU time of the scores on the machine that ran the jobs, beside what the paper's authors needed.

    Parameters
    ----------
    study : Study
    benchmarks : path
        As for ``manifest``; jobs that started with some cells computed make the times too short.
    published : path
        The folder that has ``numbers.csv``.

    Returns
    -------
    pandas.DataFrame
        Columns ``quantity``, ``unit``, ``Ockham``, ``paper`` and ``paper / Ockham``.
    """
    numbers = pd.read_csv(Path(published) / "numbers.csv", comment="#", index_col="quantity")["value"]
    rows = []
    for entry, name in (("em", "EM"), ("vb", "VB")):
        if entry in study.scorers:
            seconds, grid = _cpu_seconds(Path(benchmarks, entry)).sum(), study.scorers[entry]
            n_instances = len(grid.replicates or study.replicates.indices())
            n_scores = n_instances * len(grid.sizes or study.sizes) * len(study.networks)
            per_instance = seconds / n_instances / 3600
            what = f"{name}: every size and structure of one instance, {grid.runs} runs"
            rows.append((what, "hours", per_instance, numbers[f"{entry}_hours_per_prior_draw"]))
            what = f"{name}: one score, {grid.runs} runs"
            rows.append((what, "seconds", seconds / n_scores, numbers[f"{entry}_seconds_per_score"]))
    if "ais" in study.scorers:
        seconds, runs = _cpu_seconds(Path(benchmarks, "ais")), study.scorers["ais"].runs
        at_480 = seconds[seconds.index.str.contains("n-00480")].sum() / runs
        rows.append(
            ("AIS: every structure at n = 480, one run", "seconds", at_480, numbers["ais_seconds_all_structures_n_480"])
        )
        rows.append(
            (
                "AIS: every size and structure, one run",
                "hours",
                seconds.sum() / runs / 3600,
                numbers["ais_hours_one_run"],
            )
        )
    if "candidate" in study.scorers:
        seconds = _cpu_seconds(Path(benchmarks, "candidate")).sum() / study.scorers["candidate"].runs
        rows.append(("Candidate: every size and structure, one run", "hours", seconds / 3600, None))
    frame = pd.DataFrame(rows, columns=["quantity", "unit", "Ockham", "paper"]).astype({"paper": "Float64"})
    frame["paper / Ockham"] = (frame["paper"] / frame["Ockham"]).round(-2)
    return frame


def _cpu_seconds(folder: Path) -> pd.Series:
    """CPU seconds of each job by its block."""
    return pd.Series(
        {path.stem: float(pd.read_csv(path, sep="\t")["cpu_time"].iloc[0]) for path in folder.glob("*.tsv")}
    )


def _utc(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, tz=UTC).isoformat(timespec="seconds")
