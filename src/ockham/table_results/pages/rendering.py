"""Results as a page that stands by itself: no network, no other file, and nothing of the data taken for markup."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import jinja2

from ockham.io.frames import Note
from ockham.io.netcdf import provenance
from ockham.table_results.pages import TEMPLATES

if TYPE_CHECKING:
    from ockham.table_results.cells import Rows
    from ockham.table_results.results import TableResult

__all__ = ["Section", "excerpt", "page", "read_columns", "study_page"]


class Section(NamedTuple):
    """A part of a page under a head of its own; ``alt`` is what the picture shows, in words."""

    head: str
    sentences: Sequence[str] = ()
    table: "Rows | None" = None
    picture: str = ""
    alt: str = ""


def page(template: str, found: "TableResult", **parts: Any) -> str:
    """The template with everything that results share, and what it has beside."""
    return _template(template).render(
        headline=found.headline,
        results=found.rows,
        remarks=found.remarks,
        methods=found.methods,
        references=found.references,
        columns=read_columns(found.notes),
        about=[*provenance().items(), ("seed", found.seed), ("seconds", round(found.seconds))],
        **parts,
    )


def study_page(study: str, sections: Sequence[Section], rests_on: str) -> str:
    """The page of a study of the workflow."""
    return _template("study.html.j2").render(study=study, sections=sections, rests_on=rests_on)


def excerpt(results: "Rows", remarks: Sequence[str]) -> str:
    """A table of heads and rows, and remarks, for a notebook."""
    return _template("results.html.j2").render(results=results, remarks=remarks)


def read_columns(notes: Sequence[Note]) -> list[tuple[str, str]]:
    """Each column, and what it was read as; under ``table`` what is true of all."""
    return [(note.column or "table", note.text) for note in notes if not note.is_warning]


@lru_cache
def _template(name: str) -> jinja2.Template:
    """Column names and labels are anybody's text, so everything is escaped."""
    loader = jinja2.FileSystemLoader(TEMPLATES)
    return jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined).get_template(name)
