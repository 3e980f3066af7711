"""Table 1 of [ChickeringHeckerman1997] by three corrections for aliases."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chickering_heckerman_1997.selections import SCORES, apart, condition_of, group_of
from ockham.papers.published import read_published

__all__ = ["alias_corrections"]

CORRECTIONS = {"none": "none", "log_aliases": "ln S", "distinct_aliases": "distinct"}


def alias_corrections(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Table 1 without alias correction, with that for all aliases, and with that for the aliases that differ.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition and n: the percentage of MAP fits with classes that no case is in, and a column for every
        local score and correction, mean (s.d.) over data sets.
    """
    rows = []
    for _, row_of in read_published(paper, "numbers/table_1.csv").iterrows():
        group = group_of(summaries, row_of)
        degenerate = 100 * (group.log_alike.sel(score="cheeseman_stutz") > 0).mean()
        row = condition_of(row_of) | {"degenerate fits (%)": round(float(degenerate), 1)}
        for heading, score in SCORES.values():
            for correction, label in CORRECTIONS.items():
                row[f"{heading}, {label}"] = apart(group.selected.sel(alias_correction=correction), score)
        rows.append(row)
    return pd.DataFrame(rows)
