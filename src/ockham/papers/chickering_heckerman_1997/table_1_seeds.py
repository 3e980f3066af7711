"""Errors in model selection over many data sets; Table 1 of [ChickeringHeckerman1997] with longer chains."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chickering_heckerman_1997.selections import (
    SCORES,
    SEEDS,
    STANDARD,
    apart,
    condition_of,
    doubted,
    group_of,
)
from ockham.papers.published import read_published

__all__ = ["table_1_seeds"]


def table_1_seeds(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Classes that the Candidate method selects minus those of each score, and how often the two are the same.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition and n of Table 1 that has more data sets: the number of data sets, and for every score
        the mean (s.d.) of the difference and the percentage of data sets on which there is none.
    """
    rows = []
    for _, row_of in read_published(paper, "numbers/table_1.csv").iterrows():
        if row_of["condition"] + SEEDS not in summaries:
            continue
        group = group_of(summaries, row_of, SEEDS)
        selected = group.selected.sel(alias_correction="log_aliases")
        row = condition_of(row_of) | {"data sets": group.sizes["replicate"]}
        for heading, score in SCORES.values():
            row[heading] = apart(selected, score)
            same = selected.sel(score=score) == selected.sel(score=STANDARD)
            row[f"{heading} same (%)"] = round(100 * float(same.mean()))
        row["Candidate doubted (%)"] = doubted(group)
        rows.append(row)
    return pd.DataFrame(rows)
