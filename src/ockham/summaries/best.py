"""The score of each structure from its independent runs, with and without the alias correction."""

import xarray as xr

from ockham.errors import StoreError
from ockham.estimation.combining import combine

__all__ = ["best", "has_every_structure", "over_runs", "scores_in"]

COMBINED = {
    "log_evidence": ("log evidence over runs", "nats"),
    "standard_error": ("standard error of the log evidence over runs", "nats"),
    "effective_sample_size": ("effective sample size of the mean over runs", "1"),
}
LOG_ALIKE = ("log number of the relabellings that leave the highest run's fit as it is", "nats")


def best(scores: xr.DataTree) -> xr.Dataset:
    """The score over its runs, as estimated and with ln S, the log number of aliases, added.

    Parameters
    ----------
    scores : xarray.DataTree
        The store of scores, as in ``summarise``.

    Returns
    -------
    xarray.Dataset
        ``log_evidence`` over (score, alias_correction, replicate, n, structure), in nats, the grid being the union
        of the groups' grids. NaN where no run has the score. ``alias_correction`` is ``none`` or ``log_aliases``; a
        score that does not describe one mode of the posterior is the same under both. ``standard_error`` (nats) and
        ``effective_sample_size`` over (score, replicate, n, structure), NaN where there is none, and so ``log_alike``
        (nats), of the highest run. ``n_parameters`` over (structure,), and the attribute ``true_structure``.

    Notes
    -----
    Groups of one scorer with the same settings are one score: a cell is taken from the first that has it. The first
    settings of a scorer have the score's own name, others that name and the group's. Groups without every structure
    are left out, and those that start from the true parameters.
    """
    root = scores.to_dataset()
    parts = _parts(scores)
    log_evidence = _together({name: values.log_evidence for name, (_, values) in parts.items()})
    attributes = [about for about, _ in parts.values()]
    log_evidence = log_evidence.assign_coords(
        score_name=("score", [about["long_name"] for about in attributes]),
        bound=("score", [about["bound"] for about in attributes]),
    )
    local = xr.DataArray([float(about["local"]) for about in attributes], dims="score")
    corrected = xr.DataArray([0.0, 1.0], coords={"alias_correction": ["none", "log_aliases"]})
    log_evidence = log_evidence + local * corrected * root.log_aliases
    variables = {
        "log_evidence": log_evidence.transpose("score", "alias_correction", "replicate", "n", "structure"),
        **{
            name: _together({score: values[name] for score, (_, values) in parts.items()})
            for name in ("standard_error", "effective_sample_size", "log_alike")
        },
    }
    for name, (long_name, units) in (COMBINED | {"log_alike": LOG_ALIKE}).items():
        variables[name].attrs = {"long_name": long_name, "units": units}
    variables["n_parameters"] = root.n_parameters.assign_attrs(long_name="number of parameters", units="1")
    return xr.Dataset(variables, attrs={"true_structure": root.attrs["true_structure"]})


def _parts(scores: xr.DataTree) -> dict[str, tuple[dict, xr.Dataset]]:
    """Name of a score to its attributes and its values over runs, groups of equal scorer and settings together."""
    names: dict[tuple, str] = {}
    parts: dict[str, tuple[dict, xr.Dataset]] = {}
    for label, group in scores.children.items():
        settings = group.attrs.get("scorer", label), group.attrs.get("scorer_settings", "")
        if group.attrs.get("from_truth"):
            continue
        for score, array in scores_in(group).items():
            if not has_every_structure(group, array):
                continue
            values = over_runs(array, group.to_dataset().get(f"{score}_standard_error"))
            values["log_alike"] = _at_the_highest(array, group.to_dataset().get("log_alike"))
            name = names.setdefault((score, settings), score if score not in parts else f"{score}_{label}")
            if name in parts:
                values = parts[name][1].combine_first(values)
            parts[name] = array.attrs, values
    if not parts:
        raise StoreError(
            "scores.nc: no entry of the scorers has a score for every structure; leave `structures` out in one of them"
        )
    return parts


def has_every_structure(group: xr.DataTree, score: xr.DataArray) -> bool:
    """Whether every structure was computed somewhere in the group, be its score NaN or not."""
    computed = group["key"] != 0 if "key" in group else score.notnull()
    return bool(computed.any(["replicate", "n", "run"]).all())


def _together(values: dict[str, xr.DataArray]) -> xr.DataArray:
    together = xr.concat(values.values(), dim="score", join="outer", coords="minimal", compat="override")
    return together.assign_coords(score=list(values))


def scores_in(group: xr.DataTree) -> dict[str, xr.DataArray]:
    """The variables of a group that estimate the log evidence, by name: in nats, with a stated bound."""
    variables = group.to_dataset().data_vars
    return {str(name): v for name, v in variables.items() if v.attrs.get("units") == "nats" and "bound" in v.attrs}


def _at_the_highest(score: xr.DataArray, diagnostic: xr.DataArray | None) -> xr.DataArray:
    """A diagnostic of the run with the highest score; NaN where there is none."""
    diagnostic = score.where(False) if diagnostic is None else diagnostic
    return diagnostic.where(score == score.max("run")).max("run").drop_attrs()


def over_runs(score: xr.DataArray, errors: xr.DataArray | None) -> xr.Dataset:
    """One value from the runs that have one, by the rule in the score's attributes."""
    errors = score.where(False) if errors is None else errors
    found = xr.apply_ufunc(
        combine,
        score,
        score.attrs.get("over_runs", "max"),
        errors,
        input_core_dims=[["run"], [], ["run"]],
        output_core_dims=[[], [], []],
    )
    return xr.Dataset(dict(zip(COMBINED, found, strict=True))).drop_attrs()
