"""Laplace's method beside VB and Cheeseman-Stutz, at the parameters of [BealGhahramani2006]."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.summaries.best import values_of

__all__ = ["laplace_check"]

LAPLACE = {
    "Laplace": "laplace",
    "Block": "laplace_block",
    "Diagonal": "laplace_diagonal",
    "CS": "cheeseman_stutz",
    "VB": "variational_bayes",
}
"""How the table of Laplace's method calls the scores that it compares."""


def laplace_check(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Laplace's method and its relatives beside Cheeseman-Stutz and VB, at the published parameters.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size: how many structures have a Laplace score, and for every score, corrected for aliases,
        the rank of the true structure among those that have it, and the median distance from the bridges that are to be
        trusted over them in nats; and the percentages of the structures whose Laplace score and whose bridge is not.
    """
    data = summaries["best"].to_dataset().sel(replicate=0)
    scores = values_of(data.log_evidence)
    trusted = data.doubt.sel(score="bridge_sampling") == 0
    bridge = scores.sel(score="bridge_sampling", alias_correction="none").where(trusted)
    corrected = scores.sel(alias_correction="log_aliases").reindex(score=list(LAPLACE.values()))
    known = corrected.notnull()
    columns = {"with a Laplace score": known.sel(score="laplace").sum("structure")}
    true = corrected.sel(structure=data.attrs["true_structure"])
    ranks = (1 + (corrected > true).sum("structure")).where(true.notnull())
    apart = abs(corrected - bridge).median("structure")
    columns |= {f"rank by {name}": ranks.sel(score=score) for name, score in LAPLACE.items()}
    columns |= {f"{name} from bridge": apart.sel(score=score).round(2) for name, score in LAPLACE.items()}
    doubted = summaries["ranks"]["fraction_doubted"].sel(replicate=0)
    for name, score in (("Laplace", "laplace"), ("bridge", "bridge_sampling")):
        columns[f"{name} doubted (%)"] = 100 * doubted.reindex(score=[score]).isel(score=0).round(3)
    return pd.DataFrame({name: column.values for name, column in columns.items()}, data.indexes["n"]).reset_index()
