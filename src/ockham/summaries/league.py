"""How near every score comes to the evidence, and whether it orders the structures alike."""

import xarray as xr

from ockham.summaries.best import best, references, scores_in, values_of

__all__ = ["FEW", "league", "truth"]

TRUTHS = ("known", "estimated")
"""References that stand for the evidence; of a cell the first that it has."""
FEW = 3
"""Runs, which more restarts are set beside."""
LABELS = {
    "n_cells": ("number of cells with the score and the truth", "1"),
    "error_median": ("median distance from the evidence", "nats"),
    "error_95": ("95th percentile of the distance from the evidence", "nats"),
    "doubted": ("fraction of the scores that are not to be trusted", "1"),
    "rank_correlation": ("Spearman's rank correlation with the evidence over structures", "1"),
    "same_choice": ("fraction with the same structure on top as the evidence has", "1"),
    "success_rate": ("fraction with the true structure on top", "1"),
    "n_evaluations": ("passes over the data that a cell took", "1"),
    "n_known": ("number of cells whose evidence is known", "1"),
    "truth_error": ("largest standard error of the evidence", "nats"),
}


def truth(highest: xr.Dataset) -> xr.Dataset:
    """The evidence where it is known, or estimated without a doubt by the score that stands for it.

    Parameters
    ----------
    highest : xarray.Dataset
        As ``best`` returns it.

    Returns
    -------
    xarray.Dataset
        ``log_evidence`` and ``standard_error``, nats, over (replicate, n, structure): NaN where unknown, and an error
        of 0 where it is exact.
    """
    trusted = highest.log_evidence.sel(alias_correction="none", drop=True).where(highest.doubt == 0)
    error = values_of(highest.standard_error.fillna(0.0).where(trusted.notnull()))
    scores = _truths(highest)
    return xr.Dataset({"log_evidence": _first(values_of(trusted), scores), "standard_error": _first(error, scores)})


def league(scores: xr.DataTree, highest: xr.Dataset) -> xr.Dataset:
    """Errors, order and choice by every score, against the truth; empty for a study that estimates none.

    Parameters
    ----------
    scores : xarray.DataTree
        The store of scores, as in ``summarise``.
    highest : xarray.Dataset
        As ``best`` returns it.

    Returns
    -------
    xarray.Dataset
        Over (score, n), after correction for aliases. ``n_cells``, of all replicates and structures, that have the
        score and the truth; of these ``error_median`` and ``error_95``, the median and the 95th percentile of the
        distance from the truth, in nats, and ``doubted``, the fraction that says of itself that it is not to be
        trusted. Over replicates in which all structures have both: ``rank_correlation``, the mean of Spearman's over
        structures; ``same_choice``, how often the score has the same structure on top as the truth; ``success_rate``,
        how often that is the true one. ``n_evaluations``, the passes over the data that a cell took, with all else that
        its runs estimate. Restarts of more than three runs are there a second time as ``<score>_of_3``, from the first
        three. ``n_known`` and ``truth_error``, over (n,): in how many cells the truth is known, and its largest
        standard error, in nats.
    """
    if TRUTHS[-1] not in references(highest):
        return xr.Dataset()
    known = truth(highest)
    together, costs = _judged(highest), _evaluations(scores)
    restarts = [score for score, n_runs in _restarts(scores).items() if n_runs > FEW and score in together.score]
    if restarts:
        first = xr.DataTree.from_dict(
            {"/": scores.to_dataset()}
            | {name: group.to_dataset().isel(run=slice(FEW)) for name, group in scores.children.items()}
        )
        names = {score: f"{score}_of_{FEW}" for score in restarts}
        fewer = _judged(best(first)).sel(score=restarts).assign_coords(score=list(names.values()))
        together = xr.concat([together, fewer], dim="score", join="outer")
        costs |= {names[score]: cost for score, cost in _evaluations(first).items() if score in names}
    found = _compared(together, known.log_evidence, highest.attrs["true_structure"])
    passes = xr.concat(costs.values(), dim="score", join="outer").assign_coords(score=list(costs))
    found["n_evaluations"] = passes.reindex(score=together.score)
    found["n_known"] = known.log_evidence.count(["replicate", "structure"])
    found["truth_error"] = known.standard_error.max(["replicate", "structure"])
    for name, (long_name, units) in LABELS.items():
        found[name].attrs = {"long_name": long_name, "units": units}
    return found.assign_attrs(highest.attrs)


def _truths(highest: xr.Dataset) -> list[str]:
    """The scores that stand for the truth, by precedence."""
    found = references(highest)
    return [found[kind] for kind in TRUTHS if kind in found]


def _first(values: xr.DataArray, scores: list[str]) -> xr.DataArray:
    """Of these scores, the first that a cell has."""
    first, *others = (values.sel(score=score, drop=True) for score in scores)
    for other in others:
        first = first.combine_first(other)
    return first


def _judged(highest: xr.Dataset) -> xr.Dataset:
    """Log evidence and doubt of the scores that do not stand for the truth, after correction for aliases."""
    values = highest[["log_evidence", "doubt"]].sel(alias_correction="log_aliases", drop=True)
    truths = _truths(highest)
    return values_of(values).sel(score=[score for score in values.score.values if score not in truths])


def _compared(judged: xr.Dataset, known: xr.DataArray, true_structure: str) -> xr.Dataset:
    values = judged.log_evidence
    cells = ["replicate", "structure"]
    apart = abs(values - known)
    both = apart.notnull()
    some = both.any(cells)
    middle, upper = (apart.where(some, 0.0).quantile(q, cells).where(some).drop_vars("quantile") for q in (0.5, 0.95))
    whole = both.all("structure")
    truths = known.where(whole)
    chosen = values.where(whole) == values.max("structure")
    alike = (chosen & (truths == truths.max("structure"))).any("structure").where(whole)
    true = chosen.sel(structure=true_structure, drop=True).where(whole)
    order = xr.corr(_ranked(values.where(whole)), _ranked(truths), dim="structure")
    return xr.Dataset(
        {
            "n_cells": both.sum(cells),
            "error_median": middle,
            "error_95": upper,
            "doubted": (judged.doubt != 0).where(both).mean(cells),
            "rank_correlation": order.mean("replicate"),
            "same_choice": alike.mean("replicate"),
            "success_rate": true.mean("replicate"),
        }
    )


def _ranked(values: xr.DataArray) -> xr.DataArray:
    from scipy.stats import rankdata  # slow to import, and every start of the workflow imports this module

    ranks = xr.apply_ufunc(
        rankdata, values, input_core_dims=[["structure"]], output_core_dims=[["structure"]], kwargs={"axis": -1}
    )
    return ranks.where(values.notnull())


def _restarts(scores: xr.DataTree) -> dict[str, int]:
    """The number of runs of every score that is the highest of them."""
    return {
        score: array.sizes["run"]
        for group in scores.children.values()
        for score, array in scores_in(group).items()
        if array.attrs.get("over_runs", "max") == "max"
    }


def _evaluations(scores: xr.DataTree) -> dict[str, xr.DataArray]:
    """Mean passes over the data of a cell, over n, by score: of the first entry that has it."""
    found: dict[str, xr.DataArray] = {}
    for group in scores.children.values():
        data = group.to_dataset()
        passes = data.n_evaluations.where(data.key != 0) if "key" in data else data.n_evaluations
        for score in scores_in(group):
            found.setdefault(score, passes.sum("run", min_count=1).mean(["replicate", "structure"]))
    return found
