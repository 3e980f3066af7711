"""The commands for a table of one's own: ``ockham select``, ``compare``, ``search`` and ``init``."""

import shlex
import warnings
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ockham.errors import ConfigError, OckhamWarning
from ockham.io.extras import check_importable
from ockham.io.frames import MISSING_TEXTS, CategoricalTable, read_table
from ockham.io.whole_files import replacing_file
from ockham.networks.classes.selecting import PRIORS, SECONDS, select
from ockham.networks.comparisons.comparing import compare
from ockham.networks.initial_study import initial_study, study_name
from ockham.networks.searches.fits import SCORES
from ockham.networks.searches.searching import MOST, search

if TYPE_CHECKING:
    from ockham.networks.classes.results import Cell
    from ockham.networks.classes.selection import Selection
    from ockham.networks.table_results import TableResult

__all__ = ["OF_TABLE", "compare_models", "init_study", "options", "search_structures", "select_classes", "table_read"]

FILE = click.Path(path_type=Path)
N_EVIDENCE = 5
"""Columns of the first of two tables, which together are wider than a terminal."""


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
            found += range(int(ends[0]), int(ends[1]) + 1)
        return tuple(found)


OF_TABLE = (
    click.option(
        "--missing",
        multiple=True,
        help=f"What says that a cell is missing; by default {', '.join(map(repr, MISSING_TEXTS))}.",
    ),
    click.option("--drop", multiple=True, help="Column to leave out; may be repeated."),
    click.option("--weights", help="Column that says how often each row occurs."),
    click.option("--no-header", is_flag=True, help="The first row is a case; columns are then called x1, x2, ..."),
)
OF_RUNS = (
    click.option(
        "--error",
        type=click.FloatRange(1e-6, 1e6),
        default=0.1,
        show_default=True,
        help="Standard error of every log evidence to reach, in nats.",
    ),
    click.option(
        "--seconds",
        type=click.FloatRange(0.001, 1e9),
        default=SECONDS,
        show_default=True,
        help="When it ends at the latest.",
    ),
    click.option(
        "--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Root seed of the streams."
    ),
)


def options(options: tuple[Callable, ...]) -> Callable:
    """A command with all of them, in their order."""
    return lambda command: reduce(lambda given, option: option(given), reversed(options), command)


@click.command("select")
@click.argument("data", type=FILE)
@click.option("--classes", type=_Numbers(), default="1:8", show_default=True, help="Numbers of classes to compare.")
@options(OF_TABLE)
@click.option(
    "--prior",
    "priors",
    multiple=True,
    default=[f"{prior:g}" if isinstance(prior, float) else prior for prior in PRIORS],
    show_default=True,
    help="Hyperparameter of the Dirichlet priors, or bdeu: and an equivalent sample size; the first one is that of the "
    "results, others show what they rest on.",
)
@options(OF_RUNS)
@click.option("--html", type=FILE, help="Path of the page; by default <output>.html.")
@click.option("--output", type=FILE, help="Path of the results without suffix; by default <data>_classes.")
def select_classes(
    data: Path,
    classes: tuple[int, ...],
    missing: tuple[str, ...],
    drop: tuple[str, ...],
    weights: str | None,
    no_header: bool,
    priors: tuple[str, ...],
    error: float,
    seconds: float,
    seed: int,
    html: Path | None,
    output: Path | None,
) -> None:
    """How many latent classes DATA has, a CSV file of names and answers.

    For each number of classes its evidence, with an error that is borne out or said to be unknown; p(K | data); BIC and
    bounds; how well it fits; and the same under other priors. Everything goes to netCDF, to a page that stands by
    itself and to a picture as well. Ctrl-C ends it with what is known.
    """
    check_importable("matplotlib", "xarray")
    table = _read(data, missing, drop, weights, no_header)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OckhamWarning)  # what is unknown is said below
        found = select(table, classes, error=error, seconds=seconds, priors=priors, seed=seed)
    click.echo(_shown(found, len(table.warnings)))
    from ockham.io.figures import save  # Matplotlib is slow to import, too
    from ockham.networks.classes.drawing import figure

    stem = output or data.with_name(f"{data.stem}_classes")
    files = [*_written(found, stem, html), Path(f"{stem}.png")]
    save(figure(found), files[-1])
    click.echo(f"written: {', '.join(map(str, files))}")


