"""Log evidences between two bounds; sections 3.4 and 4 of [NiinimakiKoivisto2013]."""

import numpy as np
import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.niinimaki_koivisto_2013.samplers import entries_of, middle_length, over_runs

__all__ = ["upper_bounds"]


def upper_bounds(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """The proven upper bound of every log evidence, beside the lower bound by annealed importance sampling.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        A row for each condition and prior; nats. ``lower`` is the median bound at 95 % of a run of the middle length,
        ``upper`` the bound of exact sums over blocks of nodes, ``between`` their difference.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = entries_of(summaries, condition)
        for prior in data.prior.values:
            chosen = data.sel(prior=prior)
            upper, entry = float(chosen.upper_bound), middle_length(data)
            if not np.isfinite(upper):
                continue
            lower, exact = np.nan, float(chosen.exact_log_evidence)
            if entry:
                lower = float(over_runs(chosen[["seconds", "lower_bound"]].sel(scorer=entry)).lower_bound[-1])
            row = {"condition": condition, "prior": str(prior), "lower": lower, "exact": exact, "upper": upper}
            rows.append(row | {"between": upper - lower})
    columns = ["condition", "prior", "lower", "exact", "upper", "between"]
    return pd.DataFrame(rows, columns=columns).round(2)
