"""The command ``ockham select``: how many latent classes a table of one's own has."""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ockham.errors import OckhamWarning
from ockham.io.frames import MISSING_TEXTS, read_table
from ockham.io.whole_files import replacing_file
from ockham.networks.classes.selecting import PRIORS, SECONDS, select

if TYPE_CHECKING:
    from ockham.networks.classes.results import Cell
    from ockham.networks.classes.selection import Selection

__all__ = ["select_classes"]

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


@click.command("select")
@click.argument("data", type=FILE)
@click.option("--classes", type=_Numbers(), default="1:8", show_default=True, help="Numbers of classes to compare.")
@click.option(
    "--missing",
    multiple=True,
    help=f"What says that a cell is missing; by default {', '.join(map(repr, MISSING_TEXTS))}.",
)
@click.option("--drop", multiple=True, help="Column to leave out; may be repeated.")
@click.option("--weights", help="Column that says how often each row occurs.")
@click.option("--no-header", is_flag=True, help="The first row is a case; columns are then called x1, x2, ...")
@click.option(
    "--prior",
    "priors",
    multiple=True,
    default=[f"{prior:g}" if isinstance(prior, float) else prior for prior in PRIORS],
    show_default=True,
    help="Hyperparameter of the Dirichlet priors, or bdeu: and an equivalent sample size; the first one is that of the "
    "results, others show what they rest on.",
)
@click.option(
    "--error",
    type=click.FloatRange(1e-6, 1e6),
    default=0.1,
    show_default=True,
    help="Standard error of every log evidence to reach, in nats.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.001, 1e9),
    default=SECONDS,
    show_default=True,
    help="When it ends at the latest.",
)
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Root seed of the streams."
)
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
    table = read_table(data, missing=missing or MISSING_TEXTS, drop=drop, weights=weights, header=not no_header)
    for note in table.notes:
        if not note.is_warning:
            click.echo(f"{note.column or 'table'}: {note.text}")
    for warning in table.warnings:
        click.echo(f"note: {warning}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OckhamWarning)  # what is unknown is said below
        found = select(table, classes, error=error, seconds=seconds, priors=priors, seed=seed)
    click.echo(_shown(found, len(table.warnings)))
    files = _written(found, output or data.with_name(f"{data.stem}_classes"), html)
    click.echo(f"written: {', '.join(map(str, files))}")


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


def _table(heads: list[str], rows: "list[list[Cell]]") -> str:
    from tabulate import tabulate

    return tabulate([[cell.text for cell in row] for row in rows], heads, disable_numparse=True, stralign="right")


def _written(found: "Selection", stem: Path, html: Path | None) -> tuple[Path, ...]:
    from ockham.io.figures import save  # Matplotlib and xarray are slow to import, and few commands need them
    from ockham.io.netcdf import write
    from ockham.networks.classes.drawing import figure

    store, picture, page = Path(f"{stem}.nc"), Path(f"{stem}.png"), html or Path(f"{stem}.html")
    write(store, found.to_xarray())
    with replacing_file(page) as temporary:
        temporary.write_text(found.to_html(), encoding="utf-8")
    save(figure(found), picture)
    return store, page, picture
