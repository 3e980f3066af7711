"""Published figures from the summaries of a study: ``figure(summaries) -> matplotlib.figure.Figure``."""

from ockham.plots.figure_2 import figure_2
from ockham.plots.figure_3 import figure_3a, figure_3b
from ockham.plots.figure_4 import figure_4a, figure_4b
from ockham.plots.figure_5 import figure_5a, figure_5b, figure_5c
from ockham.plots.style import save

__all__ = ["FIGURES", "save"]

FIGURES = {
    "figure_2": figure_2,
    "figure_3a": figure_3a,
    "figure_3b": figure_3b,
    "figure_4a": figure_4a,
    "figure_4b": figure_4b,
    "figure_5a": figure_5a,
    "figure_5b": figure_5b,
    "figure_5c": figure_5c,
}
