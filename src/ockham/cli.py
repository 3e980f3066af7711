"""The ``ockham`` command: the workflow's jobs, and a look at what they stored."""

import json
import signal
import sys
from errno import EPIPE
from math import isnan
from pathlib import Path

import click

from ockham import families
from ockham.errors import OckhamError, UnreadableError
from ockham.io.blas import one_blas_thread
from ockham.io.extras import naming_extras
from ockham.io.netcdf import describe
from ockham.io.outputs import check_outputs
from ockham.studies import cells, records
from ockham.studies.job_counts import write_count
from ockham.studies.json_schema import schema
from ockham.studies.loading import load
from ockham.studies.recomputing import recompute
from ockham.studies.shown import CLAIMS, shows_claims
from ockham.studies.study_files import check_one_of, file_and_condition

__all__ = ["main"]

FILE = click.Path(dir_okay=False, path_type=Path)
CONFIG = click.argument("config", type=click.Path(path_type=Path))
RESULTS = click.option(
    "--results", type=click.Path(path_type=Path), default=Path("results"), show_default=True, help="Folder of results."
)


ELSEWHERE = {
    "arcs": "ockham.orders.commands:arcs_of_table",
    "compare": "ockham.networks.commands:compare_models",
    "init": "ockham.api.commands:init_study",
    "search": "ockham.networks.commands:search_structures",
    "select": "ockham.api.commands:select_classes",
    "verify": "ockham.api.commands:verify_results",
}
"""Commands that are imported when they are named, for a job of the workflow needs none of them."""


class _Group(click.Group):
    """A group whose commands end with one line, not a traceback, on an error that the user can mend."""

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted([*super().list_commands(context), *ELSEWHERE])

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        return families.load(ELSEWHERE[name]) if name in ELSEWHERE else super().get_command(context, name)

    def invoke(self, context: click.Context):
        try:
            with naming_extras():
                return super().invoke(context)
        except OckhamError as error:
            click.echo(f"ockham: {error}", err=True)
            context.exit(2)
        except OSError as error:
            if error.filename is not None or error.errno == EPIPE:  # the latter of who reads no more, as head
                raise
            click.echo(f"ockham: its output cannot be written ({error.strerror}); make room", err=True)
            context.exit(2)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ockham")
def main() -> None:
    """Estimate the evidence of graphical models with hidden variables."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the workflow starts jobs deaf to Ctrl-C
    click.get_current_context().with_resource(one_blas_thread())


@main.command()
@CONFIG
def check(config: Path) -> None:
    """Validate a study's configuration, and what its paper prints and claims, and say what it amounts to."""
    study = load(config)
    if study.paper is not None:
        from ockham.papers.claims.files import check_claims  # slow to import, and scoring needs none of it
        from ockham.papers.published import check_published

        paper = families.paper(study.paper)
        check_published(paper)
        check_claims(paper)
    click.echo(f"{config}: {study.name}, {study.extent}")
    for scorer in study.scorers:
        blocks = study.blocks(scorer)
        n_cells = sum(block.n_cells for block in blocks.values())
        click.echo(f"  {scorer}: {n_cells} cells in {len(blocks)} jobs")


@main.command("schema")
def print_schema() -> None:
    """Print the JSON schema of a study's configuration."""
    click.echo(json.dumps(schema(), indent=2))


@main.command()
@CONFIG
@click.option("--replicate", type=int, required=True, help="Which replicate to draw.")
@click.option("--output", type=FILE, required=True, help="netCDF file to write.")
def draw(config: Path, replicate: int, output: Path) -> None:
    """Draw the data of one replicate."""
    check_outputs([output], [file_and_condition(config)[0]])
    study = load(config)
    check_one_of(config, "replicate", replicate, study.replicates.indices())
    records.write_draw(output, study, cells.draw_replicate(study, replicate))