@click.command("compare")
@click.argument("models", type=FILE, nargs=-1, required=True)
@click.argument("data", type=FILE)
@options(OF_TABLE)
@click.option(
    "--prior",
    default="1",
    show_default=True,
    help="Hyperparameter of the Dirichlet priors of models that have none, or bdeu: and an equivalent sample size.",
)
@options(OF_RUNS)
@click.option("--html", type=FILE, help="Path of the page; by default <output>.html.")
@click.option("--output", type=FILE, help="Path of the results without suffix; by default <data>_models.")
def compare_models(
    models: tuple[Path, ...],
    data: Path,
    missing: tuple[str, ...],
    drop: tuple[str, ...],
    weights: str | None,
    no_header: bool,
    prior: str,
    error: float,
    seconds: float,
    seed: int,
    html: Path | None,
    output: Path | None,
) -> None:
    """Which of some MODELS the table DATA, a CSV file, speaks for.

    Each model is a network in a BIF file, whose probabilities do not count, or a YAML file with the keys of a listed
    structure (config/README.md). For each its evidence, with an error that is borne out or said to be unknown; the log
    Bayes factor against the best; and p(model | data). Everything goes to netCDF and to a page that stands by itself
    as well. Ctrl-C ends it with what is known.
    """
    check_importable("xarray")
    table = _read(data, missing, drop, weights, no_header)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OckhamWarning)  # what is unknown is said below
        found = compare(models, table, error=error, seconds=seconds, prior=prior, seed=seed)
    from ockham.networks.comparisons.showing import headline, result_rows

    click.echo(_judged(headline(found), result_rows(found), found, len(table.warnings)))
    files = _written(found, output or data.with_name(f"{data.stem}_models"), html)
    click.echo(f"written: {', '.join(map(str, files))}")


@click.command("search")
@click.argument("data", type=FILE)
@options(OF_TABLE)
@click.option(
    "--start", "starts", type=FILE, multiple=True, help="BIF or YAML file of a graph to start from; may be repeated."
)
@click.option(
    "--max-hidden",
    type=click.IntRange(0, MOST["max_hidden"]),
    default=2,
    show_default=True,
    help="Hidden variables at the most.",
)
@click.option(
    "--max-values",
    type=click.IntRange(2, MOST["max_values"]),
    default=4,
    show_default=True,
    help="Values of a hidden variable at the most.",
)
@click.option(
    "--max-indegree",
    type=click.IntRange(0, MOST["max_indegree"]),
    default=3,
    show_default=True,
    help="Parents of a variable at the most.",
)
@click.option(
    "--score",
    type=click.Choice(list(SCORES)),
    default="cheeseman_stutz",
    show_default=True,
    help="Lower bound of the evidence that the search climbs.",
)
@click.option(
    "--climbs", type=click.IntRange(1, MOST["climbs"]), default=20, show_default=True, help="How often it starts anew."
)
@click.option(
    "--judged",
    type=click.IntRange(1, MOST["judged"]),
    default=5,
    show_default=True,
    help="How many graphs have their evidence computed.",
)
@click.option(
    "--prior",
    default="1",
    show_default=True,
    help="Hyperparameter of the Dirichlet priors, or bdeu: and an equivalent sample size.",
)
@options(OF_RUNS)
@click.option("--html", type=FILE, help="Path of the page; by default <output>.html.")
@click.option("--output", type=FILE, help="Path of the results without suffix; by default <data>_search.")
def search_structures(
    data: Path,
    missing: tuple[str, ...],
    drop: tuple[str, ...],
    weights: str | None,
    no_header: bool,
    starts: tuple[Path, ...],
    html: Path | None,
    output: Path | None,
    **arguments: Any,
) -> None:
    """Networks with hidden variables for DATA, a CSV file of names and answers.

    Structural EM over arcs and hidden variables from several starts; of the best graphs, those without hidden variables
    among them, the evidence, with an error that is borne out or said to be unknown, and p(model | data). Everything
    goes to netCDF, to a page that stands by itself and to a picture, and the first graph to a YAML file that ockham
    compare takes. Ctrl-C ends it with what is known.
    """
    check_importable("matplotlib", "xarray")
    table = _read(data, missing, drop, weights, no_header)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OckhamWarning)  # what is unknown is said below
        found = search(table, starts=starts or None, **arguments)
    from ockham.io.figures import save
    from ockham.networks.searches.drawing import figure
    from ockham.networks.searches.showing import arc_lines, headline, result_rows

    click.echo(_judged(headline(found), result_rows(found), found, len(table.warnings)))
    name, network = next(iter(found.models.items()))
    click.echo("\n".join([f"{name}:", *(arc_lines(network) or ["no arcs"])]) + "\n")
    stem = output or data.with_name(f"{data.stem}_search")
    files = [*_written(found, stem, html), *(Path(f"{stem}.{suffix}") for suffix in ("png", "yaml"))]
    save(figure(found), files[-2])
    with replacing_file(files[-1]) as temporary:
        temporary.write_text(found.to_yaml(), encoding="utf-8")
    click.echo(f"written: {', '.join(map(str, files))}")


