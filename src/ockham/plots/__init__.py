"""Published figures from the summaries of a study: ``figure(summaries) -> matplotlib.figure.Figure``."""

from ockham.plots.figure_2 import figure_2
from ockham.plots.figure_3 import figure_3
from ockham.plots.figure_4 import figure_4
from ockham.plots.figure_5 import figure_5
from ockham.plots.style import save

__all__ = ["FIGURES", "save"]

FIGURES = {
    "beal_ghahramani_2006": {
        "figure_2": figure_2,
        "figure_3": figure_3,
        "figure_4": figure_4,
        "figure_5": figure_5,
    },
}
"""Paper to its figures by name."""
