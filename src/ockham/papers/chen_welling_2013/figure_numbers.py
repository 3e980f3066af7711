"""What figures of [ChenWelling2013] draw, as numbers."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chen_welling_2013.scores import SCORES

__all__ = ["doubted_scores", "held_out", "posterior_distances", "units_selected"]


def units_selected(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Figure 2 as numbers: hidden units selected, over instances.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per score and N: ``mean``, standard ``deviation``, ``standard error`` of the mean, number of
        ``instances``, and the percentage that has more than the five units of the truth.
    """
    rows = []
    data = summaries["simulated"].to_dataset()
    for score in ("laplace", "cross_validation"):
        for n in data.n.values:
            chosen = data.selected.sel(score=score, n=n).dropna("replicate")
            if chosen.size > 1:
                deviation = float(chosen.std(ddof=1))
                rows.append({
                    "score": SCORES[score].label, "N": int(n), "mean": float(chosen.mean()), "deviation": deviation,
                    "standard error": deviation / chosen.size**0.5, "instances": chosen.size,
                    "above 5 (%)": 100 * float((chosen > 5).mean()),
                })  # fmt: skip
    return pd.DataFrame(rows).round(3)


def held_out(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Figure 8, and the lower panel of Figure 1, as numbers: log likelihood per held-out row of the first instance.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition, N and K: mean over folds, which are few, their standard deviation, and the mean minus
        that of the best K.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = summaries[condition].to_dataset().isel(replicate=0)
        if "held_out_mean" not in data:
            continue
        for n in data.n.values:
            means = data.held_out_mean.sel(n=n)
            for structure in means.dropna("structure").structure.values:
                at = data.sel(n=n, structure=structure)
                rows.append({
                    "condition": condition, "N": int(n), "K": int(at.n_hidden), "mean": float(at.held_out_mean),
                    "deviation": float(at.held_out_deviation), "from best": float(at.held_out_mean - means.max()),
                })  # fmt: skip
    return pd.DataFrame(rows).round(4)


def posterior_distances(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Figure 5 as numbers: how far posterior densities are from those of the exact Hamiltonian sampler.

    Parameters
    ----------
    summaries : xarray.DataTree
        With the group ``posterior_histograms``.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per parameter: the total variation distance of ``Langevin`` and of ``Laplace``, between 0 and 1.
    """
    data = summaries["posterior_histograms"].to_dataset()
    width = data.value.diff("bin").mean("bin")
    apart = 0.5 * width * abs(data.density - data.density.sel(distribution="hamiltonian")).sum("bin")
    return pd.DataFrame({
        "parameter": data.parameter.values,
        "Langevin": apart.sel(distribution="langevin").values.round(3),
        "Laplace": apart.sel(distribution="laplace").values.round(3),
    })  # fmt: skip


def doubted_scores(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How many of the values that figures draw are not to be trusted, such as those of chains that have not converged.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition: the percentage of each score's values.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = summaries[condition].to_dataset()
        row: dict[str, str | float] = {"condition": condition}
        for score, style in SCORES.items():
            if score in data.score:
                at = data.sel(score=score)
                row[style.label] = round(100 * float((at.doubt > 0).where(at.log_evidence.notnull()).mean()), 1)
        rows.append(row)
    return pd.DataFrame(rows)
