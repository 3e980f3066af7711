"""What the text of [BealGhahramani2006] says of annealed importance sampling, where no table or figure of it has it."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.beal_ghahramani_2006.table_3 import TABLE_3_COLUMNS
from ockham.papers.published import read_published

__all__ = ["acceptance_by_doubling", "schedule_shapes", "table_3_smaller"]

AIS, VB = "annealed_importance_sampling", "variational_bayes"
OF_CURVATURE = f"{AIS}_ais_curvature_"
"""How the scores of schedules of some curvature are called."""


def table_3_smaller(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """AIS below the variational bound at the sizes that the first column of Table 3 stands for, in percent.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size, with the quantities of Table 3 but rejections.
    """
    below = _annealing(summaries, "smaller_sizes").below_vb
    columns = {
        heading: 100 * below.sel(batch_size=size, alias_correction=correction).to_series()
        for heading, size, correction in TABLE_3_COLUMNS.values()
    }
    return pd.DataFrame(columns).dropna(how="all").round(1).reset_index()


def acceptance_by_doubling(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """By how much fewer proposals are accepted with twice the data, from the second data set size on.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it, with sizes of the role ``doubled_sizes`` of which each is twice the one before.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size: the drop from half of it, in percent of the proposals, that of the paper's Table 3,
        and each over the mean of its column, all 1 where the drop is linear in ln n.
    """
    published = read_published(paper, "numbers/table_3.csv").set_index("n")["rejected"]
    accepted = _annealing(summaries, "doubled_sizes").acceptance.to_series().dropna()
    drops = {"drop (%)": -100 * accepted.diff(), "drop (%) (paper)": published.reindex(accepted.index).diff()}
    frame = pd.DataFrame(drops).iloc[1:]
    for name in ("over the mean", "over the mean (paper)"):
        values = frame[name.replace("over the mean", "drop (%)")]
        frame[name] = (values / values.mean()).round(2)
    return frame.round(dict.fromkeys(drops, 1)).rename_axis("n").reset_index()


def schedule_shapes(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How far a run of AIS is above the variational bound, by the curvature of its schedule.

    A run that lags behind its schedule is too low: the log weight of a run from the prior is below the log evidence, on
    average, by what its path is away from equilibrium, in nats.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size: for every curvature e_tau, and for the schedule that is a line, the mean over
        structures of the log weight of a run minus the bound without its correction for aliases, nats.
    """
    values = summaries["best"].to_dataset().log_evidence.sel(replicate=0, alias_correction="none")
    columns = {}
    for score in values.score.values:
        if score.startswith(OF_CURVATURE):
            curvature = score.removeprefix(OF_CURVATURE).replace("_", ".")
            above = values.sel(score=score) - values.sel(score=VB)
            heading = curvature if curvature == "linear" else f"e_tau {curvature}"
            columns[heading] = above.mean("structure").to_series()
    return pd.DataFrame(columns).dropna(how="all").round(1).reset_index()


def _annealing(summaries: xr.DataTree, role: str) -> xr.Dataset:
    """How the entry of a role fares."""
    data = summaries["annealing"].to_dataset()
    return data.isel(group=(data.role == role).values).isel(group=0, drop=True)
