"""What figures of [NiinimakiKoivisto2013] draw, as numbers."""

from math import nan

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.niinimaki_koivisto_2013.samplers import EXACT, entries_of, name_of, reference

__all__ = ["extension_times", "samplers_at_the_end"]

SHORT = {"after a hundredth": 0.01, "after a tenth": 0.1}
"""Parts of a run after which it is looked at as well."""
UNCORRECTED = "orders"
"""The prior that orders are drawn under."""


def samplers_at_the_end(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Where the curves of Figures 2 and 3 end, and where they are before; medians over runs.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition, prior and sampler. ``from reference`` is the log evidence minus the exact value or, where
        that is not known, minus the median over samplers; ``after a hundredth`` and ``after a tenth`` of the run the
        same there, each with a ? where the evidence from all runs is not to be trusted; ``reference`` says which. Of a
        sampler without others that is its own end, and the first is missing.
        ``spread`` is the standard deviation over runs; nats. ``largest error of an arc`` where exact values are known.
        Under another prior than the order-modular one, which correction is for, how many ``times the spread`` it has,
        and how much ``more by correction`` the errors of arcs are, of the same runs: mean, and its standard error as
        ``error of that``.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = entries_of(summaries, condition)
        for prior in data.prior.values:
            found = data.sel(prior=prior)
            columns = {"from reference": -1} | {
                name: int(abs(found.fraction - part).argmin("fraction")) for name, part in SHORT.items()
            }
            ends = found.log_evidence.isel(fraction=-1)
            zero, what = reference(found)
            entries = found.scorer.values[ends.notnull().any("run").values]
            alone = what != EXACT and len(entries) == 1
            for entry in entries:
                runs = found.sel(scorer=entry)
                row = {"condition": condition, "prior": str(prior), "sampler": name_of(runs)}
                for column, at in columns.items():
                    apart = round(float(runs.log_evidence.isel(fraction=at).median("run")) - zero, 3)
                    row[column] = f"{apart} ?" if int(runs.doubt) else apart
                if alone:
                    row["from reference"] = nan
                row["reference"] = "its own end" if alone else what
                row["spread"] = float(ends.sel(scorer=entry).std("run", ddof=1))
                errors = runs.arc_error.isel(fraction=-1)
                row["largest error of an arc"] = float(errors.median("run")) if errors.notnull().any() else nan
                row |= _by_correction(data.isel(fraction=-1).sel(scorer=entry), prior)
                rows.append(row)
    return pd.DataFrame(rows).round(3)


def _by_correction(runs: xr.Dataset, prior: str) -> dict[str, float]:
    """What correction to a prior does to the spread of runs, and to their errors of arcs."""
    if prior == UNCORRECTED:
        return {"times the spread": nan, "more by correction": nan, "error of that": nan}
    corrected, without = runs.sel(prior=prior), runs.sel(prior=UNCORRECTED)
    more = corrected.arc_error - without.arc_error
    return {
        "times the spread": float(corrected.log_evidence.std("run", ddof=1) / without.log_evidence.std("run", ddof=1)),
        "more by correction": float(more.mean("run", skipna=False)),
        "error of that": float(more.std("run", ddof=1)) / more.sizes["run"] ** 0.5,
    }


def extension_times(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Figure 1 as numbers: CPU seconds of counting linear extensions, and what a table of all ideals takes.

    Parameters
    ----------
    summaries : xarray.DataTree
        With the group ``linear_extensions``.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per largest indegree and number of nodes: mean and largest time over graphs, and the graphs that were
        counted; the same, of a table of all ideals, which is the paper's method; its memory for the largest graph, and
        the part of all sets of nodes that are ideals there.
    """
    data = summaries["linear_extensions"].to_dataset()
    parts = {
        **_times(data.seconds, ""),
        **_times(data.table_seconds, "table: "),
        "table: largest (GB)": (data.table_bytes.max("graph") / 1e9).round(4),
        "ideals of all sets": data.n_ideals.max("graph") / 2.0**data.n,
    }
    frame = xr.Dataset(parts).to_dataframe(dim_order=["max_indegree", "n"]).reset_index()
    frame["ideals of all sets"] = [float(f"{part:.3g}") for part in frame["ideals of all sets"]]
    return frame.rename(columns={"max_indegree": "indegree", "n": "nodes"})


def _times(seconds: xr.DataArray, method: str) -> dict[str, xr.DataArray]:
    return {
        f"{method}mean (s)": seconds.mean("graph", skipna=False).round(4),
        f"{method}largest (s)": seconds.max("graph").round(4),
        f"{method}counted": seconds.notnull().sum("graph"),
    }
