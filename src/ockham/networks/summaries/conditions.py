"""Model selection and averaging by each score, over the conditions of a study of mixtures."""

from collections.abc import Mapping

import numpy as np
import xarray as xr

from ockham.errors import StoreError
from ockham.summaries.best import best, has_every_structure, scores_in
from ockham.summaries.doubts import fraction_doubted

__all__ = ["STANDARD", "selection", "summarise_conditions"]

STANDARD = "candidate"
"""The score that the others are judged by."""
CLOSED = "cheeseman_stutz"
"""The score that is the evidence where nothing is hidden."""


def summarise_conditions(stores: Mapping[str, xr.DataTree]) -> dict[str, xr.Dataset]:
    """The scores of every condition over runs, one group for each, named like the conditions.

    A group has the variables of ``best``, with ``alias_correction`` also ``distinct_aliases``, ln of the number of
    aliases that differ; ``selected`` and ``log_bayes_factor`` of ``selection``; ``lowest_run`` and ``highest_run``, of
    the Candidate method, ``bayes_factor_range``, of its log Bayes factor over runs, nats; ``bayes_factor_error``, the
    standard error of that by every score, and ``factor_doubted``, whether it rests on a value not to be trusted, over
    (score, replicate, n); ``run_range`` of every score, nats, over (score, replicate, n, structure); ``separation``
    where the store has it; ``n_hidden_configurations``, over structure, which is the number of classes; and
    ``fraction_doubted`` of their scores, over (score, replicate, n). Coordinates over score are ``estimate``, what the
    scorer calls it, and ``role``, that of the entry in the paper, empty for none.

    Raises
    ------
    StoreError
        When a condition lacks the Candidate method, which the others are judged by.
    """
    groups = {}
    for name, scores in stores.items():
        runs = [group.to_dataset()[STANDARD] for group in scores.children.values() if STANDARD in group]
        if not runs:
            raise StoreError(f"{name}: scores.nc: no score {STANDARD}, which the others are judged by; add the scorer")
        n_hidden = scores.to_dataset()["n_hidden_configurations"]
        highest = _with_entries(_with_closed_form(_with_distinct_aliases(best(scores)), n_hidden), scores)
        group = highest.merge(selection(highest.log_evidence)).merge(_noise(runs[0], highest))
        if "separation" in scores:
            group["separation"] = scores["separation"]
        group["n_hidden_configurations"] = n_hidden
        group["fraction_doubted"] = fraction_doubted(highest)
        groups[name] = group
    return {"/": xr.Dataset(attrs={"conditions": " ".join(groups)}), **groups}


def _with_distinct_aliases(highest: xr.Dataset) -> xr.Dataset:
    """With a third alias correction: the number of aliases that differ, in place of all of them."""
    plain, corrected = (highest.log_evidence.sel(alias_correction=name) for name in ("none", "log_aliases"))
    fewer = corrected.where(corrected == plain, corrected - highest.log_alike.fillna(0.0))
    together = xr.concat(
        [highest.log_evidence, fewer.assign_coords(alias_correction="distinct_aliases")], "alias_correction"
    )
    return highest.drop_vars(["log_evidence", "alias_correction"]).assign(log_evidence=together)


def _with_entries(highest: xr.Dataset, scores: xr.DataTree) -> xr.Dataset:
    """With the role of the entry that each score is of, and the range of its runs."""
    entries: dict[str, tuple[str, str]] = {}
    ranges: dict[str, xr.DataArray] = {}
    for label, group in scores.children.items():
        for name, runs in scores_in(group).items():
            named = [score for score in (name, f"{name}_{label}") if score in highest.score and score not in ranges]
            if named and has_every_structure(group, runs):
                entries[named[0]] = name, group.attrs.get("role", "")
                ranges[named[0]] = (runs.max("run") - runs.min("run")).drop_attrs()
    together = xr.concat(ranges.values(), dim="score", join="outer", coords="minimal", compat="override")
    estimates, roles = zip(*(entries[score] for score in highest.score.values), strict=True)
    return highest.assign_coords(estimate=("score", list(estimates)), role=("score", list(roles))).assign(
        run_range=together.assign_coords(score=list(ranges)).assign_attrs(long_name="range of the runs", units="nats")
    )


