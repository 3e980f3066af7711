"""What a table of all ideals takes by their number; section 3.3 of [NiinimakiKoivisto2013]."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper

__all__ = ["ideal_space"]


def ideal_space(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Memory of a table of all ideals, the paper's way to count linear extensions, beside the number of ideals.

    Parameters
    ----------
    summaries : xarray.DataTree
        With the group ``linear_extensions``.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per largest indegree and number of nodes: of the random graph with the most ideals their number, the
        bytes of its table, and the bytes for each ideal.
    """
    data = summaries["linear_extensions"].to_dataset()
    largest = data[["n_ideals", "table_bytes"]].max("graph")
    parts = {"ideals": largest.n_ideals, "bytes": largest.table_bytes}
    parts["bytes for each ideal"] = (largest.table_bytes / largest.n_ideals).round(2)
    frame = xr.Dataset(parts).to_dataframe(dim_order=["max_indegree", "n"]).reset_index()
    frame = frame.astype({"ideals": int, "bytes": int})
    return frame.rename(columns={"max_indegree": "indegree", "n": "nodes"})
