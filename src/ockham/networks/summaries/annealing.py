"""How annealed importance sampling fares: acceptance, scores below the variational bound, length of the schedule."""

import json
from typing import cast

import numpy as np
import xarray as xr

from ockham.estimation.combining import combine
from ockham.summaries.best import has_every_structure, values_of

__all__ = ["annealing", "schedule_length"]

SCORE = "annealed_importance_sampling"
BATCH_SIZES = (1, 5)


def annealing(scores: xr.DataTree, best: xr.Dataset) -> xr.Dataset:
    """Acceptance rates and bound violations at the published parameters, for every group of AIS over all structures.

    Parameters
    ----------
    scores : xarray.DataTree
        The store of scores, as in ``summarise``.
    best : xarray.Dataset
        As ``best`` returns it.

    Returns
    -------
    xarray.Dataset
        Over (group, n), replicate 0: ``acceptance``, its mean over structures and runs, its standard deviation over
        structures ``acceptance_deviation``; ``acceptance_quarter`` over (group, n, quarter) of the schedule.
        ``below_vb`` over (group, n, batch_size, alias_correction): the fraction of structures whose AIS^(G) is below
        the variational Bayes score, averaged over the disjoint batches of G runs; NaN where there are fewer than G
        runs. ``strength`` and ``strength_per_datum`` of the proposal and ``role``, over (group,). Empty without AIS.
    """
    groups = {
        name: group.to_dataset()
        for name, group in _groups(scores).items()
        if has_every_structure(group, group.to_dataset()[SCORE]) and not group.attrs["from_truth"]
    }
    if not groups:
        return xr.Dataset()
    found = [_of_group(group.sel(replicate=0), best.sel(replicate=0)) for group in groups.values()]
    together = xr.concat(found, dim="group", join="outer", combine_attrs="override").assign_coords(group=list(groups))
    roles = [group.attrs["role"] for group in groups.values()]
    together = together.assign_coords(role=("group", roles, {"long_name": "role of the entry"}))
    settings = [json.loads(group.attrs["scorer_settings"]) for group in groups.values()]
    for name, text in (("strength", "constant part of the strength"), ("strength_per_datum", "part per n tau(k)")):
        together[name] = (
            "group",
            [np.nan if s[name] is None else float(s[name]) for s in settings],
            {"long_name": text, "units": "1"},
        )
    return together.assign_attrs(best.attrs)


def schedule_length(scores: xr.DataTree) -> xr.Dataset:
    """Log weights of the true structure against the length of the schedule.

    From the groups of the role ``schedule_length``; each must be at one size, the same for all.

    Returns
    -------
    xarray.Dataset
        ``log_weight`` over (start, n_steps, run) in nats, ``start`` being ``prior`` or ``truth``, and the scalar ``n``.
        Empty without such groups.
    """
    parts, n = [], None
    for group in _groups(scores).values():
        if group.attrs["role"] != "schedule_length":
            continue
        data = group.to_dataset()
        weights = data[SCORE].sel(structure=scores.attrs["true_structure"], drop=True).isel(replicate=0, n=0, drop=True)
        n = int(data.n[0])
        n_steps = json.loads(group.attrs["scorer_settings"])["n_steps"]
        start = "truth" if group.attrs["from_truth"] else "prior"
        parts.append(weights.rename("log_weight").expand_dims(start=[start], n_steps=[n_steps]))
    if not parts:
        return xr.Dataset()
    together = cast(xr.Dataset, xr.combine_by_coords(parts, join="outer", combine_attrs="drop_conflicts"))
    together["n"] = n
    together.log_weight.attrs = {"long_name": "log weight of a run of annealed importance sampling", "units": "nats"}
    return together


def _groups(scores: xr.DataTree) -> dict[str, xr.DataTree]:
    return {
        name: group
        for name, group in scores.children.items()
        if SCORE in group.data_vars and 0 in group.to_dataset().replicate
    }


def _of_group(group: xr.Dataset, best: xr.Dataset) -> xr.Dataset:
    quarters = xr.concat([group[f"acceptance_quarter_{q}"] for q in range(1, 5)], dim="quarter")
    mean = {"units": "1", "long_name": "fraction of proposals accepted"}
    deviation = {"units": "1", "long_name": "standard deviation over structures of the fraction accepted"}
    result = xr.Dataset(
        {
            "acceptance": group.acceptance.mean(["structure", "run"]).assign_attrs(mean),
            "acceptance_deviation": group.acceptance.mean("run").std("structure", ddof=1).assign_attrs(deviation),
            "acceptance_quarter": quarters.mean(["structure", "run"]).assign_attrs(mean),
        }
    ).assign_coords(quarter=[1, 2, 3, 4])
    bound = best.log_evidence.reindex(score=["variational_bayes"]).isel(score=0).sel(n=group.n)
    below = [_below(group[SCORE], bound, size) for size in BATCH_SIZES]
    result["below_vb"] = xr.concat(below, dim="batch_size").assign_coords(batch_size=list(BATCH_SIZES))
    result.below_vb.attrs = {"units": "1", "long_name": "fraction of structures below variational Bayes"}
    return values_of(result).drop_vars(["replicate", "score"], errors="ignore")


def _below(runs: xr.DataArray, bound: xr.DataArray, batch_size: int) -> xr.DataArray:
    """Over (n, alias_correction): how often the average of ``batch_size`` runs is below the bound."""
    n_batches = runs.sizes["run"] // batch_size
    if not n_batches:
        return bound.mean("structure") * np.nan
    batches = runs.isel(run=slice(n_batches * batch_size))
    batches = batches.coarsen(run=batch_size).construct(run=("batch", "member"))
    averages = xr.apply_ufunc(
        lambda values: combine(values, "mean").value, batches, input_core_dims=[["member"]], output_core_dims=[[]]
    )
    return (averages < bound).where(bound.notnull()).mean(["structure", "batch"])
