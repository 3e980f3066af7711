"""The commands for latent classes of a table of one's own, ``ockham select`` and ``init``, and ``ockham verify``."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ockham.api.initial_study import initial_study, study_name
from ockham.api.selecting import read, select
from ockham.errors import ConfigError
from ockham.io.extras import check_importable
from ockham.io.whole_files import replacing_file
from ockham.mixtures.data.tables import MixedTable
from ockham.studies.workflow import RESERVED
from ockham.table_results.commands import FILE, OF_OUTPUT, OF_RUNS, OF_TABLE, in_text, options, run, table_arguments

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ockham.table_results.selection import Selection

__all__ = ["init_study", "select_classes", "verify_results"]

N_EVIDENCE = 5
"""Columns of the first of two tables, which together are wider than a terminal."""
OF_FOLDERS = ("sources", "figures")
OF_TABLES = ("models", "prior", "items", "missing", "drop", "weights", "no_header")
"""Parameters of ``ockham verify`` that are of folders, and of tables of results."""


class _Numbers(click.ParamType):
    """Numbers with commas between them, or 1:8 for all from 1 to 8."""

    name = "numbers"

    def convert(self, value, param, context) -> tuple[int, ...]:
        found: list[int] = []
        for part in str(value).split(","):
            first, colon, last = part.partition(":")
            ends = (first, last if colon else first)
            if not all(end.isascii() and end.isdigit() and len(end) < 6 for end in ends):
                self.fail(f"{value!r} is not as 1:8, or as 2,3,5", param, context)
            if int(first) > int(last or first):
                self.fail(f"{part!r} runs backwards; write {last}:{first}", param, context)
            found += range(int(ends[0]), int(ends[1]) + 1)
        return tuple(found)


class _Types(click.ParamType):
    """Types of columns, as in income=gaussian,visits=count; a name may have commas and equals signs."""

    name = "types"

    def convert(self, value, param, context) -> dict[str, str]:
        if isinstance(value, dict):
            return value
        found, name = {}, ""
        for part in str(value).split(","):
            name += part
            column, equals, kind = name.rpartition("=")
            if equals and kind and "=" not in kind:
                found[column.strip()], name = kind.strip(), ""
            else:
                name += ","
        if name or "" in found:
            self.fail(f"{value!r} is not as income=gaussian,visits=count", param, context)
        return found


_OF_ITEMS = click.option(
    "--items",
    type=_Types(),
    multiple=True,
    help="What columns are where it is not what they look like, as in income=gaussian,visits=count: categorical, "
    "ordered, gaussian, count or binomial, with another total than the largest count as in share=binomial:20; may be "
    "repeated.",
)


def _types_of(items: tuple[dict[str, str], ...]) -> dict[str, str]:
    """The option ``--items`` as readers take it."""
    return {name: kind for each in items for name, kind in each.items()}


@click.command("select")
@click.argument("data", type=FILE)
@click.option("--classes", type=_Numbers(), default="1:8", show_default=True, help="Numbers of classes to compare.")
@options((*OF_TABLE, _OF_ITEMS))
@click.option(
    "--prior",
    "priors",
    multiple=True,
    help="Hyperparameter of the Dirichlet priors; for categories alone also bdeu: and an equivalent sample size, for "
    "others within=0.25, rates=2 and shape=1 with commas between. The first one is that of the results, others show "
    "what they rest on. By default 1, 0.5, 2 and bdeu:1 for categories alone, and for others 1, 0.5, within=0.25, "
    "within=0.75, rates=2 and shape=1, as far as there are such items.",
)
@options((*OF_RUNS, *OF_OUTPUT))
def select_classes(
    data: Path,
    classes: tuple[int, ...],
    missing: tuple[str, ...],
    drop: tuple[str, ...],
    weights: str | None,
    no_header: bool,
    items: tuple[dict[str, str], ...],
    priors: tuple[str, ...],
    html: Path | None,
    output: Path | None,
    **arguments: Any,
) -> None:
    """How many latent classes DATA has, a CSV file of names and answers, numbers or counts.

    What each column is read as is said first, and --items says it otherwise. For each number of classes its evidence,
    with an error that is borne out or said to be unknown; p(K | data); BIC and bounds; how well it fits; and the same
    under other priors. Everything goes to netCDF, to a page that stands by itself and to a picture as well. Ctrl-C ends
    it with what is known.
    """
    check_importable("matplotlib", "xarray")
    run(
        [data],
        lambda: read(data, _types_of(items), **table_arguments(missing, drop, weights, no_header)),
        lambda table: select(table, classes, priors=priors or None, **arguments),
        _shown,
        output,
        data.with_name(f"{data.stem}_classes"),
        html,
        {"png": _picture},
    )


def _shown(found: "Selection") -> list[str]:
    """Results in two tables, and those under other priors."""
    from ockham.table_results.selection_showing import panel_rows

    heads, rows = found.rows
    parts = [
        in_text((heads[:N_EVIDENCE], [row[:N_EVIDENCE] for row in rows])),
        in_text(([heads[0], *heads[N_EVIDENCE:]], [[row[0], *row[N_EVIDENCE:]] for row in rows])),
    ]
    if found.others:
        parts += [f"p(K | data) under each prior:\n\n{in_text(panel_rows(found))}"]
    return parts


def _picture(found: "Selection") -> "Figure":
    from ockham.table_results.selection_drawing import figure

    return figure(found)


@click.command("init")
@click.argument("data", type=FILE)
@options((*OF_TABLE, _OF_ITEMS))
@click.option("--output", type=FILE, help="Study file to write; by default config/<name of DATA>.yaml.")
def init_study(
    data: Path,
    missing: tuple[str, ...],
    drop: tuple[str, ...],
    weights: str | None,
    no_header: bool,
    items: tuple[dict[str, str], ...],
    output: Path | None,
) -> None:
    """Write a study of DATA, a CSV file of names and answers, numbers or counts, that the workflow runs as it is.

    It compares one to six latent classes by several scorers, and says in comments what each column was read as and
    what can be changed.
    """
    output = output or Path("config", f"{study_name(data.stem)}.yaml")
    if output.suffix != ".yaml" or study_name(output.stem) != output.stem:
        raise ConfigError(f"--output: {output} must be a name of letters, digits and _, and end with .yaml")
    if output.stem in RESERVED:
        raise ConfigError(
            f"--output: {output} would be a study {output.stem!r}, the name of a rule or a folder of the workflow; "
            f"choose another, such as --output {shlex.quote(str(output.with_stem(f'{output.stem}_study')))}"
        )
    if output.exists():
        raise ConfigError(f"--output: {output} is there already; remove it, or choose another")
    table = read(data, _types_of(items), **table_arguments(missing, drop, weights, no_header))
    content = initial_study(data, table, output, missing=missing, drop=drop, weights=weights, header=not no_header)
    if isinstance(table, MixedTable):
        extent = f"{table.rows.n} rows of {len(table.items)}"
    else:
        extent = f"{table.n} rows of {len(table.names)}"
    with replacing_file(output) as temporary:
        temporary.write_text(content, encoding="utf-8")
    elsewhere = "" if output.parent == Path("config") else f" --config config={shlex.quote(str(output.parent))}"
    click.echo(f"{output} is written: {extent} columns. To go on:")
    click.echo(f"  ockham check {shlex.quote(str(output))}")
    click.echo(f"  snakemake --cores 2 {output.stem}{elsewhere}")


@click.command("verify")
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
@options((*OF_TABLE, _OF_ITEMS))
@click.option(
    "--model",
    "models",
    type=click.Path(path_type=Path),
    multiple=True,
    help="File of a model that was compared, or that a search started from; may be repeated.",
)
@click.option("--prior", help="As ockham compare had it; 1 by default.")
def verify_results(
    results: Path,
    sources: tuple[str, ...],
    n_cells: int,
    seed: int,
    figures: Path | None,
    table: Path | None,
    models: tuple[Path, ...],
    prior: str | None,
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
    _refuse_what_is_not_used(results, table)
    if results.is_file():
        check_importable("xarray")
        from ockham.api.verifying import verify_result

        found = verify_result(
            results, table, models, prior, n_cells, seed, items=_types_of(items), **table_arguments(**of_table)
        )
    else:
        from ockham.studies.verifying import verify

        found = verify(results, sources, n_cells, seed, figures)
    for finding in found:
        wrong |= finding.wrong
        click.echo(finding.text)
    sys.exit(1 if wrong else 0)


def _refuse_what_is_not_used(results: Path, table: Path | None) -> None:
    """Raise a ConfigError for an option that was given, and that says nothing of what is verified."""
    if not results.is_file():
        of_file = f"is of a file that select, compare or search wrote, and {results} is no file; leave it out"
        why = dict.fromkeys(("table", *OF_TABLES), of_file)
    else:
        why = dict.fromkeys(OF_FOLDERS, f"is of a folder of results, and {results} is a file; leave it out")
        if table is None:
            why |= dict.fromkeys(OF_TABLES, f"is of the table of {results}; give --table as well, or leave it out")
    context = click.get_current_context()
    for parameter in context.command.params:
        name = str(parameter.name)
        if name in why and context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise ConfigError(f"{parameter.opts[0]}: {why[name]}")
