"""Every evidence with its error and what speaks against it, and what the scores cost."""

from math import nan

import pandas as pd
import xarray as xr

from ockham.contracts import Doubt, Paper
from ockham.summaries.best import values_of
from ockham.summaries.posteriors import posterior

__all__ = ["cost", "evidences"]


def evidences(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """A row for each replicate, size, structure and score.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper
        Has no numbers.

    Returns
    -------
    pandas.DataFrame
        Columns ``replicate``, ``n``, ``structure``, ``score``, ``log evidence`` and ``standard error`` in nats, the
        ``rank`` among the structures, 1 the highest and blank unless each has this score, ``probability``, the
        posterior one, and ``doubt``: why the score is not to be trusted. Then all these are blank, and the evidence is
        ``at least`` the highest of the lower bounds that scores have proven, nats.
    """
    best = summaries["best"].to_dataset()
    trusted = best.doubt == 0
    values = best.log_evidence.sel(alias_correction="log_aliases", drop=True).where(trusted)
    proven = best.log_evidence.sel(alias_correction="none", drop=True).where(best.bound == "lower").max("score")
    columns = {
        "log evidence": values, "standard error": best.standard_error.where(trusted), "probability": posterior(values),
        "at least": proven.where(~trusted), "doubt": best.doubt,
    }  # fmt: skip
    order = ["replicate", "n", "structure", "score"]
    plain = {name: values_of(data) for name, data in columns.items()}
    frame = xr.Dataset(plain).to_dataframe(dim_order=order).reset_index()
    among = frame.groupby(["replicate", "n", "score"])["log evidence"]
    complete = among.transform("count") == among.transform("size")
    frame.insert(6, "rank", among.rank("min", ascending=False).where(complete).astype("Int64"))
    frame = frame[frame["log evidence"].notna() | (frame["doubt"] != 0)].reset_index(drop=True)
    frame["doubt"] = ["; ".join(Doubt(int(flags)).reasons) for flags in frame["doubt"]]
    return frame


def cost(jobs: pd.DataFrame, paper: Paper) -> pd.DataFrame:
    """CPU time of each entry of the scorers.

    Parameters
    ----------
    jobs : pandas.DataFrame
        A row for each job, as ``studies.costs.jobs`` returns it.
    paper : Paper
        Has no numbers.

    Returns
    -------
    pandas.DataFrame
        Columns ``scorer``, ``jobs``, ``cells``, those that the jobs computed, ``CPU time (s)`` and ``CPU time of a
        cell (s)``; blank where it is not known how many, or there were none.
    """
    rows = []
    for entry, of in jobs.groupby("entry", sort=False):
        n_cells, seconds = of["computed"].sum(skipna=False), float(of["cpu_time"].sum())
        rows.append((entry, len(of), n_cells, seconds, seconds / n_cells if n_cells else nan))
    frame = pd.DataFrame(rows, columns=["scorer", "jobs", "cells", "CPU time (s)", "CPU time of a cell (s)"])
    return frame.astype({"cells": "Int64"})
