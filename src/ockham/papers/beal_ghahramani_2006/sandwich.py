"""How far the evidence of the true structure is known, from both sides, on the prior draws of [BealGhahramani2006]."""

import numpy as np
import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.estimation.combining import freedom_of_sum
from ockham.estimation.intervals import interval

__all__ = ["sandwich"]


def sandwich(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How far the lower and the upper estimate are apart, and where bridge sampling is.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size: over draws of the prior, the median of the distance of the two estimates, and the
        median, the 5th and the 95th percentile of the upper one minus the lower one, in nats; the percentage of the
        draws in which one of them says of itself that it is not to be trusted, and of the others that in which the 95 %
        interval of their difference has 0; and of the draws in which bridge sampling is trusted, the median of its
        distance from the middle of both, and the percentages in which that of its difference from the middle, and from
        each of the two where it is trusted, has.
    """
    data = summaries["sandwich"].to_dataset().reindex(side=["below", "above", "between"])
    below, above, between = (data.sel(side=side) for side in data.side.values)
    bridge = between.where(between.doubt == 0)
    both = _sum(above, below, -1.0)
    doubted = ((above.doubt > 0) | (below.doubt > 0)).where(both.log_evidence.notnull())
    apart = _sum(bridge, _sum(above, below), -0.5)
    columns = {
        "draws": both.log_evidence.count("replicate"),
        "median distance (nats)": abs(both.log_evidence).median("replicate"),
        "median difference (nats)": both.log_evidence.median("replicate"),
        "5th percentile (nats)": both.log_evidence.quantile(0.05, "replicate"),
        "95th percentile (nats)": both.log_evidence.quantile(0.95, "replicate"),
        "doubted (%)": 100 * doubted.mean("replicate"),
        "interval has 0 (%)": _covered(both.where(doubted == 0)),
        "bridge trusted": apart.log_evidence.count("replicate"),
        "bridge from the middle, median (nats)": abs(apart.log_evidence).median("replicate"),
        "bridge, middle (%)": _covered(apart),
        "bridge, lower (%)": _covered(_sum(bridge, below.where(below.doubt == 0), -1.0)),
        "bridge, upper (%)": _covered(_sum(bridge, above.where(above.doubt == 0), -1.0)),
    }
    return pd.DataFrame(
        {name: column.values.round(3) for name, column in columns.items()}, data.indexes["n"]
    ).reset_index()


def _sum(one: xr.Dataset, other: xr.Dataset, weight: float = 1.0) -> xr.Dataset:
    """Of two independent estimates, the second times a weight, with its error and degrees of freedom."""
    variances = xr.concat([one.standard_error**2, (weight * other.standard_error) ** 2], "term")
    freedoms = xr.concat([one.degrees_of_freedom, other.degrees_of_freedom], "term").fillna(np.inf)
    freedom = xr.apply_ufunc(freedom_of_sum, variances, freedoms, input_core_dims=[["term"], ["term"]])
    return xr.Dataset({
        "log_evidence": one.log_evidence + weight * other.log_evidence,
        "standard_error": xr.ufuncs.sqrt(variances.sum("term", skipna=False)),
        "degrees_of_freedom": freedom,
    })  # fmt: skip


def _covered(difference: xr.Dataset) -> xr.DataArray:
    """Percentage of the differences, over draws, of which the 95 % interval has 0."""
    parts = difference.log_evidence, difference.standard_error, difference.degrees_of_freedom
    low, high = xr.apply_ufunc(interval, *parts, output_core_dims=[[], []])
    return 100 * ((low <= 0) & (high >= 0)).where(parts[0].notnull()).mean("replicate")
