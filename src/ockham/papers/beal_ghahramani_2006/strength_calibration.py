"""The strength of the proposal of AIS, which [BealGhahramani2006] leaves out, by its Table 3."""

import numpy as np
import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.published import read_published

__all__ = ["strength_calibration"]


def strength_calibration(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Rejection rates by the strength of the proposal, against the paper's Table 3.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per strength of an entry of the role ``strength``, and one of the paper's numbers: rejection in percent
        at every size, and the root mean square difference from the paper over sizes, in percentage points. The rule is
        to take the strength with the smallest; ``best`` marks it.
    """
    published = read_published(paper, "numbers/table_3.csv").set_index("n")["rejected"]
    data = summaries["annealing"].to_dataset()
    data = data.isel(group=(data.role == "strength").values)
    sizes = [n for n in published.index if n in data.indexes["n"]]
    rows = []
    for name in data.group.values:
        rejected = 100 * (1 - data.acceptance.sel(group=name, n=sizes).values)
        rows.append(
            [f"{float(data.strength.sel(group=name)):g}", *rejected.round(1), _distance(rejected, published[sizes])]
        )
    smallest = min((row[-1] for row in rows), default=np.nan)
    rows = [[*row[:-1], round(row[-1], 2), "best" if row[-1] == smallest else ""] for row in rows]
    rows.append(["paper", *published[sizes], np.nan, ""])
    return pd.DataFrame(rows, columns=["strength", *(f"n = {n}" for n in sizes), "distance", "rule"])


def _distance(ours: np.ndarray, paper: pd.Series) -> float:
    return float(np.sqrt(np.mean((ours - paper.values) ** 2)))
