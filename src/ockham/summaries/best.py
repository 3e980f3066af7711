"""The score of each structure from its independent runs, with and without the alias correction."""

import numpy as np
import xarray as xr
from scipy.special import logsumexp

__all__ = ["best", "scores_in"]


def best(scores: xr.DataTree) -> xr.Dataset:
    """The highest score over restarts, as estimated and with ln S, the log number of aliases, added.

    Parameters
    ----------
    scores : xarray.DataTree
        The store of scores, as in ``summarise``.

    Returns
    -------
    xarray.Dataset
        ``log_evidence`` over (score, alias_correction, replicate, n, structure), in nats, the grid being the union
        of the groups' grids. NaN where no run has the score. ``alias_correction`` is ``none`` or ``log_aliases``; a
        score that does not describe one mode of the posterior is the same under both. ``n_parameters`` over
        (structure,), and the attribute ``true_structure``.

    Notes
    -----
    A score whose attribute ``over_runs`` is ``mean`` is an unbiased estimate of the evidence itself, such as
    annealed importance sampling: its runs are averaged as evidence, not maximised.
    """
    root = scores.to_dataset()
    variables = {name: score for group in scores.children.values() for name, score in scores_in(group).items()}
    log_evidence = xr.concat(
        [_over_runs(score).rename("log_evidence") for score in variables.values()],
        dim="score",
        join="outer",
        coords="minimal",
        compat="override",
        combine_attrs="drop",
    )
    log_evidence = log_evidence.assign_coords(
        score=list(variables),
        score_name=("score", [score.attrs["long_name"] for score in variables.values()]),
        bound=("score", [score.attrs["bound"] for score in variables.values()]),
    )
    local = xr.DataArray([float(score.attrs["local"]) for score in variables.values()], dims="score")
    corrected = xr.DataArray([0.0, 1.0], coords={"alias_correction": ["none", "log_aliases"]})
    log_evidence = log_evidence + local * corrected * root.log_aliases
    log_evidence.attrs = {"long_name": "log evidence over runs", "units": "nats"}
    return xr.Dataset(
        {
            "log_evidence": log_evidence.transpose("score", "alias_correction", "replicate", "n", "structure"),
            "n_parameters": root.n_parameters.assign_attrs(long_name="number of parameters", units="1"),
        },
        attrs={"true_structure": root.attrs["true_structure"]},
    )


def scores_in(group: xr.DataTree) -> dict[str, xr.DataArray]:
    """The variables of a group that estimate the log evidence, by name: in nats, with a stated bound."""
    variables = group.to_dataset().data_vars
    return {name: v for name, v in variables.items() if v.attrs.get("units") == "nats" and "bound" in v.attrs}


def _over_runs(score: xr.DataArray) -> xr.DataArray:
    """One value from the runs that have one: the highest, or the log of the mean evidence."""
    if score.attrs.get("over_runs", "max") == "max":
        return score.max("run")
    total = xr.apply_ufunc(logsumexp, score.fillna(-float("inf")), input_core_dims=[["run"]], kwargs={"axis": -1})
    n_runs = score.notnull().sum("run")
    return (total - np.log(n_runs.where(n_runs > 0))).where(n_runs > 0)
