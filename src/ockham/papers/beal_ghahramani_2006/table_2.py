"""Ranks of the true structure, ours beside the paper's; Table 2 of [BealGhahramani2006]."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.published import read_published

__all__ = ["table_2"]

TABLE_2_COLUMNS = {
    "map": ("MAP", "map", "none"),
    "bic_uncorrected": ("BIC*", "bic", "none"),
    "bicp_uncorrected": ("BICp*", "bicp", "none"),
    "cheeseman_stutz_uncorrected": ("CS*", "cheeseman_stutz", "none"),
    "variational_bayes_uncorrected": ("VB*", "variational_bayes", "none"),
    "bic": ("BIC", "bic", "log_aliases"),
    "bicp": ("BICp", "bicp", "log_aliases"),
    "cheeseman_stutz": ("CS", "cheeseman_stutz", "log_aliases"),
    "variational_bayes": ("VB", "variational_bayes", "log_aliases"),
    "ais": ("AIS", "annealed_importance_sampling", "none"),
}
"""The published column, its heading, and our score and alias correction; * marks scores without the correction."""


def table_2(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Rank of the true structure at the published parameters, by data set size and score.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size of ours; columns ``n`` and, for every score of the paper, ours and ``... (paper)``.
        Missing where a score or size is absent on that side. The last column is the percentage of the structures whose
        AIS score is not to be trusted.
    """
    published = read_published(paper, "numbers/table_2.csv").set_index("n")
    rank = summaries["ranks"]["rank"].sel(replicate=0)
    frame = pd.DataFrame(index=rank.indexes["n"])
    for name, (heading, score, alias_correction) in TABLE_2_COLUMNS.items():
        ours = rank.sel(alias_correction=alias_correction).reindex(score=[score]).isel(score=0)
        frame[heading] = pd.array(ours.values, dtype="Int64")
        frame[f"{heading} (paper)"] = published[name].reindex(frame.index).astype("Int64")
    doubted = summaries["ranks"]["fraction_doubted"].sel(replicate=0)
    ais = TABLE_2_COLUMNS["ais"][1]
    frame["AIS doubted (%)"] = (100 * doubted.reindex(score=[ais]).isel(score=0)).values.round(1)
    return frame.reset_index()
