"""AIS below the variational bound, and rejections, ours beside the paper's; Table 3 of [BealGhahramani2006]."""

import numpy as np
import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.published import read_published

__all__ = ["table_3"]

TABLE_3_COLUMNS = {
    "ais_1_below_vb_uncorrected": ("AIS(1) < VB* (%)", 1, "none"),
    "ais_1_below_vb": ("AIS(1) < VB (%)", 1, "log_aliases"),
    "ais_5_below_vb_uncorrected": ("AIS(5) < VB* (%)", 5, "none"),
    "ais_5_below_vb": ("AIS(5) < VB (%)", 5, "log_aliases"),
}
"""The published column, its heading, and our batch size and alias correction of VB; * marks VB without it."""


def table_3(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """AIS below the variational bound, and its rejection rate, at the published parameters.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size of the paper's table that the study has; the paper's first, n = 560, stands for the
        largest value up to that size, on both sides. For every quantity ours, ``... (paper)``, and ``... (scaled)``
        with the proposal that the paper recommends in section 5, which has no smaller sizes.
    """
    published = read_published(paper, "numbers/table_3.csv").set_index("n")
    frame = pd.DataFrame(index=[n for n in published.index if n in summaries["best"].indexes["n"]])
    frame.index.name = "n"
    data = summaries["annealing"].to_dataset()
    for name, (heading, size, correction) in TABLE_3_COLUMNS.items():
        below = 100 * data.below_vb.sel(batch_size=size, alias_correction=correction)
        _add(frame, heading, below, published[name])
    _add(frame, "rejected (%)", 100 * (1 - data.acceptance), published["rejected"])
    return frame.round(1).reset_index()


def _add(frame: pd.DataFrame, heading: str, values: xr.DataArray, published: pd.Series) -> None:
    """Columns of ours, the paper's and the recommended proposal's; the first row is the largest up to its size."""
    for column, role in ((heading, ""), (f"{heading} (paper)", None), (f"{heading} (scaled)", "scaled_proposal")):
        if role is None:
            frame[column] = published[frame.index].values
            continue
        chosen = values.isel(group=(values.role == role).values)
        if not chosen.sizes["group"]:
            frame[column] = np.nan
            continue
        series = chosen.isel(group=0, drop=True).to_series()
        frame[column] = series.reindex(frame.index)
        if published.index[0] in frame.index:
            frame.loc[published.index[0], column] = series[series.index <= published.index[0]].max()