@main.command()
@CONFIG
@click.argument("scorer")
@click.argument("block")
@click.option("--output", type=FILE, required=True, help="netCDF file to write or complete.")
@click.option("--replace-damaged", is_flag=True, help="Compute everything anew where OUTPUT is there but damaged.")
@click.option("--count", type=FILE, help="File that tells how many cells were computed, and the CPU seconds.")
@click.argument("data", type=FILE, nargs=-1, required=True)
def score(
    config: Path,
    scorer: str,
    block: str,
    output: Path,
    replace_damaged: bool,
    count: Path | None,
    data: tuple[Path, ...],
) -> None:
    """Compute the missing or outdated cells of one block from its DATA files."""
    check_outputs([output], [file_and_condition(config)[0], *data])
    study = load(config)
    check_one_of(config, "scorers", scorer, list(study.scorers))
    check_one_of(config, f"block of {scorer}", block, list(study.blocks(scorer)))
    chosen = study.blocks(scorer)[block]
    values = records.empty_block(study, chosen)
    if output.exists():
        try:
            values = records.read_block(output, study, chosen)
        except UnreadableError as error:
            if not replace_damaged:
                raise
            click.echo(f"{error}; computing it anew", err=True)
    draws = {source.replicate: source for source in (records.read_draw(path, study) for path in data)}
    for replicate in chosen.replicates:
        check_one_of(config, "data file of replicate", replicate, list(draws))
    n_computed = cells.complete_block(study, chosen, draws, values)
    records.write_block(output, study, chosen, values)
    if count:
        write_count(count, n_computed)
    click.echo(f"{scorer} {block}: computed {n_computed} of {values.keys.size} cells")


@main.command()
@CONFIG
@click.option("--scorer", required=True, help="Which scorer.")
@click.option("--replicate", type=int, default=0, show_default=True, help="Which replicate.")
@click.option("--n", type=int, required=True, help="Which data set size.")
@click.option("--structure", required=True, help="Label of the structure, such as 1-12-12-2.")
@click.option("--write", is_flag=True, help="Store the new values too, computing just these runs.")
@RESULTS
def cell(config: Path, scorer: str, replicate: int, n: int, structure: str, write: bool, results: Path) -> None:
    """Recompute one cell with all its runs and compare it with the store, bit for bit.

    The exit status is 1 if any value differs or is missing from the store, unless it is written.
    """
    study = load(config)
    check_one_of(config, "scorers", scorer, list(study.scorers))
    entry = study.entry(scorer)
    check_one_of(config, "replicate", replicate, entry.replicates)
    check_one_of(config, "n", n, entry.sizes)
    check_one_of(config, "structure", structure, entry.structures)
    data = cells.draw_replicate(study, replicate)
    same = True
    for block in study.blocks(scorer).values():
        if replicate in block.replicates and n in block.sizes and structure in block.structures:
            path = results / study.name / "scores" / scorer / f"{block.name}.nc"
            stored = records.read_block(path, study, block) if path.exists() else records.empty_block(study, block)
            for c in recompute(study, block, data, stored, (replicate, n, structure)):
                same &= c.same
                verdict = "same" if c.same else "not stored" if isnan(c.stored) else "DIFFERENT"
                click.echo(f"{c.variable:20s} run {c.run}  stored {c.stored!r:>24}  now {c.computed!r:>24}  {verdict}")
            if write:
                records.write_block(path, study, block, stored)
                click.echo(f"{path}: computed {len(block.runs)} of {stored.keys.size} cells")
    sys.exit(0 if same or write else 1)


@main.command("claims")
@click.argument("figures", type=click.Path(path_type=Path, exists=True, file_okay=False))
def judge_claims(figures: Path) -> None:
    """Judge the claims of papers by the tables in FIGURES, a folder of studies' figures and tables.

    Writes what the workflow does: the table `claims` of each study that has the name of its paper, and their counts.
    """
    from ockham.papers.claims.files import check_claims  # slow to import, and scoring needs none of it
    from ockham.studies.products import write_claims, write_counts

    papers = [families.paper(name) for name in families.paper_names()]
    judged = [paper for paper in papers if shows_claims(paper, paper.name) and (figures / paper.name).is_dir()]
    csv, md = f"{CLAIMS}.csv", f"{CLAIMS}.md"
    for paper in judged:
        check_claims(paper)
    for paper in judged:
        folder = figures / paper.name
        write_claims(folder / csv, folder / md, paper, sorted(figures.glob("*/*.csv")))
    write_counts(figures / csv, figures / md, [figures / paper.name / csv for paper in judged])
    click.echo((figures / md).read_text(), nl=False)


@main.command()
@click.argument("store", type=FILE)
def show(store: Path) -> None:
    """Print what a store holds: dimensions, variables, provenance, and how complete it is."""
    click.echo(describe(store))


if __name__ == "__main__":  # as the rules of the workflow call it
    main(prog_name="ockham")
