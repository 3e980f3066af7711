"""Whether figures and tables show what the summaries give: every file made again, and compared byte for byte."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ockham.io.findings import Finding
from ockham.studies.grids import Study
from ockham.studies.pages import write_page
from ockham.studies.products import (
    write_claims,
    write_cost_table,
    write_counts,
    write_figure,
    write_manifest,
    write_summary_table,
)
from ockham.studies.shown import CLAIMS, PAGE, record_of, shown_by, shows_claims, shows_page

__all__ = ["EXEMPT", "verify_counts", "verify_shown"]

MANIFEST = "manifest.json"
EXEMPT = (
    "changes_that_no_commit_has", "configuration", "figures_commit", "library_versions", "lock",
    "other_versions_than_locked", "scored_from", "scored_until",
)  # fmt: skip
"""What a manifest says of where, when and with what figures and tables were made."""


def verify_shown(folder: Path, results: Path, studies: Mapping[str, Study], summaries: Path) -> Iterator[Finding]:
    """Look at every file of a study's figures and tables.

    Parameters
    ----------
    folder : Path
        Of the figures and tables.
    results : Path
        What the jobs cost is in ``benchmarks`` below it; without, the manifest and tables of costs only have to be
        there.
    studies : mapping of str to Study
        The study, or all of its conditions, by what ``load`` takes.
    summaries : Path
        Made anew; figures and tables are made beside it.
    """
    made = _make(folder, summaries.with_name("shown"), results, studies, summaries)
    there = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    for name in sorted(there - made.keys()):
        yield Finding(True, f"{folder / name}: belongs to none of the study's figures and tables; move it away")
    n_same = 0
    for name, path in made.items():
        if name not in there:
            yield Finding(True, f"{folder / name}: is missing; run the workflow again")
        elif path is None:
            yield Finding(False, f"{folder / name}: not looked at, for {results}/benchmarks does not have its jobs")
        elif _content(folder / name) != _content(path):
            yield Finding(True, f"{folder / name}: DIFFERENT from what is made anew; run the workflow again")
        else:
            n_same += 1
    yield Finding(False, f"{folder}: {n_same} of {len(made)} files are as made anew")


def verify_counts(figures: Path, scratch: Path) -> Iterator[Finding]:
    """Look at the table of counts of claims, if there is one, in the folder of all figures."""
    claims = sorted(figures.glob(f"*/{CLAIMS}.csv"))
    csv, md = f"{CLAIMS}.csv", f"{CLAIMS}.md"
    if not claims or not ((figures / csv).exists() or (figures / md).exists()):
        return
    write_counts(scratch / csv, scratch / md, claims)
    for name in (csv, md):
        path = figures / name
        if not path.exists() or path.read_bytes() != (scratch / name).read_bytes():
            yield Finding(True, f"{path}: DIFFERENT from what is made anew; run the workflow again")


def _make(
    folder: Path, place: Path, results: Path, studies: Mapping[str, Study], summaries: Path
) -> dict[str, Path | None]:
    """Every file, by its name, made in a folder; None for one of costs that are not known."""
    parts = list(studies.values())
    benchmarks = [results / "benchmarks" / study.name for study in parts]
    timed = all(folder.is_dir() for folder in benchmarks)
    made: dict[str, Path | None] = {MANIFEST: place / MANIFEST if timed else None}
    if timed:
        scores = [results / study.name / "scores.nc" for study in parts]
        write_manifest(place / MANIFEST, parts, list(studies), scores, benchmarks)
    paper = record_of(parts)
    if paper is None:
        return made
    figures, tables = shown_by(paper, parts)
    for name in figures:
        pdf, png = place / f"{name}.pdf", place / f"{name}.png"
        write_figure([pdf, png], paper.figures[name].function, summaries)
        made |= {pdf.name: pdf, png.name: png}
    for name in tables:
        csv, md, about = place / f"{name}.csv", place / f"{name}.md", paper.tables[name]
        if not about.costs:
            write_summary_table(csv, md, about.function, paper, summaries)
        elif timed:
            write_cost_table(csv, md, about.function, paper, parts, benchmarks)
        made |= {file.name: file if file.exists() else None for file in (csv, md)}
    if shows_page(parts):
        pictures, values = {name: place / f"{name}.png" for name in figures}, {n: place / f"{n}.csv" for n in tables}
        if timed:
            write_page(place / PAGE, folder.name, paper, pictures, values, parts[0].rests_on)
        made[PAGE] = place / PAGE if timed else None
    if shows_claims(paper, folder.name):
        csv, md = place / f"{CLAIMS}.csv", place / f"{CLAIMS}.md"
        write_claims(csv, md, paper, folder.parent.glob("*/*.csv"))  # the study's own tables are compared above
        made |= {csv.name: csv, md.name: md}
    return made


def _content(path: Path) -> Any:
    """The bytes of a file; of a manifest what is to be the same."""
    if path.name != MANIFEST:
        return path.read_bytes()
    try:
        content = json.loads(path.read_bytes())
        parts = content if isinstance(content, list) else [content]
        return [{name: value for name, value in part.items() if name not in EXEMPT} for part in parts]
    except (AttributeError, RecursionError, ValueError):
        return None
