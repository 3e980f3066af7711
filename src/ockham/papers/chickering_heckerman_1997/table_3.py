"""Classes selected for the real data, ours beside the paper's; Table 3 of [ChickeringHeckerman1997]."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chickering_heckerman_1997.selections import BRIDGE, SCORES, STANDARD, choice
from ockham.papers.published import read_published

__all__ = ["table_3"]

OURS = {"bridge": ("Bridge", BRIDGE), "candidate": ("Candidate", STANDARD), **SCORES}
"""As ``SCORES``."""


def table_3(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Number of classes that each score selects for the real data; ? after it where some models have no such score.

    A * after it says that the score which it has there is not to be trusted.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set; for every score that there is a column of ours and one of the paper's, where it has one.
    """
    rows = []
    for _, row_of in read_published(paper, "numbers/table_3.csv").iterrows():
        data = summaries[row_of["condition"]].to_dataset().isel(replicate=0, n=0).sel(alias_correction="log_aliases")
        row = {"data set": row_of["condition"].replace("_", " ")}
        for column, (heading, score) in OURS.items():
            if score not in data.score:
                continue
            known = data.log_evidence.sel(score=score).notnull().all()
            row[heading] = choice(data, score) if known else f"{choice(data, score)} ?"
            if column in row_of:
                row[f"{heading} (paper)"] = str(row_of[column])
        rows.append(row)
    return pd.DataFrame(rows)
