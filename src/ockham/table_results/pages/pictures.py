"""Pictures in a page, which asks for no other file."""

import base64
import io
from collections.abc import Callable
from typing import TYPE_CHECKING

from ockham.io.figures import journal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["address"]


@journal()
def address(make: "Callable[[], Figure]") -> str:
    """What a function draws, as the address of an image."""
    content = io.BytesIO()
    make().savefig(content, format="svg", metadata={"Date": None})
    return f"data:image/svg+xml;base64,{base64.b64encode(content.getvalue()).decode()}"
