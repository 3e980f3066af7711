"""Noise of the Candidate method with other chains and points; sections 3.4 and 4.4 of [ChickeringHeckerman1997]."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chickering_heckerman_1997.selections import STANDARD, of_role

__all__ = ["CHAINS", "chains"]

CHAINS = {
    "": "as in the study",
    "short_chain": "100 sweeps",
    "long_selection": "800 to choose",
    "uniform_start": "uniform start",
    "map_point": "at the MAP",
}
"""The role of an entry, and what is other there."""


def chains(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How far runs of the Candidate method are apart, by the chain and the point, and how many sweeps make its mean.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition with such chains and n: the median range of the runs over data sets and models of two and
        more classes, nats, for each chain; the percentage of these whose range is larger than with 800 sweeps to choose
        the completion; and the median effective sample size of a run, in sweeps, at the completion and at the MAP.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = summaries[condition].to_dataset()
        if not set(CHAINS) <= set(data.role.values):
            continue
        data = data.sel(structure=data.n_hidden_configurations > 1)
        for n in data.n.values:
            of = {role: of_role(data.sel(n=n), STANDARD, role) for role in CHAINS}
            row: dict[str, str | float] = {"condition": condition, "n": int(n)}
            row |= {label: round(float(of[role].run_range.median()), 2) for role, label in CHAINS.items()}
            row["above 800 (%)"] = round(100 * float((of[""].run_range > of["long_selection"].run_range).mean()), 1)
            for role, label in (("", "effective at completion"), ("map_point", "effective at MAP")):
                row[label] = round(float((of[role].effective_sample_size / of[role].n_runs).median()), 1)
            rows.append(row)
    return pd.DataFrame(rows)
