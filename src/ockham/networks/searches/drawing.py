"""The picture of a search: evidences and scores by graph, and p(model | data)."""

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from ockham.networks.searches.fits import SCORES
from ockham.table_results.drawn_evidences import draw_judged, figure_of

if TYPE_CHECKING:
    from ockham.networks.searches.structure_search import StructureSearch

__all__ = ["draw", "figure"]


def figure(found: "StructureSearch") -> Figure:
    """The picture by itself."""
    return figure_of(lambda axes: draw(found, axes))


def draw(found: "StructureSearch", axes: Any = None) -> np.ndarray:
    """On two axes, new ones of pyplot by default."""
    judged = found.judged
    evidences = dict(enumerate(judged.evidences.values(), start=1))
    scores = {SCORES[found.score]: dict(enumerate((found.scores[name] for name in judged.models), start=1))}
    both = draw_judged(evidences, judged.posterior, scores, "k_", "p(model | data)", axes)
    for each in both:
        each.set_xticklabels(list(judged.models), rotation=45, ha="right")
    return both
