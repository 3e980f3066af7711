"""The Candidate method with the sampler of [ChickeringHeckerman1997], section 3.4, beside that with ours."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chickering_heckerman_1997.selections import STANDARD, of_role

__all__ = ["samplers"]


def samplers(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Log evidence by the Candidate method, with chains of as many sweeps by two samplers.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set and number of classes from two on, nats: ours, which draws the classes given the parameters
        and these given the classes; the paper's, which draws the class of one case after another given those of all
        others, minus it; the ranges of the runs of both; and a question mark for each that is not to be trusted.
    """
    data = summaries["collapsed"].to_dataset().isel(n=0).sel(alias_correction="log_aliases")
    ours, theirs = (of_role(data, STANDARD, role) for role in ("", "collapsed_sampler"))
    rows = []
    for replicate in data.replicate.values:
        for structure, k in zip(data.structure.values, data.n_hidden_configurations.values, strict=True):
            if k > 1:
                here = {"replicate": replicate, "structure": structure}
                a, b = ours.sel(here), theirs.sel(here)
                rows.append(
                    {
                        "data set": int(replicate),
                        "classes": int(k),
                        "ours": round(float(a.log_evidence), 2),
                        "collapsed minus ours": round(float(b.log_evidence - a.log_evidence), 2),
                        "range": round(float(a.run_range), 2),
                        "range (collapsed)": round(float(b.run_range), 2),
                        "doubted": "?" if int(a.doubt) else "",
                        "doubted (collapsed)": "?" if int(b.doubt) else "",
                    }
                )
    return pd.DataFrame(rows)
