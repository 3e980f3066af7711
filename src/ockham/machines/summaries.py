"""The scores of restricted Boltzmann machines over runs, condition by condition, and what each selects."""

from collections.abc import Mapping

import numpy as np
import xarray as xr

from ockham.summaries.best import COMBINED, over_runs, scores_in

__all__ = ["SELECTING", "STANDARD", "summarise"]

STANDARD = "annealed_importance_sampling"
"""The score that the others are judged by."""
SELECTING = ("laplace", "cross_validation")
"""The scores whose choice of the number of hidden units is shown."""

DIAGNOSTICS = {
    STANDARD: ("acceptance",),
    "harmonic_1": ("scale_reduction", "independent_scale_reduction"),
    "map": ("degenerate",),
}
"""What is kept of how chains and fits fared, of one score of those that share them."""

LABELS = ("estimate", "entry", "role")
"""Which of its scorer's estimates a score is, of which entry, and what that is for."""

VARIABLES = {
    "run_mean": ("mean of the scores of the runs", "nats"),
    "run_deviation": ("standard deviation of the scores of the runs", "nats"),
    "run_lowest": ("lowest score of the runs", "nats"),
    "run_highest": ("highest score of the runs", "nats"),
    "n_runs": ("runs that have the score", "1"),
    "acceptance": ("fraction of transitions accepted", "1"),
    "scale_reduction": ("multivariate potential scale reduction factor of the chains", "1"),
    "independent_scale_reduction": ("that factor of as many independent draws", "1"),
    "degenerate": ("fraction of fits that the effective sample size of their weights stopped", "1"),
    "sampling_error": ("standard error of a run by its draws", "nats"),
    "held_out_mean": ("mean over folds of the log likelihood per held-out row", "nats"),
    "held_out_deviation": ("standard deviation over folds of the log likelihood per held-out row", "nats"),
    "selected": ("hidden units of the machine with the highest score", "1"),
}


def summarise(stores: Mapping[str, xr.DataTree], measured: Mapping[str, xr.Dataset]) -> xr.DataTree:
    """The summaries of a study of machines, one group for each condition.

    Parameters
    ----------
    stores : mapping of str to DataTree
        Condition to its store of scores, with a group for each entry of the scorers.
    measured : mapping of str to Dataset
        What was measured, each another group.

    Returns
    -------
    xarray.DataTree
        In each group, over (score, replicate, n, structure): ``log_evidence`` in nats, runs combined as the score's
        ``over_runs`` says, with its ``standard_error``, ``degrees_of_freedom``, ``effective_sample_size`` and
        ``doubt`` as in ``ockham.summaries.best``; number, mean, standard deviation, lowest and highest of the runs,
        ``acceptance`` of annealed chains, ``scale_reduction`` of Langevin chains and
        ``independent_scale_reduction``, that of independent draws, the fraction of fits that are ``degenerate``, and
        ``sampling_error``, nats, of scores from draws. ``held_out_mean`` and ``held_out_deviation`` over (replicate, n,
        structure), nats per row. ``selected`` over (score, replicate, n), of the scores that select, where every
        machine has the score.
        ``n_hidden`` over (structure,), and ``estimate``, ``entry`` and ``role`` over (score,).

    Notes
    -----
    The first entry of a scorer that has no role gives scores their own names, any other ``<score>_<entry>``. The chains
    of an entry that starts from the true parameters give the mean of 1 / p(D), so runs are combined as such.
    """
    groups = {name: _condition(scores) for name, scores in stores.items()}
    root = xr.Dataset(attrs={"conditions": " ".join(groups)})
    return xr.DataTree.from_dict({"/": root, **groups, **measured})


def _condition(scores: xr.DataTree) -> xr.Dataset:
    parts, about = {}, []
    for label, group in scores.children.items():
        for score, array in scores_in(group).items():
            name = score if not group.attrs["role"] and score not in parts else f"{score}_{label}"
            about.append((score, label, group.attrs["role"]))
            parts[name] = _part(group.to_dataset(), array, reverse=bool(group.attrs.get("from_truth")))
    together = xr.concat(parts.values(), dim="score", join="outer", coords="minimal", compat="override")
    together["doubt"] = together.doubt.fillna(0).astype(np.uint8)
    labels = {name: ("score", list(column)) for name, column in zip(LABELS, zip(*about, strict=True), strict=True)}
    found = together.assign_coords({"score": list(parts), **labels})
    folded = [group for group in scores.children.values() if "held_out_mean" in group and not group.attrs["role"]]
    if folded:
        folds = folded[0].to_dataset()
        for name in ("held_out_mean", "held_out_deviation"):
            found[name] = folds[name].mean("run")
    units = scores.to_dataset().n_hidden.sel(structure=found.structure)
    found = found.assign_coords(n_hidden=("structure", units.values)).sortby("n_hidden")
    found["selected"] = _selected(found.log_evidence.isel(score=found.estimate.isin(SELECTING).values))
    for key, variable in found.data_vars.items():
        if key in COMBINED:
            variable.attrs = COMBINED[str(key)]
        else:
            long_name, unit = VARIABLES[str(key)]
            variable.attrs = {"long_name": long_name, "units": unit}
    return found


def _part(group: xr.Dataset, score: xr.DataArray, *, reverse: bool) -> xr.Dataset:
    """One score over its runs."""
    part = over_runs(group, str(score.name), sign=-1 if reverse else 1)
    part = part.assign({
        "run_mean": score.mean("run"),
        "run_deviation": score.std("run", ddof=1) if score.sizes["run"] > 1 else score.mean("run") * np.nan,
        "run_lowest": score.min("run"),
        "run_highest": score.max("run"),
        "n_runs": score.notnull().sum("run"),
    })  # fmt: skip
    for diagnostic in DIAGNOSTICS.get(str(score.name), ()):
        if diagnostic in group:
            part[diagnostic] = group[diagnostic].mean("run")
    if (error := f"{score.name}_monte_carlo_error") in group:
        part["sampling_error"] = group[error].mean("run")
    return part


def _selected(values: xr.DataArray) -> xr.DataArray:
    every = values.notnull().all("structure")
    chosen = values.fillna(-np.inf).argmax("structure")
    return xr.where(every, values.n_hidden.isel(structure=chosen).drop_vars(["structure", "n_hidden"]), np.nan)
