"""How much of Table 3 of [BealGhahramani2006] is the draw of its data; its remedy, and a reading, on prior draws."""

import numpy as np
import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.beal_ghahramani_2006.table_3 import TABLE_3_COLUMNS
from ockham.papers.published import read_published
from ockham.summaries.over_replicates import prior_draws

__all__ = ["remedy_draws", "table_3_draws", "table_3_reading"]

FURTHER, REMEDY = "further_draws", "remedy"
"""Role of the runs on further draws, and the condition of those with the remedy."""
AIS, VB = "annealed_importance_sampling", "variational_bayes"
COMPARED = {AIS: "AIS", f"{AIS}_ais_scaled": "AIS with the remedy", VB: "VB"}


def table_3_draws(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """AIS below the variational bound, and its rejection rate, over draws of the data from the published parameters.

    Parameters
    ----------
    summaries : xarray.DataTree
        Of conditions that are a draw of the data each, as ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per quantity of Table 3 and data set size, in percent: the number of draws, the mean over them, the
        lowest and the highest, the printed value, and whether that is between these two.
    """
    published = read_published(paper, "numbers/table_3.csv").set_index("n")
    draws = [found for group in summaries.children.values() if (found := _quantities(group)) is not None]
    together = xr.concat(draws, "draw")
    rows = []
    for name in map(str, together.data_vars):
        for n, printed in published[name].reindex(together.indexes["n"]).items():
            values = together[name].sel(n=n).values
            lowest, highest = values.min().round(1), values.max().round(1)  # as precise as what is printed
            rows.append({
                "quantity": _heading(name), "n": n, "draws": len(values), "mean": values.mean(),
                "lowest": lowest, "highest": highest, "paper": printed,
                "paper in the range": "yes" if lowest <= printed <= highest else "no",
            })  # fmt: skip
    return pd.DataFrame(rows).round(1)


def remedy_draws(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Single runs of AIS with the constant strength and with the paper's remedy, on draws of the prior, beside VB.

    Parameters
    ----------
    summaries : xarray.DataTree
        Of which the condition ``remedy`` is shown, as ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size and score: the number of draws; of AIS the percentage of all structures' scores that
        are below the variational bound, without its correction for aliases (*) and with it; the percentage of the draws
        in which the true structure is on top, and the median of its rank.
    """
    group = summaries[REMEDY]
    values = group["best"].to_dataset().log_evidence
    ranks = group["ranks"]["rank"].sel(alias_correction="log_aliases")
    rows = []
    for n in values.indexes["n"]:
        for score, label in COMPARED.items():
            rank = ranks.sel(score=score, n=n).dropna("replicate")
            row = {"n": n, "score": label, "draws": rank.sizes["replicate"]}
            for heading, correction in (("below VB* (%)", "none"), ("below VB (%)", "log_aliases")):
                below = _below_bound(values.sel(alias_correction=correction, n=n), score)
                row[heading] = np.nan if score == VB else below
            rows.append(
                row
                | {
                    "true structure on top (%)": 100 * float((rank == 1).mean()),
                    "median rank": float(rank.median()),
                }
            )
    return pd.DataFrame(rows).round(1)


def table_3_reading(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Single runs of AIS below the variational bound on draws of the prior, of the true structure, beside Table 3.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size of the paper's table: the number of draws and, in percent of them, how many scores of
        the true structure are below the bound, without its correction for aliases (*) and with it, each beside the
        printed percentage of the row that would be this.
    """
    published = read_published(paper, "numbers/table_3.csv").set_index("n")
    values = prior_draws(summaries["best"].to_dataset().log_evidence)
    values = values.sel(structure=summaries.attrs["true_structure"])
    rows = []
    for n in published.index.intersection(values.indexes["n"]):
        row = {"n": n, "draws": int(values.sel(score=AIS, alias_correction="none", n=n).count())}
        for name in ("ais_1_below_vb_uncorrected", "ais_1_below_vb"):
            heading, _, correction = TABLE_3_COLUMNS[name]
            row[heading] = _below_bound(values.sel(alias_correction=correction, n=n), AIS)
            row[f"{heading} (paper)"] = published[name][n]
        rows.append(row)
    return pd.DataFrame(rows).round(1)


def _below_bound(values: xr.DataArray, score: str) -> float:
    """Percentage of the values of a score that are below those of the bound, where both are known."""
    bound, own = values.sel(score=VB), values.sel(score=score)
    return 100 * float((own < bound).where(own.notnull() & bound.notnull()).mean())


def _quantities(group: xr.DataTree) -> xr.Dataset | None:
    """Those of Table 3 over n, in percent, by the names of the paper's file; None for another condition."""
    data = group["annealing"].to_dataset()
    if "role" not in data or FURTHER not in data.role:
        return None
    data = data.isel(group=(data.role == FURTHER).values).isel(group=0, drop=True)
    below = {
        name: 100 * data.below_vb.sel(batch_size=size, alias_correction=correction, drop=True)
        for name, (_, size, correction) in TABLE_3_COLUMNS.items()
    }
    return xr.Dataset(below | {"rejected": 100 * (1 - data.acceptance)}).drop_attrs()


def _heading(name: str) -> str:
    return TABLE_3_COLUMNS[name][0] if name in TABLE_3_COLUMNS else "rejected (%)"
