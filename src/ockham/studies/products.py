"""What follows from data and blocks, one function a file: the workflow and a verification make it by the same."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import pandas as pd

from ockham import families
from ockham.contracts import Paper
from ockham.io.netcdf import provenance, write
from ockham.io.tables import write_table
from ockham.io.whole_files import replacing_file
from ockham.studies.code_of_results import code_of
from ockham.studies.collecting import collect, open_store
from ockham.studies.costs import jobs, manifest
from ockham.studies.grids import Study
from ockham.studies.keys import measurement_specification, summaries_specification
from ockham.studies.records import read_draw

__all__ = [
    "write_claims", "write_cost_table", "write_counts", "write_figure", "write_manifest", "write_measured",
    "write_scores", "write_summaries", "write_summary_table",
]  # fmt: skip

VERDICTS = "ockham.papers.claims.verdicts"


def write_scores(
    path: str | Path, study: Study, blocks: Mapping[str, Sequence[str | Path]], data: Sequence[str | Path]
) -> None:
    """The store of all scores, from the files of every entry's blocks and of the replicates' data."""
    write(path, collect(study, blocks, data), write_inherited_coords=True)


def write_measured(path: str | Path, study: Study, name: str, data: str | Path) -> None:
    """One measurement, of one replicate's data."""
    draw = read_draw(Path(data), study)
    module, settings = families.measurement(study.family.name, name), study.measurement_settings[name]
    about = {
        "study": study.name,
        "specification": measurement_specification(study, name),
        "root_seed": str(study.root_seed),
        **provenance(),
    }
    write(path, module.measure(study, draw, settings).assign_attrs(about))


def write_summaries(
    path: str | Path, studies: Sequence[Study], scores: Sequence[str | Path], measured: Mapping[str, str | Path]
) -> None:
    """The summaries of a study, or of its conditions, from their scores and from what was measured, by name."""
    summarise = families.load(studies[0].family.summaries)
    with ExitStack() as stack:
        stores = {
            study.condition or study.name: stack.enter_context(open_store(store))
            for study, store in zip(studies, scores, strict=True)
        }
        others = {name: stack.enter_context(open_store(store)).to_dataset() for name, store in measured.items()}
        tree = summarise(stores, others)
        tree.attrs["specification"] = summaries_specification(studies)
        write(path, tree)


def write_figure(paths: Sequence[str | Path], function: str, summaries: str | Path) -> None:
    """A figure in the formats of the paths' suffixes, from the summaries that it shows."""
    from ockham.io.figures import save  # slow to import, and tables need no Matplotlib

    with open_store(summaries) as tree:
        figure = families.load(function)(tree)
    for path in paths:
        save(figure, Path(path))


def write_summary_table(csv: str | Path, md: str | Path, function: str, paper: Paper, summaries: str | Path) -> None:
    """A table of ours beside the published numbers, as CSV and as Markdown, from the summaries that it shows."""
    with open_store(summaries) as tree:
        table = families.load(function)(tree, paper)
    write_table(table, Path(csv), Path(md))


def write_cost_table(
    csv: str | Path,
    md: str | Path,
    function: str,
    paper: Paper,
    studies: Sequence[Study],
    benchmarks: Sequence[str | Path],
) -> None:
    """A table of what the jobs of a study, or of its conditions, cost, from the folders of their benchmark files."""
    costs = pd.concat([jobs(study, folder) for study, folder in zip(studies, benchmarks, strict=True)])
    write_table(families.load(function)(costs, paper), Path(csv), Path(md))


def write_claims(csv: str | Path, md: str | Path, paper: Paper, tables: Iterable[str | Path]) -> None:
    """The claims of a paper beside what is stored, from the CSV files of tables, each in the folder of its study."""
    found = {(path.parent.name, path.stem): path for path in map(Path, tables)}
    table = families.load(f"{VERDICTS}:claims_table")(paper, lambda study, name: found.get((study, name)))
    write_table(table, Path(csv), Path(md))


def write_counts(csv: str | Path, md: str | Path, claims: Iterable[str | Path]) -> None:
    """How many claims of each paper have each verdict, from the CSV files of claims in the folders of studies."""
    counts = families.load(f"{VERDICTS}:counts_table")({path.parent.name: path for path in map(Path, claims)})
    write_table(counts, Path(csv), Path(md))


def write_manifest(
    path: str | Path,
    studies: Sequence[Study],
    configs: Sequence[str],
    scores: Sequence[str | Path],
    benchmarks: Sequence[str | Path],
    *,
    lock: Sequence[str | Path] = (),
    unclean: bool = False,
) -> None:
    """What the figures and tables of a study, or of its conditions, were made from, as JSON."""
    parts = zip(studies, configs, scores, benchmarks, strict=True)
    content = [
        manifest(*part, place=path, lock=lock, unclean=unclean) | {"code": code_of(part[0], studies)} for part in parts
    ]
    with replacing_file(path) as temporary:
        temporary.write_text(json.dumps(content if len(content) > 1 else content[0], indent=2) + "\n")
