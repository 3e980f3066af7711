"""Who is nearest to the truth: every score of [BealGhahramani2006], and later ones, beside bridge sampling."""

from math import ceil

import pandas as pd
import xarray as xr
from matplotlib.figure import Figure

from ockham.contracts import Paper
from ockham.errors import StoreError
from ockham.papers.beal_ghahramani_2006 import singular_check
from ockham.papers.beal_ghahramani_2006.trusted import TRUTH, at_the_published_parameters
from ockham.papers.generic.league import league_rows
from ockham.papers.style import (
    DASH_DOTS,
    FEW_DOTS,
    LONG_DOTS,
    SCORES,
    SHORT,
    Style,
    marked,
    panels_by_size,
    with_others,
)
from ockham.summaries.league import FEW

__all__ = ["figure_3_from_truth", "league", "league_table"]

JUDGED = {name: style for name, style in SCORES.items() if name != TRUTH} | {
    "laplace": Style("Laplace", "#56B4E9", "P", DASH_DOTS),
    "candidate": Style("Candidate", "#999999", "h", LONG_DOTS),
    "sequential_monte_carlo": Style("SMC", "#882255", "p", SHORT),
    "tempered_sequential_monte_carlo": Style("tempered SMC", "#CC6677", "X", FEW_DOTS),
}
LABELS = singular_check.JUDGED | {
    "maximum_likelihood": "ML",
    "cheeseman_stutz_ml": "CS at the ML parameters",
    "annealed_importance_sampling_ais_as_long": "AIS, as long as over completions",
}
"""Of scores that are not in the paper."""
LEFT_OUT = ("laplace_block", "laplace_diagonal")
IN_A_ROW = 4
"""Names in a row of the legend; more of the long ones do not fit on a page."""
ROW = 0.15
"""Inches of a row of the legend."""


def league(summaries: xr.DataTree) -> Figure:
    """How near scores are to the truth by the size of the data set; ``summaries`` from ``summarise``.

    (a) Median distance, in nats. (b) Mean of Spearman's rank correlation over structures. (c) Fraction of the data sets
    in which the structure on top is that of the truth.
    """
    data = summaries["league"].to_dataset()
    figure, panels = panels_by_size(3)
    labels = "median distance from the truth (nats)", "rank correlation with the truth", "same structure on top"
    styles = _styles(data)
    for axes, name, label in zip(panels, ("error_median", "rank_correlation", "same_choice"), labels, strict=True):
        for score, style in styles.items():
            if score in data.score:
                line = data[name].sel(score=score).dropna("n")
                axes.plot(line.n, line, **style.look | marked(data.doubted.sel(score=score, n=line.n)))
        axes.set_ylabel(label)
    panels[0].set_yscale("log")
    panels[1].set_ylim(top=1)
    panels[2].set_ylim(0, 1)
    look = {"ncols": IN_A_ROW, "fontsize": 7, "frameon": False, "handlelength": 3}
    figure.legend(handles=panels[0].lines, loc="outside upper center", **look)
    figure.set_figheight(figure.get_figheight() + ceil(len(panels[0].lines) / IN_A_ROW) * ROW)
    return figure


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
    labels = {
        name + ending: style.label + more
        for name, style in _styles(data).items()
        for ending, more in (("", ""), (f"_of_{FEW}", f", {FEW} runs"))
    }
    return league_rows(data, labels)


def _styles(league: xr.Dataset) -> dict[str, Style]:
    """Of every score, those of which few runs are judged beside all left out."""
    scores = [score for score in league.score.values.tolist() if not score.endswith(f"_of_{FEW}")]
    styles = with_others(JUDGED, scores, LEFT_OUT)
    return {score: style._replace(label=LABELS.get(score, style.label)) for score, style in styles.items()}


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
        nats, and the percentage of the structures whose score is ``doubted (%)``. Where any bridge is doubted, what
        rests on them is unknown: NaN.
    """
    ranks, divergence = at_the_published_parameters(summaries)
    if divergence.attrs["reference"] != TRUTH:
        raise StoreError("summaries.nc: divergences are not from bridge sampling; score every structure with bridge")
    parts = {
        "rank": ranks["rank"], "difference": ranks.difference, "divergence": divergence,
        "doubted (%)": 100 * ranks.fraction_doubted,
    }  # fmt: skip
    columns = {
        f"{name} {style.label}": values.sel(score=score)
        .to_series()
        .round(4)
        .astype("Int64" if name == "rank" else float)
        for name, values in parts.items()
        for score, style in ({TRUTH: SCORES[TRUTH]} | JUDGED).items()
        if score in values.score and not (name == "divergence" and score == TRUTH)
    }
    return pd.DataFrame(columns).reset_index()
