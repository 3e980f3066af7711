"""What figures of [ChenWelling2013] draw, as numbers."""

from math import isnan, nan

import numpy as np
import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chen_welling_2013.cells import has_entry, of_entry
from ockham.papers.chen_welling_2013.scores import SCORES, SELECTING

__all__ = [
    "doubted_scores", "held_out", "langevin_chains", "laplace_runs", "posterior_distances", "run_deviations",
    "units_selected",
]  # fmt: skip


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
        ``instances``, the percentage that has more than the five units of the truth, and the mean over the instances
        that every score has at this N, so that scores can be compared, with their number.
    """
    rows = []
    data = summaries["simulated"].to_dataset()
    selected = {score: of_entry(data, *score).selected for score in SELECTING if has_entry(data, *score)}
    for score, values in selected.items():
        for n in data.n.values:
            chosen = values.sel(n=n).dropna("replicate")
            if chosen.size > 1:
                deviation = float(chosen.std(ddof=1))
                others = [other.sel(n=n).notnull() for other in selected.values()]
                known = np.logical_and.reduce([other for other in others if other.any()])
                common = values.sel(n=n).values[known]
                rows.append({
                    "score": SCORES[score].label, "N": int(n), "mean": float(chosen.mean()), "deviation": deviation,
                    "standard error": deviation / chosen.size**0.5, "instances": chosen.size,
                    "above 5 (%)": 100 * float((chosen > 5).mean()),
                    "mean in common": float(common.mean()) if common.size else nan, "in common": common.size,
                })  # fmt: skip
    return pd.DataFrame(rows).round(3)


def laplace_runs(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Figures 1 (a), 4 (a), 6 (a) and 7 (a) as numbers: Laplace's method over its runs.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition, N and K of the first instance, where there are several runs: their number, ``median``,
        ``mean``, standard ``deviation``, ``lowest`` and ``highest``, and the mean minus that of the best K; nats.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = summaries[condition].to_dataset().isel(replicate=0)
        role = "repeated" if has_entry(data, "laplace", "repeated") else ""
        if not has_entry(data, "laplace", role):
            continue
        found = of_entry(data, "laplace", role)
        for n in data.n.values:
            at_size = found.sel(n=n)
            for structure in at_size.structure.values[(at_size.n_runs > 1).values]:
                at = at_size.sel(structure=structure)
                rows.append({
                    "condition": condition, "N": int(n), "K": int(at.n_hidden), "runs": int(at.n_runs),
                    "median": float(at.log_evidence), "mean": float(at.run_mean), "deviation": float(at.run_deviation),
                    "lowest": float(at.run_lowest), "highest": float(at.run_highest),
                    "from best": float(at.run_mean - at_size.run_mean.max()),
                })  # fmt: skip
    return pd.DataFrame(rows).round(2)


def run_deviations(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Error bars that the paper leaves out of its figures: standard deviations of scores over runs.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition, N and K of the first instance, and a column for each score that has several runs in any;
        nats.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = summaries[condition].to_dataset().isel(replicate=0)
        known = {score: of_entry(data, *score).run_deviation for score in SCORES if has_entry(data, *score)}
        for n in data.n.values:
            for structure, units in zip(data.structure.values, data.n_hidden.values, strict=True):
                at = {
                    SCORES[score].label: float(values.sel(n=n, structure=structure)) for score, values in known.items()
                }
                if found := {label: deviation for label, deviation in at.items() if not isnan(deviation)}:
                    rows.append({"condition": condition, "N": int(n), "K": int(units)} | found)
    return _by_score(rows, ["condition", "N", "K"]).round(3)


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


def langevin_chains(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Whether the Langevin chains of Figures 4, 6 and 7 have converged; the paper asks for a factor below 1.1.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition, N and K of the first instance: the multivariate potential scale reduction factor, that of
        as many independent draws, and for each score from the chains its standard error by the draws, nats, which is
        too small where they are few.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = summaries[condition].to_dataset().isel(replicate=0)
        if not has_entry(data, "harmonic_1"):
            continue
        chains = of_entry(data, "harmonic_1")
        factors = chains.scale_reduction
        errors = {score: of_entry(data, *score).sampling_error for score in SCORES if has_entry(data, *score)}
        for n in factors.n.values:
            for structure in factors.sel(n=n).dropna("structure").structure.values:
                at = factors.sel(n=n, structure=structure)
                row = {"condition": condition, "N": int(n), "K": int(at.n_hidden), "scale reduction": float(at)}
                row["of independent draws"] = float(chains.independent_scale_reduction.sel(n=n, structure=structure))
                for score, error in errors.items():
                    if not isnan(of_score := float(error.sel(n=n, structure=structure))):
                        row[SCORES[score].label] = of_score
                rows.append(row)
    return _by_score(rows, ["condition", "N", "K", "scale reduction", "of independent draws"]).round(2)


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
            if has_entry(data, *score):
                at = of_entry(data, *score)
                row[style.label] = round(100 * float((at.doubt > 0).where(at.log_evidence.notnull()).mean()), 1)
        rows.append(row)
    return _by_score(rows, ["condition"])


def _by_score(rows: list[dict], first: list[str]) -> pd.DataFrame:
    """Rows with these columns first, then those of the scores that any of them has, in the order of legends."""
    labels = [style.label for style in SCORES.values() if any(style.label in row for row in rows)]
    return pd.DataFrame(rows, columns=[*first, *labels])
