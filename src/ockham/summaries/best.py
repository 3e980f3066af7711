"""The score of each structure from its independent runs, with and without the alias correction."""

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
import xarray as xr

from ockham.contracts import Doubt
from ockham.errors import StoreError
from ockham.estimation.combining import at_least, combine
from ockham.estimation.doubting import LARGEST_ERROR
from ockham.estimation.intervals import interval

__all__ = ["COMBINED", "best", "has_every_structure", "over_runs", "references", "scores_in", "values_of"]

COMBINED: dict[str, dict[str, Any]] = {
    "log_evidence": {"long_name": "log evidence over runs", "units": "nats"},
    "standard_error": {"long_name": "standard error of the log evidence over runs", "units": "nats"},
    "effective_sample_size": {"long_name": "effective sample size over runs", "units": "1"},
    "doubt": {"long_name": "why the log evidence is not to be trusted", "units": "1"} | Doubt.attributes(),
    "degrees_of_freedom": {"long_name": "degrees of freedom of the standard error", "units": "1"},
}
AT_LEAST = {"long_name": "what the log evidence is above, with a probability of 95 %", "units": "nats"}
TOLERANCE = 1e-6
"""Nats, by which a value may be below the bounds of a structure that leaves nothing hidden, which equal it."""
OfScores = TypeVar("OfScores", xr.DataArray, xr.Dataset)
ABOUT = ("score_name", "bound", "reference")
"""Coordinates along ``score``."""
DIAGNOSTICS = {
    "log_alike": {
        "long_name": "log number of the relabellings that leave the highest run's fit as it is", "units": "nats",
    },
    "n_maxima": {"long_name": "number of maxima that the highest run found", "units": "1"},
    "n_unused": {"long_name": "number of hidden values that hardly a case is in, of the highest run", "units": "1"},
}  # fmt: skip
"""What scorers say of a fit."""
BESIDE = {"n_runs": {"long_name": "number of runs that have the score", "units": "1"}} | DIAGNOSTICS


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
        score that does not describe one mode of the posterior is the same under both. ``standard_error`` (nats), its
        ``degrees_of_freedom`` and ``effective_sample_size`` over (score, replicate, n, structure), NaN where there is
        none, and so the ``DIAGNOSTICS`` of the highest run; ``n_runs``, how many have the score. ``doubt``, over the
        same, has the flags of ``Doubt``: with any, the log evidence is not to be trusted, and all that is known is that
        it is above ``at_least`` (nats, NaN for nothing). ``n_parameters`` over (structure,), and the attribute
        ``true_structure``.

    Notes
    -----
    Groups of one scorer with the same settings are one score: a cell is taken from the first that has it. The first
    settings of a scorer have the score's own name, others that name and the group's. Groups without every structure
    are left out, and those that start from the true parameters. A score is judged by those of its cell that are proven
    lower bounds, without the alias correction: it is below them if the upper end of its 95 % interval is, with the
    correction where it describes one mode.
    """
    root = scores.to_dataset()
    parts = _parts(scores)
    log_evidence = _together({name: values.log_evidence for name, (_, values) in parts.items()})
    attributes = [about for about, _ in parts.values()]
    log_evidence = log_evidence.assign_coords(
        score_name=("score", [about["long_name"] for about in attributes]),
        bound=("score", [about["bound"] for about in attributes]),
        reference=("score", [about.get("reference", "none") for about in attributes]),
    )
    local = xr.DataArray([float(about["local"]) for about in attributes], dims="score")
    corrected = xr.DataArray([0.0, 1.0], coords={"alias_correction": ["none", "log_aliases"]})
    log_evidence = log_evidence + local * corrected * root.log_aliases
    of_runs = {
        name: _together({score: values[name] for score, (_, values) in parts.items()})
        for name in (*list(COMBINED)[1:], *BESIDE)
    }
    means = xr.DataArray([about.get("over_runs") == "mean" for about in attributes], dims="score")
    of_runs["doubt"], least = _judged(log_evidence, of_runs, means)
    variables = {
        "log_evidence": log_evidence.transpose("score", "alias_correction", "replicate", "n", "structure"),
        "at_least": least.assign_attrs(AT_LEAST),
        **of_runs,
    }
    for name, about in (COMBINED | BESIDE).items():
        variables[name].attrs = about
    variables["n_parameters"] = root.n_parameters.assign_attrs(long_name="number of parameters", units="1")
    return xr.Dataset(variables, attrs={"true_structure": root.attrs["true_structure"]})


def values_of(part: OfScores) -> OfScores:
    """Values by score, without what ``best`` says of each score beside them."""
    return part.drop_vars(ABOUT, errors="ignore")


def references(highest: xr.Dataset) -> dict[str, str]:
    """What scores others are judged by, as ``Estimator.reference`` names them, to the first score of ``best``."""
    found: dict[str, str] = {}
    for kind, score in zip(highest.reference.values.tolist(), highest.score.values.tolist(), strict=True):
        found.setdefault(kind, score)
    return found


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
            values = over_runs(group.to_dataset(), score)
            values["n_runs"] = array.count("run").where(array.notnull().any("run")).drop_attrs()
            for diagnostic in DIAGNOSTICS:
                values[diagnostic] = _at_the_highest(array, group.to_dataset().get(diagnostic))
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


def over_runs(group: xr.Dataset, name: str, *, sign: int = 1) -> xr.Dataset:
    """One value from the runs of a score that have one, by the rule in its attributes, and what speaks against it.

    An error of more than half a nat is among that: runs of which one has such an error may be trusted by themselves.
    ``sign`` is -1 for runs that are each minus the log of an unbiased estimate of 1 / p(D).
    """
    score = group[name]
    nothing = score.where(False)
    found = xr.apply_ufunc(
        combine,
        sign * score,
        score.attrs.get("over_runs", "max"),
        group.get(f"{name}_standard_error", nothing),
        group.get(f"{name}_effective_sample_size", nothing),
        group.get(f"{name}_doubt", xr.zeros_like(score, dtype=np.uint8)),
        group["key"] != 0 if "key" in group else score.notnull(),
        group.get(f"{name}_degrees_of_freedom", nothing),
        input_core_dims=[["run"], [], ["run"], ["run"], ["run"], ["run"], ["run"]],
        output_core_dims=[[]] * len(COMBINED),
    )
    result = xr.Dataset(dict(zip(COMBINED, found, strict=True))).drop_attrs()
    large = (result.standard_error > LARGEST_ERROR).astype(np.uint8) * np.uint8(Doubt.FEW_EFFECTIVE_SAMPLES)
    return result.assign(log_evidence=sign * result.log_evidence, doubt=result.doubt | large)


def _judged(
    log_evidence: xr.DataArray, of_runs: Mapping[str, xr.DataArray], means: xr.DataArray
) -> tuple[xr.DataArray, xr.DataArray]:
    """Doubts, with those by the proven lower bounds of the same cell added, and what the evidence is above; nats.

    ``means`` says of a score whether it is the log of an unbiased estimate.
    """
    plain, corrected = (log_evidence.sel(alias_correction=name, drop=True) for name in ("none", "log_aliases"))
    proven = log_evidence.bound == "lower"
    bound = plain.where(proven).max("score")
    error, freedom = of_runs["standard_error"].fillna(0.0), of_runs["degrees_of_freedom"].fillna(np.inf)
    upper = xr.apply_ufunc(lambda *given: interval(*given)[1], corrected, error, freedom)
    doubt = of_runs["doubt"].fillna(0).astype(np.uint8)
    doubt = xr.where((upper < bound - TOLERANCE) & ~proven, doubt | np.uint8(Doubt.BELOW_BOUND), doubt)
    unbiased = (plain + float(at_least(0.0))).where(means & ((doubt & np.uint8(Doubt.RUN_FAILED)) == 0))
    least = xr.ufuncs.fmax(unbiased, bound).where(plain.notnull())
    return values_of(doubt), values_of(least)
