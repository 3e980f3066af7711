"""What samples of node orders cost, and how many a second brings; sections 3.2 to 4 of [NiinimakiKoivisto2013]."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.niinimaki_koivisto_2013.samplers import entries_of, name_of

__all__ = ["RECORDS", "samples_per_second", "sampling_costs"]

RECORDS = 100
"""Samples of a run of MC3 that is timed."""
WITHOUT, WITH = "orders", "graphs"
"""The prior whose CPU time is that of orders alone, and the one whose time has graphs and their counts, too."""


def sampling_costs(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """What the CPU time of a sample of annealed importance sampling goes to.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        A row for each condition and length of the schedule: milliseconds of annealing one order, of drawing its graphs,
        as entries without counts take, and of counting their linear extensions, which is the rest. ``annealing of all``
        is the first over the sum, ``counts over sampling`` the last over the sum of the others.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = entries_of(summaries, condition, "timed", "uncounted")
        data = data.isel(scorer=(data.sampler == "ais").values)
        if not data.sizes["scorer"]:
            continue
        order, graphs = (1000 * _seconds(data, prior) / data.n_samples.sel(prior=WITHOUT) for prior in (WITHOUT, WITH))
        graphs = graphs - order
        drawn = float(graphs.isel(scorer=(data.role == "uncounted").values).mean())
        for entry in data.scorer[(data.role == "timed").values].values:
            annealing, counts = float(order.sel(scorer=entry)), float(graphs.sel(scorer=entry)) - drawn
            row = {"condition": condition, "sampler": name_of(data.sel(scorer=entry))}
            row |= {"order (ms)": annealing, "graphs (ms)": drawn, "counts (ms)": counts}
            row |= {"annealing of all": annealing / (annealing + drawn + counts)}
            rows.append(row | {"counts over sampling": counts / (annealing + drawn)})
    return _rounded(pd.DataFrame(rows))


def samples_per_second(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How many samples a second of CPU time brings, graphs and counts of linear extensions with it.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        A row for each condition, a column for each sampler, from the shortest schedule to the longest.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = entries_of(summaries, condition, "timed")
        if not data.sizes["scorer"]:
            continue
        data = data.sortby(["sampler", "length"])
        row = {"condition": condition}
        for entry in data.scorer.values:
            found = data.sel(scorer=entry)
            n_samples = found.n_samples.sel(prior=WITHOUT)  # of MC3 it is the number of runs
            n_samples = n_samples * (1 if found.sampler == "ais" else RECORDS)
            row[name_of(found)] = float(n_samples / _seconds(found, WITH))
        rows.append(row)
    return _rounded(pd.DataFrame(rows))


def _seconds(data: xr.Dataset, prior: str) -> xr.DataArray:
    """CPU seconds of all runs of every entry."""
    return data.seconds.sel(prior=prior).isel(fraction=-1).sum("run")


def _rounded(frame: pd.DataFrame) -> pd.DataFrame:
    """To three digits."""
    return frame.map(lambda value: float(f"{value:.3g}") if isinstance(value, float) else value)
