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
        One row per data set size: over draws of the prior, the percentage in which one of the two estimates says of
        itself that it is not to be trusted; over all draws, which says how wide both are whether trusted or not, and
        over the others, the median of the distance of the two; over these others, the median, the 5th and the 95th
        percentile of the upper one minus the lower one, in nats, and the percentage in which the 95 % interval of this
        difference has 0; in how many of them bridge sampling is trusted too, the median of its distance from the middle
        of both, and the percentage in which that of its difference from the middle has; and the percentages in which
        that from each of the two has, where it is trusted.
    """
    data = summaries["sandwich"].to_dataset().reindex(side=["below", "above", "between"])
    below, above, between = (data.sel(side=side) for side in data.side.values)
    bridge = between.where(between.doubt == 0)
    all_of = _sum(above, below, -1.0)
    doubted = ((above.doubt > 0) | (below.doubt > 0)).where(all_of.log_evidence.notnull())
    both, middle = (of.where(doubted == 0) for of in (all_of, _sum(above, below)))
    apart = _sum(bridge, middle, -0.5)
    columns = {
        "draws": all_of.log_evidence.count("replicate"),
        "doubted (%)": 100 * doubted.mean("replicate"),
        "median distance, all (nats)": abs(all_of.log_evidence).median("replicate"),
        "median distance (nats)": abs(both.log_evidence).median("replicate"),
        "median difference (nats)": both.log_evidence.median("replicate"),
        "5th percentile (nats)": both.log_evidence.quantile(0.05, "replicate"),
        "95th percentile (nats)": both.log_evidence.quantile(0.95, "replicate"),
        "interval has 0 (%)": _covered(both),
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
