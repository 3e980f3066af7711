"""A selection as a page that stands by itself."""

import base64
import io
from typing import TYPE_CHECKING

from ockham.networks.classes.results import headline, panel_rows, result_rows
from ockham.networks.pages import rendering

if TYPE_CHECKING:
    from ockham.networks.classes.selection import Selection

__all__ = ["page"]


def page(found: "Selection") -> str:
    """Everything, with the picture in it."""
    return rendering.page(
        "selection.html.j2",
        found,
        headline(found),
        result_rows(found),
        picture=_picture(found),
        panel=panel_rows(found),
    )


def _picture(found: "Selection") -> str:
    """The picture as the address of an image."""
    from ockham.io.figures import journal  # Matplotlib
    from ockham.networks.classes.drawing import figure

    content = io.BytesIO()
    journal()(lambda: figure(found).savefig(content, format="svg", metadata={"Date": None}))()
    return f"data:image/svg+xml;base64,{base64.b64encode(content.getvalue()).decode()}"
