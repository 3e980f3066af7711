"""The Candidate method beside bridge sampling and the exact evidence, at the parameters of [BealGhahramani2006]."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.summaries.best import values_of

__all__ = ["candidate_check"]


def candidate_check(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """The Candidate method beside bridge sampling and the exact evidence, at the published parameters.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size: over structures, the percentage of each method's scores that is not to be trusted,
        the median standard errors of the others that are not exact, the median and the largest distance of Candidate
        from the bridges that are to be trusted, and the largest distance of each from the exact value where that is
        known; nats.
    """
    data = summaries["best"].to_dataset().sel(replicate=0, alias_correction="none")
    names = ["candidate", "bridge_sampling", "exact"]
    values = values_of(data.log_evidence).reindex(score=names)
    doubted = (data.doubt.reindex(score=names) != 0) & values.notnull()
    errors = data.standard_error.reindex(score=names).where(~doubted)
    errors = errors.where(errors > 0)  # nothing hidden, or nothing to sample
    percent = 100 * doubted.where(values.notnull()).mean("structure")
    candidate, bridge, exact = (values.sel(score=name) for name in names)
    apart = abs(candidate - bridge.where(~doubted.sel(score=names[1])))
    columns = {
        "Candidate doubted (%)": percent.sel(score=names[0]),
        "bridge doubted (%)": percent.sel(score=names[1]),
        "standard error of Candidate": errors.sel(score=names[0]).median("structure"),
        "standard error of bridge": errors.sel(score=names[1]).median("structure"),
        "median distance": apart.median("structure"),
        "largest distance": apart.max("structure"),
        "Candidate from exact": abs(candidate - exact).max("structure"),
        "bridge from exact": abs(bridge - exact).max("structure"),
    }
    return pd.DataFrame(
        {name: column.values.round(2) for name, column in columns.items()}, data.indexes["n"]
    ).reset_index()
