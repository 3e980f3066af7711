"""The body of commands on a table of one's own: what was read, what was found, and files of it."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from ockham.errors import OckhamWarning
from ockham.io.frames import MISSING_TEXTS, Note
from ockham.io.outputs import check_outputs, stem_of
from ockham.io.whole_files import replacing_file
from ockham.table_results.limits import ERRORS, LONGEST, SEEDS, SHORTEST
from ockham.table_results.selecting import SECONDS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ockham.table_results.cells import Rows
    from ockham.table_results.results import TableResult

__all__ = [
    "FILE", "OF_OUTPUT", "OF_RUNS", "OF_TABLE", "in_text", "options", "run", "say_notes",
    "table_arguments",
]  # fmt: skip

FILE = click.Path(path_type=Path)
OF_TABLE = (
    click.option(
        "--missing",
        multiple=True,
        help="What says that a cell is missing, in place of what does by default, which is "
        f"{', '.join(map(repr, MISSING_TEXTS))}; may be repeated.",
    ),
    click.option("--drop", multiple=True, help="Column to leave out; may be repeated."),
    click.option("--weights", help="Column that says how often each row occurs."),
    click.option("--no-header", is_flag=True, help="The first row is a case; columns are then called x1, x2, ..."),
)
OF_RUNS = (
    click.option(
        "--error",
        type=click.FloatRange(*ERRORS),
        default=0.1,
        show_default=True,
        help="Standard error of every log evidence to reach, in nats.",
    ),
    click.option(
        "--seconds",
        type=click.FloatRange(SHORTEST, LONGEST),
        default=SECONDS,
        show_default=True,
        help="When it ends at the latest.",
    ),
    click.option("--seed", type=click.IntRange(*SEEDS), default=0, show_default=True, help="Root seed of the streams."),
)
OF_OUTPUT = (
    click.option("--html", type=FILE, help="Path of the page; by default <output>.html."),
    click.option(
        "--output",
        type=FILE,
        help="Path of the results without suffix, or a folder that is there; by default named after DATA, beside it.",
    ),
)


class Table(Protocol):
    """What was read."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """On its columns."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Those of the notes that are warnings, as sentences."""


Read = TypeVar("Read", bound=Table)
Found = TypeVar("Found", bound="TableResult")


def options(chosen: tuple[Callable, ...]) -> Callable:
    """A command with all of them, in their order."""
    return lambda command: reduce(lambda given, option: option(given), reversed(chosen), command)


def table_arguments(
    missing: tuple[str, ...], drop: tuple[str, ...], weights: str | None, no_header: bool
) -> dict[str, Any]:
    """The options ``OF_TABLE`` as readers take them."""
    return {"missing": missing or MISSING_TEXTS, "drop": drop, "weights": weights, "header": not no_header}


def say_notes(table: Table) -> None:
    """Say what the table was read as, and what a user should look at."""
    for note in table.notes:
        if not note.is_warning:
            click.echo(f"{note.column or 'table'}: {note.text}")
    for warning in table.warnings:
        click.echo(f"note: {warning}")


def run(
    inputs: Sequence[Path],
    read: Callable[[], Read],
    judge: Callable[[Read], Found],
    shown: Callable[[Found], Sequence[str]],
    output: Path | None,
    default: Path,
    html: Path | None,
    beside: "Mapping[str, Callable[[Found], Figure | str]]",
) -> None:
    """Say what the table was read as, what is found, and which files have it, none of which may be one of ``inputs``.

    Files are named by ``output``, or else by ``default``. ``shown`` are paragraphs and tables between the headline and
    the remarks. ``beside`` has by its suffix what is written beside the store and the page: pictures and texts.
    """
    stem = stem_of(output, default)
    store, page = Path(f"{stem}.nc"), html or Path(f"{stem}.html")
    files = [store, page, *(Path(f"{stem}.{suffix}") for suffix in beside)]
    check_outputs(files, inputs)
    table = read()
    say_notes(table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OckhamWarning)  # what is unknown is said below
        found = judge(table)
    remarks = "\n".join(f"- {remark}" for remark in found.remarks[len(table.warnings) :])  # others were said above
    parts = [f"{found.headline}.", *shown(found), remarks, found.methods, "\n".join(found.references)]
    contents = [lambda result: result.to_html(), *beside.values()]
    written = []
    try:
        found.save(store)
        written.append(store)
        for path, make in zip(files[1:], contents, strict=True):
            _write(path, make(found))
            written.append(path)
    finally:  # whatever becomes of the files, what was found is said, and whoever reads it may stop reading
        click.echo("\n" + "\n\n".join(part for part in parts if part) + "\n")
        if written:
            click.echo(f"written: {', '.join(map(str, written))}")


def in_text(rows: "Rows") -> str:
    """A table for a terminal."""
    from tabulate import tabulate

    heads, lines = rows
    return tabulate([[cell.text for cell in row] for row in lines], heads, disable_numparse=True, stralign="right")


def _write(path: Path, content: "Figure | str") -> None:
    if not isinstance(content, str):
        from ockham.io.figures import save  # Matplotlib is slow to import, too

        save(content, path)
        return
    with replacing_file(path) as temporary:
        temporary.write_text(content, encoding="utf-8")
