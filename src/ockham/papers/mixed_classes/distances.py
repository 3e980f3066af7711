"""How near each score is to the evidence, of which exact sums and bridge sampling stand for the truth."""

import pandas as pd
import xarray as xr
from matplotlib.figure import Figure

from ockham.contracts import Paper
from ockham.papers.mixed_classes.conditions import STYLES, each, panels
from ockham.papers.style import MARKED, marked, one_legend

__all__ = ["distances", "league_table"]

COLUMNS = {
    "cells": ("n_cells", 0),
    "median error (nats)": ("error_median", 3),
    "95th percentile (nats)": ("error_95", 3),
    "doubted (%)": ("doubted", 1),
    "rank correlation": ("rank_correlation", 3),
    "same number on top (%)": ("same_choice", 1),
    "passes over the data": ("n_evaluations", 0),
    "cells with a truth": ("n_known", 0),
    "error of the truth (nats)": ("truth_error", 3),
}
"""Of the table: the summary's variable, and decimals."""

LEAST = 0.01
"""Nats at the lower end of the panels: of one class most scores are the evidence to rounding."""


def distances(summaries: xr.DataTree) -> Figure:
    """The median distance of each score from the truth, in nats; ``summaries`` from ``summarise``."""
    figure, pairs = panels(summaries)
    for axes, group in pairs:
        data = group["league"].to_dataset()
        for score, (label, color, marker) in STYLES.items():
            if score in data.score:
                one = data.sel(score=score).dropna("n", subset=["error_median"])
                look = MARKED | marked(one.doubted) | {"clip_on": True}
                axes.plot(one.n, one.error_median, label=label, color=color, marker=marker, **look)
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
    tables = []
    for condition, group in each(summaries):
        data = group["league"].to_dataset()
        shown = [score for score in STYLES if score in data.score]
        rows = data.sel(score=shown).to_dataframe(["n", "score"]).reset_index()
        table = pd.DataFrame(
            {"condition": condition, "n": rows.n, "score": [STYLES[name].label for name in rows.score]}
        )
        for heading, (name, decimals) in COLUMNS.items():
            values = rows[name] * (100 if "%" in heading else 1)
            table[heading] = values.round(decimals).astype("Int64" if not decimals else float)
        tables.append(table[rows.n_cells > 0])
    return pd.concat(tables, ignore_index=True)
