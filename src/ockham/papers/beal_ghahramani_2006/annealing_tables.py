"""Tables about annealed importance sampling, ours beside the paper's."""

from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr

from ockham.papers.published import read_published

__all__ = ["candidate_check", "laplace_check", "strength_calibration", "table_3"]

LAPLACE = {
    "Laplace": "laplace",
    "Block": "laplace_block",
    "Diagonal": "laplace_diagonal",
    "CS": "cheeseman_stutz",
    "VB": "variational_bayes",
}
"""How the table of Laplace's method calls the scores that it compares."""

TABLE_3_COLUMNS = {
    "ais_1_below_vb_uncorrected": ("AIS(1) < VB* (%)", 1, "none"),
    "ais_1_below_vb": ("AIS(1) < VB (%)", 1, "log_aliases"),
    "ais_5_below_vb_uncorrected": ("AIS(5) < VB* (%)", 5, "none"),
    "ais_5_below_vb": ("AIS(5) < VB (%)", 5, "log_aliases"),
}
"""The published column, its heading, and our batch size and alias correction of VB; * marks VB without it."""


def table_3(summaries: xr.DataTree, published_dir: Path) -> pd.DataFrame:
    """AIS below the variational bound, and its rejection rate, at the published parameters.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    published_dir : path
        The folder that has ``table_3.csv``.

    Returns
    -------
    pandas.DataFrame
        One row per data set size of the paper's table that the study has; the paper's first, n = 560, stands for the
        largest value up to that size, on both sides. For every quantity ours, ``... (paper)``, and ``... (scaled)``
        with the proposal that the paper recommends in section 5, which has no smaller sizes.
    """
    published = _published(published_dir)
    frame = pd.DataFrame(index=[n for n in published.index if n in summaries["best"].indexes["n"]])
    frame.index.name = "n"
    data = summaries["annealing"].to_dataset()
    for name, (heading, size, correction) in TABLE_3_COLUMNS.items():
        below = 100 * data.below_vb.sel(batch_size=size, alias_correction=correction)
        _add(frame, heading, below, published[name])
    _add(frame, "rejected (%)", 100 * (1 - data.acceptance), published["rejected"])
    return frame.round(1).reset_index()


def strength_calibration(summaries: xr.DataTree, published_dir: Path) -> pd.DataFrame:
    """Rejection rates by the strength of the proposal, against the paper's Table 3.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    published_dir : path
        The folder that has ``table_3.csv``.

    Returns
    -------
    pandas.DataFrame
        One row per strength of an entry ``ais_strength_*``, and one of the paper's numbers: rejection in percent at
        every size, and the root mean square difference from the paper over sizes, in percentage points. The rule is to
        take the strength with the smallest; ``best`` marks it.
    """
    published = _published(published_dir)["rejected"]
    data = summaries["annealing"].to_dataset()
    data = data.sel(group=[str(name).startswith("ais_strength_") for name in data.group.values])
    sizes = [n for n in published.index if n in data.indexes["n"]]
    rows = []
    for name in data.group.values:
        rejected = 100 * (1 - data.acceptance.sel(group=name, n=sizes).values)
        rows.append(
            [f"{float(data.strength.sel(group=name)):g}", *rejected.round(1), _distance(rejected, published[sizes])]
        )
    smallest = min((row[-1] for row in rows), default=np.nan)
    rows = [[*row[:-1], round(row[-1], 2), "best" if row[-1] == smallest else ""] for row in rows]
    rows.append(["paper", *published[sizes], np.nan, ""])
    return pd.DataFrame(rows, columns=["strength", *(f"n = {n}" for n in sizes), "distance", "rule"])


def candidate_check(summaries: xr.DataTree, published_dir: Path) -> pd.DataFrame:
    """The Candidate method beside AIS and the exact evidence, at the published parameters.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    published_dir : path
        Not used: the paper has no such table.

    Returns
    -------
    pandas.DataFrame
        One row per data set size: over structures, the median standard errors of both methods, the median and the
        largest distance between them, and the largest distance of each from the exact value where that is known; nats.
    """
    data = summaries["best"].to_dataset().sel(replicate=0, alias_correction="none")
    names = ["candidate", "annealed_importance_sampling", "exact"]
    values = data.log_evidence.drop_vars(["score_name", "bound"]).reindex(score=names)
    errors = data.standard_error.reindex(score=names)
    candidate, ais, exact = (values.sel(score=name) for name in names)
    apart = abs(candidate - ais)
    columns = {
        "standard error of Candidate": errors.sel(score=names[0]).median("structure"),
        "standard error of AIS": errors.sel(score=names[1]).median("structure"),
        "median distance": apart.median("structure"),
        "largest distance": apart.max("structure"),
        "Candidate from exact": abs(candidate - exact).max("structure"),
        "AIS from exact": abs(ais - exact).max("structure"),
    }
    return pd.DataFrame(
        {name: column.values.round(2) for name, column in columns.items()}, data.indexes["n"]
    ).reset_index()


def laplace_check(summaries: xr.DataTree, published_dir: Path) -> pd.DataFrame:
    """Laplace's method and its relatives beside Cheeseman-Stutz and VB, at the published parameters.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    published_dir : path
        Not used: the paper has no such table.

    Returns
    -------
    pandas.DataFrame
        One row per data set size: how many structures have a Laplace score, and for every score, corrected for aliases,
        the rank of the true structure among those that have it, and the median distance from AIS over them in nats.
    """
    data = summaries["best"].to_dataset().sel(replicate=0)
    scores = data.log_evidence.drop_vars(["score_name", "bound"])
    ais = scores.sel(alias_correction="none").reindex(score=["annealed_importance_sampling"]).isel(score=0)
    corrected = scores.sel(alias_correction="log_aliases").reindex(score=list(LAPLACE.values()))
    known = corrected.notnull()
    columns = {"with a Laplace score": known.sel(score="laplace").sum("structure")}
    true = corrected.sel(structure=data.attrs["true_structure"])
    ranks = (1 + (corrected > true).sum("structure")).where(true.notnull())
    apart = abs(corrected - ais).median("structure")
    columns |= {f"rank by {name}": ranks.sel(score=score) for name, score in LAPLACE.items()}
    columns |= {f"{name} from AIS": apart.sel(score=score).round(2) for name, score in LAPLACE.items()}
    return pd.DataFrame({name: column.values for name, column in columns.items()}, data.indexes["n"]).reset_index()


def _published(folder: Path) -> pd.DataFrame:
    return read_published(folder, "beal_ghahramani_2006", "table_3.csv").set_index("n")


def _add(frame: pd.DataFrame, heading: str, values: xr.DataArray, published: pd.Series) -> None:
    """Columns of ours, the paper's and the recommended proposal's; the first row is the largest up to its size."""
    for column, group in ((heading, "ais"), (f"{heading} (paper)", None), (f"{heading} (scaled)", "ais_scaled")):
        if group is None:
            frame[column] = published[frame.index].values
            continue
        series = values.reindex(group=[group]).isel(group=0, drop=True).to_series()
        frame[column] = series.reindex(frame.index)
        if published.index[0] in frame.index:
            frame.loc[published.index[0], column] = series[series.index <= published.index[0]].max()


def _distance(ours: np.ndarray, paper: pd.Series) -> float:
    return float(np.sqrt(np.mean((ours - paper.values) ** 2)))
