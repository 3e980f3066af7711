"""Log evidences and lower bounds by samplers of node orders, beside what [NiinimakiKoivisto2013] says of them."""

from math import nan

import numpy as np
import pandas as pd
import xarray as xr

from ockham.contracts import Doubt, Paper
from ockham.estimation.wording import CONFIDENCE, error_in_words, in_words
from ockham.papers.niinimaki_koivisto_2013.samplers import entries_of, middle_length
from ockham.papers.published import read_published

__all__ = ["evidence"]


def evidence(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """What annealed importance sampling of the middle length ends with, and what the paper says of its lower bound.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        A row for each condition and prior. The log evidence is from all samples of all runs, nats, with its standard
        error and effective sample size; one that is not to be trusted is said as what it is above. ``bound below`` says
        how far the median lower bound of a run is below the exact value, or else below the median estimate of a run,
        nats; ``all runs: bound below`` the same of the bound from the samples of all runs.
    """
    published = read_published(paper, "numbers/lower_bounds.csv")
    published = published.set_index(["condition", "prior"])
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = entries_of(summaries, condition)
        entry = middle_length(data)
        for prior in data.prior.values:
            if not entry or bool(data.pooled_log_evidence.sel(scorer=entry, prior=prior).isnull()):
                continue
            chosen = data.sel(scorer=entry, prior=prior)
            doubt = Doubt(int(chosen.doubt))
            end = chosen[["log_evidence", "lower_bound"]].isel(fraction=-1).median("run")
            exact = float(chosen.exact_log_evidence)
            reference = exact if np.isfinite(exact) else float(end.log_evidence)
            known = (condition, prior) in published.index
            said = published.loc[(condition, prior)] if known else pd.Series({"factor": np.nan, "least": np.nan})
            rows.append(
                {
                    "condition": condition,
                    "prior": prior,
                    "log evidence": in_words(
                        float(chosen.pooled_log_evidence), nan, doubt, float(chosen.at_least), probability=CONFIDENCE
                    ),
                    "standard error": None if doubt else float(error_in_words(float(chosen.standard_error))),
                    "effective samples": round(float(chosen.effective_sample_size), 1),
                    "of": int(chosen.n_samples),
                    "exact": round(exact, 2) if np.isfinite(exact) else None,
                    "bound below": round(reference - float(end.lower_bound), 2),
                    "all runs: bound below": round(reference - float(chosen.pooled_lower_bound), 2),
                    "bound below (paper)": round(float(np.log(said["factor"])), 2)
                    if np.isfinite(said["factor"])
                    else said["least"],
                }
            )
    return pd.DataFrame(rows).astype({"exact": "Float64", "bound below (paper)": "Float64"})
