"""What the page of a selection has beside what all results share."""

import base64
import io
from typing import TYPE_CHECKING, Any

from ockham.networks.classes.results import panel_rows

if TYPE_CHECKING:
    from ockham.networks.classes.selection import Selection

__all__ = ["parts"]


def parts(found: "Selection") -> dict[str, Any]:
    """The picture, and the table of other priors."""
    return {"picture": _picture(found), "panel": panel_rows(found)}


def _picture(found: "Selection") -> str:
    """The picture as the address of an image."""
    from ockham.io.figures import journal  # Matplotlib
    from ockham.networks.classes.drawing import figure

    content = io.BytesIO()
    journal()(lambda: figure(found).savefig(content, format="svg", metadata={"Date": None}))()
    return f"data:image/svg+xml;base64,{base64.b64encode(content.getvalue()).decode()}"
