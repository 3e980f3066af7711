"""The picture of a selection: evidences and scores by the number of classes, and p(K | data)."""

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from ockham.table_results.drawn_evidences import draw_judged, figure_of
from ockham.table_results.pages.pictures import address

if TYPE_CHECKING:
    from ockham.table_results.selection import Selection

__all__ = ["draw", "figure", "picture"]


def figure(found: "Selection") -> Figure:
    """The picture by itself."""
    return figure_of(lambda axes: draw(found, axes))


def picture(found: "Selection") -> str:
    """The picture as the address of an image."""
    return address(lambda: figure(found))


def draw(found: "Selection", axes: Any = None) -> np.ndarray:
    """On two axes, new ones of pyplot by default."""
    scores = {
        found.estimates[name].long_name: {
            k: fit.scores[name].log_evidence for k, fit in found.fits.items() if not fit.scores[name].doubt
        }
        for name in found.drawn
    }
    both = draw_judged(found.evidences, found.posterior, scores, "-", "p(K | data)", axes)
    for each in both:
        each.set_xlabel("number of classes K")
    return both
