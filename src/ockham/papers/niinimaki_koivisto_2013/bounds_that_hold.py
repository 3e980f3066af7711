"""How often lower bounds of the log evidence hold; section 3.4 of [NiinimakiKoivisto2013]."""

import numpy as np
import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.niinimaki_koivisto_2013.samplers import entries_of, name_of

__all__ = ["BOUNDED", "bounds_that_hold"]

BOUNDED = "bounded"
"""The role of entries with many short runs."""


def bounds_that_hold(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Of how many runs the lower bound at 95 % is below the exact log evidence.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        A row for each condition, prior and sampler of which the exact value and bounds are known. ``samples`` are those
        of a run; ``below`` is how far the median bound is below the exact value, ``least below`` the bound of the run
        where it is least, nats.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = entries_of(summaries, condition, BOUNDED).isel(fraction=-1)
        for prior in data.prior.values:
            for entry in data.scorer.values:
                found = data.sel(prior=prior, scorer=entry)
                below = (found.exact_log_evidence - found.lower_bound).dropna("run").values
                if not len(below):
                    continue
                row = {"condition": condition, "prior": str(prior), "sampler": name_of(found), "runs": len(below)}
                row |= {"samples": int(found.n_samples) // len(below), "hold": int((below >= 0).sum())}
                row |= {"hold (%)": 100 * (below >= 0).mean(), "below": np.median(below), "least below": below.min()}
                rows.append(row)
    return pd.DataFrame(rows).round(2)
