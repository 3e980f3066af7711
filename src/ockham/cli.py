"""The ``ockham`` command: the workflow's jobs, and a look at what they stored."""

import json
import signal
import sys
from math import isnan
from pathlib import Path
from typing import Any

import click
from threadpoolctl import threadpool_limits

from ockham import families
from ockham.api.commands import OF_ITEMS, init_study, select_classes, types_of
from ockham.errors import OckhamError, UnreadableError
from ockham.io.extras import check_importable, naming_extras
from ockham.io.netcdf import describe
from ockham.io.whole_files import replacing_file
from ockham.networks.commands import compare_models, search_structures
from ockham.orders.commands import arcs_of_table
from ockham.studies import cells, records
from ockham.studies.json_schema import schema
from ockham.studies.loading import load
from ockham.studies.recomputing import recompute
from ockham.studies.shown import CLAIMS, shows_claims
from ockham.studies.study_files import check_one_of
from ockham.table_results.commands import OF_TABLE, options, table_arguments

__all__ = ["main"]

FILE = click.Path(dir_okay=False, path_type=Path)
CONFIG = click.argument("config", type=click.Path(path_type=Path))
RESULTS = click.option(
    "--results", type=click.Path(path_type=Path), default=Path("results"), show_default=True, help="Folder of results."
)


class _Group(click.Group):
    """A group whose commands end with one line, not a traceback, on an error that the user can mend."""

    def invoke(self, context: click.Context):
        try:
            with naming_extras():
                return super().invoke(context)
        except OckhamError as error:
            click.echo(f"ockham: {error}", err=True)
            context.exit(2)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ockham")
def main() -> None:
    """Estimate the evidence of graphical models with hidden variables."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the workflow starts jobs deaf to Ctrl-C
    # Like a job of the workflow, which is one thread: with more, BLAS adds in another order and the last bit differs.
    click.get_current_context().with_resource(threadpool_limits(1, "blas"))


main.add_command(arcs_of_table)
main.add_command(compare_models)
main.add_command(search_structures)
main.add_command(select_classes)
main.add_command(init_study)


@main.command()
@CONFIG
def check(config: Path) -> None:
    """Validate a study's configuration and say what it amounts to."""
    study = load(config)
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
    study = load(config)
    check_one_of(config, "replicate", replicate, study.replicates.indices())
    records.write_draw(output, study, cells.draw_replicate(study, replicate))


@main.command()
@CONFIG
@click.argument("scorer")
@click.argument("block")
@click.option("--output", type=FILE, required=True, help="netCDF file to write or complete.")
@click.option("--replace-damaged", is_flag=True, help="Compute everything anew where OUTPUT is there but damaged.")
@click.option("--count", type=FILE, help="File that tells how many cells were computed, for what they cost.")
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
        with replacing_file(count) as path:
            path.write_text(f"{n_computed}\n")
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

    The exit status is 1 if any value differs or is missing from the store.
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


@main.command("verify")
@click.argument("results", type=click.Path(path_type=Path))
@click.option(
    "--config",
    "sources",
    multiple=True,
    default=["config"],
    show_default=True,
    help="Study file, one condition of it as FILE:CONDITION, or folder with a file for each study; may be repeated.",
)
@click.option(
    "--cells",
    "n_cells",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="How many cells to recompute of every entry of the scorers; with none, nothing is measured again either.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the choice of cells.")
@click.option("--figures", type=click.Path(path_type=Path), help="Folder of figures and tables to verify as well.")
@click.option(
    "--table",
    type=click.Path(path_type=Path),
    help="CSV file that a result of select, compare or search is of, read with the following options.",
)
@options((*OF_TABLE, OF_ITEMS))
@click.option(
    "--model",
    "models",
    type=click.Path(path_type=Path),
    multiple=True,
    help="File of a model that was compared, or that a search started from; may be repeated.",
)
@click.option("--prior", default="1", show_default=True, help="As ockham compare had it.")
def verify_results(
    results: Path,
    sources: tuple[str, ...],
    n_cells: int,
    seed: int,
    figures: Path | None,
    table: Path | None,
    models: tuple[Path, ...],
    prior: str,
    items: tuple[dict[str, str], ...],
    **of_table: Any,
) -> None:
    """Verify a folder of RESULTS from elsewhere, and recompute a random sample of its cells; or one netCDF file.

    All but the scores is made again, from the data sets to the summaries, and must be the same, bit for bit, provenance
    and measured times apart. Every block must be complete, of this configuration and of this code; the cells that are
    recomputed must be the same, bit for bit. The exit status is 1 if anything is wrong.

    The file is what ockham select, compare or search wrote. All that follows from the runs that it has is made again.
    With its table everything is, and of each model as many runs as cells are asked for.
    """
    wrong = False
    if results.is_file():
        check_importable("xarray")
        from ockham.api.verifying import verify_result  # slow to import, and scoring needs none of it

        found = verify_result(
            results, table, models, prior, n_cells, seed, items=types_of(items), **table_arguments(**of_table)
        )
    else:
        from ockham.studies.verifying import verify

        found = verify(results, sources, n_cells, seed, figures)
    for finding in found:
        wrong |= finding.wrong
        click.echo(finding.text)
    sys.exit(1 if wrong else 0)


@main.command("claims")
@click.argument("figures", type=click.Path(path_type=Path, exists=True, file_okay=False))
def judge_claims(figures: Path) -> None:
    """Judge the claims of papers by the tables in FIGURES, a folder of studies' figures and tables.

    Writes what the workflow does: the table `claims` of each study that has the name of its paper, and their counts.
    """
    from ockham.studies.products import write_claims, write_counts  # slow to import, and scoring needs none of it

    papers = [families.paper(name) for name in families.paper_names()]
    judged = [paper for paper in papers if shows_claims(paper, paper.name) and (figures / paper.name).is_dir()]
    csv, md = f"{CLAIMS}.csv", f"{CLAIMS}.md"
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
