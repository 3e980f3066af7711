"""Errors in model selection, ours beside the paper's; Table 1 of [ChickeringHeckerman1997]."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chickering_heckerman_1997.selections import (
    BRIDGE,
    SCORES,
    apart,
    condition_of,
    doubted,
    group_of,
    mean_and_sd,
)
from ockham.papers.published import read_published

__all__ = ["table_1"]


def table_1(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Classes that the Candidate method selects minus those that each score selects, mean (s.d.) over data sets.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition and n; for every score a column of ours and one of the paper's, and one of bridge sampling
        where that was run. The last column is the percentage of the models whose score by the Candidate method is not
        to be trusted.
    """
    rows = []
    for _, row_of in read_published(paper, "numbers/table_1.csv").iterrows():
        selected = group_of(summaries, row_of).selected.sel(alias_correction="log_aliases")
        row = condition_of(row_of)
        for column, (heading, score) in SCORES.items():
            row[heading] = apart(selected, score)
            row[f"{heading} (paper)"] = mean_and_sd(row_of[column], row_of[f"{column}_sd"])
        if BRIDGE in selected.score:
            row["Bridge"] = apart(selected, BRIDGE)
        row["Candidate doubted (%)"] = doubted(group_of(summaries, row_of))
        rows.append(row)
    return pd.DataFrame(rows)
