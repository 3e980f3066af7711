"""Log evidence against the number of hidden units, of all words; Figure 7 of [ChenWelling2013]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.papers.chen_welling_2013.comparison import comparison

__all__ = ["figure_7"]


def figure_7(summaries: xr.DataTree) -> Figure:
    """(a) By the scores around one point, (b) by those from draws, per row."""
    return comparison("all_words", "structure", summaries, inset=True)
