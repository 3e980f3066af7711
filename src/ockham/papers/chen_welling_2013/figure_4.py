"""Log evidence against the number of documents; Figure 4 of [ChenWelling2013]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.papers.chen_welling_2013.comparison import comparison

__all__ = ["figure_4"]


def figure_4(summaries: xr.DataTree) -> Figure:
    """(a) By the scores around one point, (b) by those from draws, per row."""
    return comparison("five_words_sizes", "n", summaries)
