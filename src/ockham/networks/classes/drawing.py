"""The picture of a selection: evidences and scores by the number of classes, and p(K | data)."""

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from ockham.networks.classes.fits import ESTIMATES
from ockham.networks.drawn_evidences import draw_judged, figure_of

if TYPE_CHECKING:
    from ockham.networks.classes.selection import Selection

__all__ = ["draw", "figure"]

SCORES = ("bic", "cheeseman_stutz", "variational_bayes")


def figure(found: "Selection") -> Figure:
    """The picture by itself."""
    return figure_of(lambda axes: draw(found, axes))


def draw(found: "Selection", axes: Any = None) -> np.ndarray:
    """On two axes, new ones of pyplot by default."""
    scores = {
        ESTIMATES[name].long_name: {
            k: fit.scores[name].log_evidence for k, fit in found.fits.items() if not fit.scores[name].doubt
        }
        for name in SCORES
    }
    both = draw_judged(found.evidences, found.posterior, scores, "-", "p(K | data)", axes)
    for each in both:
        each.set_xlabel("number of classes K")
    return both
