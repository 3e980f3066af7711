"""Who is nearest to the truth: every score of [BealGhahramani2006], and later ones, beside bridge sampling."""

import pandas as pd
import xarray as xr
from matplotlib.figure import Figure

from ockham.contracts import Paper
from ockham.errors import StoreError
from ockham.papers.style import MARKED, SCORES, Style, one_legend, panels_by_size
from ockham.summaries.league import FEW

__all__ = ["figure_3_from_truth", "league", "league_table"]

TRUTH = "bridge_sampling"
JUDGED = {name: style for name, style in SCORES.items() if name != TRUTH} | {
    "laplace": Style("Laplace", "#56B4E9", "P"),
    "candidate": Style("Candidate", "#999999", "h"),
    "sequential_monte_carlo": Style("SMC", "#882255", "p"),
}
COLUMNS = {
    "cells": ("n_cells", 0),
    "median error (nats)": ("error_median", 3),
    "95th percentile (nats)": ("error_95", 3),
    "doubted (%)": ("doubted", 1),
    "rank correlation": ("rank_correlation", 3),
    "same structure on top (%)": ("same_choice", 1),
    "true structure on top (%)": ("success_rate", 1),
    "passes over the data": ("n_evaluations", 0),
    "cells with a truth": ("n_known", 0),
    "error of the truth (nats)": ("truth_error", 3),
}
"""Of the table: the summary's variable, and decimals."""


def league(summaries: xr.DataTree) -> Figure:
    """How near scores are to the truth by the size of the data set; ``summaries`` from ``summarise``.

    (a) Median distance, in nats. (b) Mean of Spearman's rank correlation over structures. (c) Fraction of the data sets
    in which the structure on top is that of the truth.
    """
    data = summaries["league"].to_dataset()
    figure, panels = panels_by_size(3)
    labels = "median distance from the truth (nats)", "rank correlation with the truth", "same structure on top"
    for axes, name, label in zip(panels, ("error_median", "rank_correlation", "same_choice"), labels, strict=True):
        for score, (title, color, marker) in JUDGED.items():
            if score in data.score:
                line = data[name].sel(score=score).dropna("n")
                axes.plot(line.n, line, label=title, color=color, marker=marker, **MARKED)
        axes.set_ylabel(label)
    panels[0].set_yscale("log")
    panels[1].set_ylim(top=1)
    panels[2].set_ylim(0, 1)
    return one_legend(figure)


def league_table(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How near scores are to the truth, what they choose, and what they cost.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size and score; restarts of which there are more than three also from the first three.
    """
    data = summaries["league"].to_dataset()
    shown = {
        name + ending: style.label + more
        for name, style in JUDGED.items()
        for ending, more in (("", ""), (f"_of_{FEW}", f", {FEW} runs"))
        if name + ending in data.score
    }
    rows = data.sel(score=list(shown)).to_dataframe(["n", "score"]).reset_index()
    table = pd.DataFrame({"n": rows.n, "score": rows.score.map(shown)})
    for heading, (name, decimals) in COLUMNS.items():
        values = rows[name] * (100 if "%" in heading else 1)
        table[heading] = values.round(decimals).astype("Int64" if not decimals else float)
    return table[rows.n_cells > 0].reset_index(drop=True)


def figure_3_from_truth(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Figure 3 as numbers, with the evidence in the place of AIS, at the published parameters.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size, of every score corrected for aliases: the ``rank`` of the true structure, its
        ``difference`` from the top-ranked one, nats, the ``divergence`` of the posterior from that by bridge sampling,
        nats, and the percentage of the structures whose score is ``doubted (%)``.
    """
    ranks, posteriors = (
        summaries[name].to_dataset().sel(alias_correction="log_aliases", replicate=0)
        for name in ("ranks", "posteriors")
    )
    if posteriors.divergence.attrs["reference"] != TRUTH:
        raise StoreError("summaries.nc: divergences are not from bridge sampling; score every structure with bridge")
    parts = {
        "rank": ranks["rank"], "difference": ranks.difference, "divergence": posteriors.divergence,
        "doubted (%)": 100 * ranks.fraction_doubted,
    }  # fmt: skip
    columns = {
        f"{name} {style.label}": values.sel(score=score).to_series().round(4)
        for name, values in parts.items()
        for score, style in ({TRUTH: SCORES[TRUTH]} | JUDGED).items()
        if score in values.score and not (name == "divergence" and score == TRUTH)
    }
    return pd.DataFrame(columns).reset_index()
