"""What a study's scores cost, from Snakemake's benchmark files: one a job, in one folder per entry of the scorers.

Where a job ran more than once, such as to add a size, its file tells of the last run only.
"""

from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import pandas as pd

from ockham.errors import StoreError
from ockham.io.netcdf import opened
from ockham.networks.settings import Study
from ockham.papers.published import read_published

__all__ = ["computation_time", "manifest"]


def manifest(study: Study, config: str | Path, scores: str | Path, benchmarks: str | Path) -> dict:
    """What JSON can hold that says what a study's figures were made from, and at what cost.

    ``benchmarks`` is the folder of the benchmark files; ``config`` and ``scores`` are the study's file and its scores.
    """
    with opened(Path(scores)) as file:
        attributes = {name: file.getncattr(name) for name in file.ncattrs()}
    jobs, began, ended = {}, [], []
    for entry in study.scorers:
        table = _jobs(study, entry, benchmarks)
        ended += list(table["ended"])
        began += list(table["ended"] - table["s"])
        jobs[entry] = {
            "jobs": len(table),
            "cpu_seconds": round(float(table["cpu_time"].sum()), 1),
            "wall_seconds": round(float(table["s"].sum()), 1),
            "longest_job_seconds": round(float(table["s"].max()), 1),
            "largest_memory_mb": round(float(pd.to_numeric(table["max_rss"], errors="coerce").max()), 1),
        }
    libraries = ("matplotlib", "netCDF4", "pandas", "pydantic", "scipy", "snakemake", "xarray")
    return {
        "configuration": Path(config).as_posix(),
        **{name: value for name, value in attributes.items() if name not in ("title", "comment")},
        "library_versions": {name: version(name) for name in libraries},
        "scored_from": _utc(min(began)),
        "scored_until": _utc(max(ended)),
        "scoring": jobs,
    }


def computation_time(study: Study, benchmarks: str | Path, published: str | Path) -> pd.DataFrame:
    """CPU time of the scores on the machine that ran the jobs, beside what the paper's authors needed.

    Parameters
    ----------
    study : Study
    benchmarks : path
        As for ``manifest``; jobs that found some of their cells computed make the times too short.
    published : path
        The folder that has ``numbers.csv``.

    Returns
    -------
    pandas.DataFrame
        Columns ``quantity``, ``unit``, ``Ockham``, ``paper`` and ``paper / Ockham``. A quantity is left out where the
        study has no such scores, or no jobs of them alone.
    """
    numbers = read_published(published, "beal_ghahramani_2006", "numbers.csv").set_index("quantity")["value"]
    rows = []
    for entry, name in (("em", "EM"), ("vb", "VB")):
        if entry in study.scorers:
            seconds, size = _jobs(study, entry, benchmarks)["cpu_time"].sum(), _extent(study, entry)
            runs = study.scorers[entry].runs
            what = f"{name}: every size and structure of one instance, {runs} runs", "hours"
            rows.append((*what, seconds / size["replicates"] / 3600, numbers.get(f"{entry}_hours_per_prior_draw")))
            per_score = seconds / (size["replicates"] * size["sizes"] * size["structures"])
            rows.append(
                (f"{name}: one score, {runs} runs", "seconds", per_score, numbers.get(f"{entry}_seconds_per_score"))
            )
    if "ais" in study.scorers:
        table, size = _jobs(study, "ais", benchmarks), _extent(study, "ais")
        times = size["replicates"] * study.scorers["ais"].runs
        at_480 = table[[block.sizes == [480] for block in study.blocks("ais").values()]]
        if len(at_480):
            what = "AIS: every structure at n = 480, one run", "seconds"
            rows.append((*what, at_480["cpu_time"].sum() / times, numbers.get("ais_seconds_all_structures_n_480")))
        what = "AIS: every size and structure, one run", "hours"
        rows.append((*what, table["cpu_time"].sum() / times / 3600, numbers.get("ais_hours_one_run")))
    if "candidate" in study.scorers:
        times = _extent(study, "candidate")["replicates"] * study.scorers["candidate"].runs
        hours = _jobs(study, "candidate", benchmarks)["cpu_time"].sum() / times / 3600
        rows.append(("Candidate: every size and structure, one run", "hours", hours, None))
    frame = pd.DataFrame(rows, columns=["quantity", "unit", "Ockham", "paper"]).astype({"paper": "Float64"})
    ratio = frame["paper"] / frame["Ockham"]
    frame["paper / Ockham"] = pd.array([None if pd.isna(x) else float(f"{x:.2g}") for x in ratio], dtype="Float64")
    return frame


def _jobs(study: Study, entry: str, benchmarks: str | Path) -> pd.DataFrame:
    """The benchmark of every job of an entry, in the order of its blocks; ``ended`` in seconds."""
    rows = []
    for block in study.blocks(entry):
        path = Path(benchmarks, entry, f"{block}.tsv")
        try:
            row = pd.read_csv(path, sep="\t").iloc[0]
        except (OSError, ValueError, IndexError) as error:
            raise StoreError(
                f"{path}: not a benchmark file ({error}); run the job again: snakemake --cores 2 --forcerun score"
            ) from error
        rows.append(dict(row) | {"ended": path.stat().st_mtime})
    return pd.DataFrame(rows)


def _extent(study: Study, entry: str) -> dict[str, int]:
    grid = study.scorers[entry]
    return {
        "replicates": len(grid.replicates or study.replicates.indices()),
        "sizes": len(grid.sizes or study.sizes),
        "structures": len(grid.structures or study.networks),
    }


def _utc(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, tz=UTC).isoformat(timespec="seconds")
