"""A selection as a page that stands by itself: no network, no other file, and nothing of the data taken for markup."""

import base64
import io
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2

from ockham.io.netcdf import provenance
from ockham.networks.classes.results import Cell, headline, panel_rows, read_columns, result_rows

if TYPE_CHECKING:
    from ockham.networks.classes.selection import Selection

__all__ = ["excerpt", "page"]


def page(found: "Selection") -> str:
    """Everything, with the picture in it."""
    return _template("page.html.j2").render(
        headline=headline(found),
        results=result_rows(found),
        remarks=found.remarks,
        picture=_picture(found),
        panel=panel_rows(found),
        methods=found.methods,
        references=found.references,
        columns=read_columns(found),
        about=[*provenance().items(), ("seed", found.seed), ("seconds", round(found.seconds))],
    )


def excerpt(results: tuple[list[str], list[list[Cell]]], remarks: Sequence[str]) -> str:
    """A table of heads and rows, and remarks, for a notebook."""
    return _template("results.html.j2").render(results=results, remarks=remarks)


@lru_cache
def _template(name: str) -> jinja2.Template:
    """Column names and labels are anybody's text, so everything is escaped."""
    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    return jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined).get_template(name)


def _picture(found: "Selection") -> str:
    """The picture as the address of an image."""
    from ockham.io.figures import journal  # Matplotlib, which an excerpt does without
    from ockham.networks.classes.drawing import figure

    content = io.BytesIO()
    journal()(lambda: figure(found).savefig(content, format="svg", metadata={"Date": None}))()
    return f"data:image/svg+xml;base64,{base64.b64encode(content.getvalue()).decode()}"
