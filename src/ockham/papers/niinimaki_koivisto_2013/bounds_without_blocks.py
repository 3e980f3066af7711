"""Upper bounds of the log evidence without exact sums over blocks; section 4 of [NiinimakiKoivisto2013]."""

import numpy as np
import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.niinimaki_koivisto_2013.samplers import entries_of, middle_length

__all__ = ["bounds_without_blocks"]


def bounds_without_blocks(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """The upper bound by blocks of one node each, between which cycles are not forbidden, beside the lower bound.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        A row for each condition and prior with both bounds; nats. ``lower`` is the median bound at 95 % of a timed run
        of annealed importance sampling of the middle length, ``between`` the difference.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = entries_of(summaries, condition, "timed")
        if not (entry := middle_length(data)):
            continue
        for prior in data.prior.values:
            found = data.sel(prior=prior, scorer=entry).isel(fraction=-1)
            lower, upper = float(found.lower_bound.median("run")), float(found.upper_bound)
            if np.isfinite(upper):
                row = {"condition": condition, "prior": str(prior), "lower": lower, "upper": upper}
                rows.append(row | {"between": upper - lower})
    return pd.DataFrame(rows).round(2)
