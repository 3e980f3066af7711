"""How far the evidence of the true structure is known, from both sides, on the prior draws of [BealGhahramani2006]."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper

__all__ = ["sandwich"]

NORMAL = 1.96


def sandwich(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """The width between the lower and the upper estimate, and where bridge sampling is.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size: over draws of the prior, the median, the 5th and the 95th percentile of the upper
        estimate minus the lower one, in nats; the percentage of the draws in which one of them says of itself that it
        is not to be trusted, and of the others that in which the two differ by no more than 1.96 of their errors; and
        of the draws in which bridge sampling is trusted, the median of its distance from the middle of both, and the
        percentages in which the middle, and each of the two where it is trusted, is within 1.96 errors of it.
    """
    data = summaries["sandwich"].to_dataset().reindex(side=["below", "above", "between"])
    below, above, between = (data.sel(side=side) for side in data.side.values)
    width = above.log_evidence - below.log_evidence
    error = xr.ufuncs.sqrt(above.standard_error**2 + below.standard_error**2)
    doubted = ((above.doubt > 0) | (below.doubt > 0)).where(width.notnull())
    trusted = width.where(doubted == 0)
    apart = (between.log_evidence - (above.log_evidence + below.log_evidence) / 2).where(between.doubt == 0)
    apart_error = xr.ufuncs.sqrt(between.standard_error**2 + error**2 / 4)
    columns = {
        "draws": width.count("replicate"),
        "median width (nats)": width.median("replicate"),
        "5th percentile (nats)": width.quantile(0.05, "replicate"),
        "95th percentile (nats)": width.quantile(0.95, "replicate"),
        "doubted (%)": 100 * doubted.mean("replicate"),
        "within 1.96 errors (%)": _percent(abs(width) <= NORMAL * error, trusted),
        "bridge trusted": apart.count("replicate"),
        "bridge from the middle, median (nats)": abs(apart).median("replicate"),
        "bridge within 1.96 errors (%)": _percent(abs(apart) <= NORMAL * apart_error, apart),
        "lower within 1.96 errors of the bridge (%)": _near(below, between),
        "upper within 1.96 errors of the bridge (%)": _near(above, between),
    }
    return pd.DataFrame(
        {name: column.values.round(3) for name, column in columns.items()}, data.indexes["n"]
    ).reset_index()


def _near(side: xr.Dataset, bridge: xr.Dataset) -> xr.DataArray:
    apart = (side.log_evidence - bridge.log_evidence).where((side.doubt == 0) & (bridge.doubt == 0))
    return _percent(abs(apart) <= NORMAL * xr.ufuncs.hypot(side.standard_error, bridge.standard_error), apart)


def _percent(holds: xr.DataArray, of: xr.DataArray) -> xr.DataArray:
    return 100 * holds.where(of.notnull()).mean("replicate")