def _noise(runs: xr.DataArray, highest: xr.Dataset) -> xr.Dataset:
    """Between which values the runs of the standard are, and of how much noise log Bayes factors by scores are."""
    standard = highest.log_evidence.sel(score=STANDARD, alias_correction="none", drop=True)
    first, second = _two_best(standard)
    factors = runs.isel(structure=first) - runs.isel(structure=second)
    values = {
        "lowest_run": (runs.min("run"), "lowest run of the Candidate method"),
        "highest_run": (runs.max("run"), "highest run of the Candidate method"),
        "bayes_factor_range": (
            (factors.max("run") - factors.min("run")).drop_vars("structure", errors="ignore"),
            "range over runs of the log Bayes factor by the Candidate method",
        ),
    }
    error, doubt = (highest[name].reset_coords(drop=True) for name in ("standard_error", "doubt"))
    both = xr.ufuncs.hypot(error.isel(structure=first), error.isel(structure=second))
    values["bayes_factor_error"] = (
        both.drop_vars("structure", errors="ignore"),
        "standard error of the log Bayes factor",
    )
    either = (doubt.isel(structure=first) != 0) | (doubt.isel(structure=second) != 0)
    about_doubt = {"long_name": "whether one of the two values is not to be trusted", "units": "1"}
    return xr.Dataset(
        {"factor_doubted": either.drop_vars("structure", errors="ignore").astype(np.int8).assign_attrs(about_doubt)}
        | {
            name: value.drop_attrs().assign_attrs(long_name=about, units="nats")
            for name, (value, about) in values.items()
        }
    )


def _with_closed_form(highest: xr.Dataset, n_hidden_configurations: xr.DataArray) -> xr.Dataset:
    """Where there is one class nothing is hidden, and every score is given the closed form there, as in the paper.

    It is that of Cheeseman-Stutz, whose completed data are then the data; where that was not computed, scores are left
    as they are.
    """
    if CLOSED not in highest.score:
        return highest
    closed = highest.log_evidence.sel(score=CLOSED, drop=True)
    only = n_hidden_configurations == 1
    return highest.assign(
        log_evidence=highest.log_evidence.where(~only, closed).assign_attrs(highest.log_evidence.attrs),
        doubt=highest.doubt.where(~only, 0).astype(np.uint8).assign_attrs(highest.doubt.attrs),
        standard_error=highest.standard_error.where(~only, 0.0).assign_attrs(highest.standard_error.attrs),
    )


def selection(log_evidence: xr.DataArray) -> xr.Dataset:
    """What each score selects, and how it weighs the second-best structure of the standard against the best.

    Parameters
    ----------
    log_evidence : xarray.DataArray
        Over (score, replicate, n, structure) and more, structures in the order of their size, nats.

    Returns
    -------
    xarray.Dataset
        Over the same but for structure: ``selected``, the index of the structure with the highest score among those
        that have one, and ``log_bayes_factor``, ln p(D | m1) - ln p(D | m2) in nats, where m1 and m2 have the highest
        evidences by the Candidate method; section 4.5 of [ChickeringHeckerman1997].
    """
    selected = log_evidence.fillna(float("-inf")).argmax("structure").where(log_evidence.notnull().any("structure"))
    first, second = _two_best(log_evidence.sel(score=STANDARD, drop=True))
    factor = log_evidence.isel(structure=first) - log_evidence.isel(structure=second)
    return xr.Dataset(
        {
            "selected": selected.assign_attrs(long_name="index of the structure with the highest score", units="1"),
            "log_bayes_factor": factor.drop_vars("structure", errors="ignore").assign_attrs(
                long_name="log Bayes factor of the two best structures by the Candidate method", units="nats"
            ),
        }
    )


def _two_best(log_evidence: xr.DataArray) -> tuple[xr.DataArray, xr.DataArray]:
    """Indices of the two structures with the highest log evidence."""
    known = log_evidence.fillna(float("-inf"))
    first = known.argmax("structure")
    return first, known.where(known.structure != known.structure[first], float("-inf")).argmax("structure")