@click.command("init")
@click.argument("data", type=FILE)
@options(OF_TABLE)
@click.option("--output", type=FILE, help="Study file to write; by default config/<name of DATA>.yaml.")
def init_study(
    data: Path,
    missing: tuple[str, ...],
    drop: tuple[str, ...],
    weights: str | None,
    no_header: bool,
    output: Path | None,
) -> None:
    """Write a study of DATA, a CSV file of names and answers, that the workflow runs as it is.

    It compares one to six latent classes by several scorers, and says in comments what each column was read as and
    what can be changed.
    """
    output = output or Path("config", f"{study_name(data.stem)}.yaml")
    if output.suffix != ".yaml" or study_name(output.stem) != output.stem:
        raise ConfigError(f"--output: {output} must be a name of letters, digits and _, and end with .yaml")
    if output.exists():
        raise ConfigError(f"--output: {output} is there already; remove it, or choose another")
    table = table_read(data, missing, drop, weights, no_header)
    content = initial_study(data, table, output, missing=missing, drop=drop, weights=weights, header=not no_header)
    with replacing_file(output) as temporary:
        temporary.write_text(content, encoding="utf-8")
    elsewhere = "" if output.parent == Path("config") else f" --config config={shlex.quote(str(output.parent))}"
    click.echo(f"{output} is written: {table.n} rows of {len(table.names)} columns. To go on:")
    click.echo(f"  ockham check {shlex.quote(str(output))}")
    click.echo(f"  snakemake --cores 2 {output.stem}{elsewhere}")


def table_read(
    data: Path, missing: tuple[str, ...], drop: tuple[str, ...], weights: str | None, no_header: bool
) -> CategoricalTable:
    """The table by these options."""
    return read_table(data, missing=missing or MISSING_TEXTS, drop=drop, weights=weights, header=not no_header)


def _read(
    data: Path, missing: tuple[str, ...], drop: tuple[str, ...], weights: str | None, no_header: bool
) -> CategoricalTable:
    """The table, after saying what it was read as."""
    table = table_read(data, missing, drop, weights, no_header)
    for note in table.notes:
        if not note.is_warning:
            click.echo(f"{note.column or 'table'}: {note.text}")
    for warning in table.warnings:
        click.echo(f"note: {warning}")
    return table


def _shown(found: "Selection", n_said: int) -> str:
    """Results, other priors and methods, but for as many remarks as have been made before."""
    from ockham.networks.classes.results import headline, panel_rows, result_rows

    heads, rows = result_rows(found)
    fits = [heads[0], *heads[N_EVIDENCE:]], [[row[0], *row[N_EVIDENCE:]] for row in rows]
    evidences = _table(heads[:N_EVIDENCE], [row[:N_EVIDENCE] for row in rows])
    parts = [
        f"{headline(found)}.",
        evidences,
        _table(*fits),
        "\n".join(f"- {remark}" for remark in found.remarks[n_said:]),
    ]
    if found.others:
        parts += ["p(K | data) under each prior:", _table(*panel_rows(found))]
    return "\n" + "\n\n".join([*parts, found.methods, "\n".join(found.references)]) + "\n"


def _judged(headline: str, results: "tuple[list[str], list[list[Cell]]]", found: "TableResult", n_said: int) -> str:
    """Results and methods, but for as many remarks as have been made before."""
    remarks = "\n".join(f"- {remark}" for remark in found.remarks[n_said:])
    parts = [f"{headline}.", _table(*results), remarks, found.methods, "\n".join(found.references)]
    return "\n" + "\n\n".join(part for part in parts if part) + "\n"


def _table(heads: list[str], rows: "list[list[Cell]]") -> str:
    from tabulate import tabulate

    return tabulate([[cell.text for cell in row] for row in rows], heads, disable_numparse=True, stralign="right")


def _written(found: "TableResult", stem: Path, html: Path | None) -> list[Path]:
    """The store and the page."""
    from ockham.io.netcdf import write  # xarray is slow to import, and few commands need it

    store, page = Path(f"{stem}.nc"), html or Path(f"{stem}.html")
    write(store, found.to_xarray())
    with replacing_file(page) as temporary:
        temporary.write_text(found.to_html(), encoding="utf-8")
    return [store, page]
