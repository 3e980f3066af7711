"""What a study's scores cost, from Snakemake's benchmark files: one a job, in one folder per entry of the scorers.

Where a job ran more than once, such as to add a size, its file tells of the last run that computed cells, and so does
the number of these beside it.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from math import nan, prod
from pathlib import Path
from typing import Any

import pandas as pd

from ockham import families
from ockham.errors import StoreError
from ockham.io.commit import UNCLEAN, check_publishable, commit, is_in_a_commit
from ockham.io.netcdf import opened
from ockham.studies.grids import Study
from ockham.studies.job_counts import kept
from ockham.studies.locks import differences, digests
from ockham.studies.study_files import file_and_condition

__all__ = ["job_cost", "jobs", "manifest"]

MADE_FROM = (
    "study", "true_structure", "configuration_digest", "root_seed", "ockham_version", "commit", "python_version",
    "numpy_version", "scipy_version", "platform", "numpy_simd",
)  # fmt: skip
"""What the store of scores says of its origin."""


def manifest(
    study: Study,
    config: str | Path,
    scores: str | Path,
    benchmarks: str | Path,
    place: str | Path,
    lock: Sequence[str | Path] = (),
    unclean: bool = False,
) -> dict[str, Any]:
    """What JSON can hold that says what a study's figures were made from, and at what cost.

    Parameters
    ----------
    study : Study
    config, scores : path
        The study's file and its scores.
    benchmarks : path
        The folder of the benchmark files.
    place : path
        Where the manifest will be.
    lock : sequence of path
        The files that say which versions of what Ockham rests on are meant to be installed.
    unclean : bool
        Whether it may be made from changes that no commit has.

    Raises
    ------
    ConfigError
        When there are such changes, and ``unclean`` is not set.
    """
    with opened(Path(scores)) as file:
        attributes = {name: file.getncattr(name) for name in file.ncattrs()}
    scored_at, drawn_at = str(attributes.get("commit", "unknown")), commit()
    check_publishable(place, unclean, scored_at)
    scoring, began, ended = {}, [], []
    for entry, table in jobs(study, benchmarks).groupby("entry", sort=False):
        ended += list(table["ended"])
        began += list(table["ended"] - table["s"])
        scoring[entry] = {
            "jobs": len(table),
            "jobs_that_timed_themselves": int(table["timed_itself"].sum()),
            "cpu_seconds": round(float(table["cpu_time"].sum()), 1),
            "wall_seconds": round(float(table["s"].sum()), 1),
            "longest_job_seconds": round(float(table["s"].max()), 1),
            "largest_memory_mb": round(float(pd.to_numeric(table["max_rss"], errors="coerce").max()), 1),
        }
    study_file, _ = file_and_condition(config)
    plug_ins = families.plug_ins(study.family.name, map(study.scorer_name, study.scorers), study.paper)
    libraries = ("matplotlib", "netCDF4", "pandas", "pydantic", "scipy", "snakemake", "xarray")
    return {
        "configuration": Path(config).as_posix(),
        **{name: value for name, value in attributes.items() if name in MADE_FROM},
        "figures_commit": drawn_at,
        "changes_that_no_commit_has": _unclean(scored_at, drawn_at) if is_in_a_commit(study_file) else True,
        **({"plug_ins": plug_ins} if plug_ins else {}),
        "lock": digests(lock),
        "other_versions_than_locked": differences(lock),
        "library_versions": {name: version(name) for name in libraries},
        "scored_from": _utc(min(began)),
        "scored_until": _utc(max(ended)),
        "scoring": scoring,
    }


def _unclean(*commits: str) -> bool | None:
    """Whether one of these has changes that no commit has; None where that is not known."""
    if any(name.endswith(UNCLEAN) for name in commits):
        return True
    return None if "unknown" in commits else False


def jobs(study: Study, benchmarks: str | Path) -> pd.DataFrame:
    """What every job of the scores cost.

    Parameters
    ----------
    study : Study
    benchmarks : path
        The folder of the benchmark files.

    Returns
    -------
    pandas.DataFrame
        A row for each job, in the order of entries and blocks: ``entry``, its ``role`` (empty for none), ``n`` (0 for
        several sizes), how many ``replicates``, ``sizes``, ``structures`` and ``runs`` the whole entry has, how many
        ``cells`` the block has and the job ``computed`` (NaN where no file tells), what Snakemake measured, such as
        ``s``, the ``cpu_time`` of the job, and when it ``ended``, in seconds. Where the job has not ``timed_itself``,
        its CPU time is Snakemake's, which leaves out up to the last thirty seconds.
    """
    rows = []
    for entry, grid in study.scorers.items():
        whole = study.entry(entry)
        extent = dict(zip(("replicates", "sizes", "structures", "runs"), whole.shape, strict=True))
        for name, block in study.blocks(entry).items():
            n = block.sizes[0] if len(block.sizes) == 1 else 0
            about = {"entry": entry, "role": grid.role or "", "n": n, **extent}
            about |= {"cells": prod(block.shape)}
            rows.append(about | job_cost(Path(benchmarks, entry, f"{name}.tsv")))
    return pd.DataFrame(rows)


def job_cost(path: Path) -> dict[str, Any]:
    """What a benchmark file tells of one job: as a row of ``jobs``, from ``computed`` on.

    Of the last that computed cells, where a later one found them all.
    """
    count = path.with_suffix(".cells")
    if kept(path).exists():
        path, count = kept(path), kept(count)
    try:
        row = pd.read_csv(path, sep="\t").iloc[0]
    except (OSError, ValueError, IndexError) as error:
        raise StoreError(
            f"{path}: not a benchmark file ({error}); run the job again: snakemake --cores 2 --forcerun score"
        ) from error
    computed, seconds = _told(count)
    timed = {} if seconds is None else {"cpu_time": seconds}
    about = {"timed_itself": seconds is not None, "ended": path.stat().st_mtime}
    return {"computed": computed} | dict(row) | timed | about


def _told(path: Path) -> tuple[float, float | None]:
    """How many cells a job computed, NaN where it is not told, and its CPU seconds, None where these are not."""
    try:
        computed, *seconds = path.read_text(encoding="utf-8").split()
        return int(computed), float(*seconds) if seconds else None
    except FileNotFoundError:
        return nan, None
    except (OSError, ValueError, TypeError) as error:
        raise StoreError(f"{path}: not a number of cells and CPU seconds ({error}); remove it") from error


def _utc(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, tz=UTC).isoformat(timespec="seconds")
