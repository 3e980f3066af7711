"""How near each score is to the evidence, of which exact sums and bridge sampling stand for the truth."""

import pandas as pd
import xarray as xr
from matplotlib.figure import Figure

from ockham.contracts import Paper
from ockham.papers.generic.league import league_rows
from ockham.papers.mixed_classes.conditions import each, panels, styles
from ockham.papers.style import marked, one_legend

__all__ = ["distances", "league_table"]

LEAST = 0.01
"""Nats at the lower end of the panels: of one class most scores are the evidence to rounding."""


def distances(summaries: xr.DataTree) -> Figure:
    """The median distance of each score from the truth, in nats; ``summaries`` from ``summarise``."""
    figure, pairs = panels(summaries)
    for axes, group in pairs:
        data = group["league"].to_dataset()
        for score, style in styles(data).items():
            if score in data.score:
                one = data.sel(score=score).dropna("n", subset=["error_median"])
                axes.plot(one.n, one.error_median, **style.look | marked(one.doubted) | {"clip_on": True})
        axes.set_yscale("log")
        axes.set_ylabel("median distance (nats)")
    pairs[-1][0].set_ylim(bottom=LEAST)  # of all panels, which share the axis, when all is drawn
    return one_legend(figure)


def league_table(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How near scores are to the truth, what they choose, and what they cost.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper
        Has no numbers.

    Returns
    -------
    pandas.DataFrame
        One row per condition, data set size and score.
    """
    leagues = {name: group["league"].to_dataset() for name, group in each(summaries)}
    tables = {
        name: league_rows(league, {score: style.label for score, style in styles(league).items()}, "number")
        for name, league in leagues.items()
    }
    return pd.concat(tables, names=["condition", None]).reset_index("condition").reset_index(drop=True)
