"""Summaries of a study of networks: those that every family has, and bounds, annealing and conditions."""

from collections.abc import Mapping

import xarray as xr

from ockham.networks.summaries.annealing import annealing, schedule_length
from ockham.networks.summaries.calibration import CERTIFIED, calibration
from ockham.networks.summaries.conditions import STANDARD, summarise_conditions
from ockham.networks.summaries.sandwich import sandwich
from ockham.networks.summaries.violations import violations
from ockham.summaries.best import best
from ockham.summaries.league import league
from ockham.summaries.over_replicates import over_replicates
from ockham.summaries.posteriors import posteriors
from ockham.summaries.ranks import ranks

__all__ = ["summarise"]


def summarise(stores: Mapping[str, xr.DataTree], measured: Mapping[str, xr.Dataset]) -> xr.DataTree:
    """The summaries of a study, or of its conditions.

    Parameters
    ----------
    stores : mapping of str to DataTree
        Condition to its store of scores, or the study's name to its one store. The root has ``n_parameters`` and
        ``log_aliases`` per ``structure`` and the attributes ``study``, ``condition`` and ``true_structure``; every
        group has the scores of one entry, over (replicate, n, structure, run).
    measured : mapping of str to Dataset
        What was measured, each another group.

    Returns
    -------
    xarray.DataTree
        With conditions that have the Candidate method as ``summarise_conditions``; with others the same groups as
        without conditions, each under the name of its condition. Without, groups ``best``, ``ranks``, ``posteriors``,
        ``over_replicates``, ``violations``, ``annealing``, ``schedule_length``, ``league`` and ``sandwich``, each of
        the function of its name; where the structure that generated the data is not among those
        scored, ``best`` and ``violations`` alone. Of random networks groups ``calibration`` alone.
    """
    first = next(iter(stores.values()))
    if "hyperparameter" in first:
        return xr.DataTree.from_dict(_of_random_networks(stores, measured))
    if not first.attrs["condition"]:
        groups = _of_one(first)
    elif any(STANDARD in group for store in stores.values() for group in store.children.values()):
        groups = summarise_conditions(stores)
    else:
        groups = _of_each(stores)
    return xr.DataTree.from_dict(groups | dict(measured))


def _of_random_networks(stores: Mapping[str, xr.DataTree], measured: Mapping[str, xr.Dataset]) -> dict[str, xr.Dataset]:
    """A group ``calibration`` below the name of every condition, if there are any, and what was measured."""
    conditions = [condition for condition, scores in stores.items() if scores.attrs["condition"]]
    groups = {"/": xr.Dataset(attrs={"conditions": " ".join(conditions)})}
    for condition, scores in stores.items():
        below = f"{condition}/" if conditions else ""
        of_it = [
            found
            for name, found in measured.items()
            if name.split("/")[-1] == CERTIFIED and found.attrs["study"] == scores.attrs["study"]
        ]
        groups[f"{below}calibration"] = calibration(scores, of_it[0] if of_it else None)
    return groups | dict(measured)


def _of_each(stores: Mapping[str, xr.DataTree]) -> dict[str, xr.Dataset]:
    groups = {"/": xr.Dataset(attrs={"conditions": " ".join(stores)})}
    for condition, scores in stores.items():
        groups |= {f"{condition}/{name}".rstrip("/"): group for name, group in _of_one(scores).items()}
    return groups


def _of_one(scores: xr.DataTree) -> dict[str, xr.Dataset]:
    highest = best(scores)
    groups = {
        "/": xr.Dataset(attrs={name: scores.attrs[name] for name in ("study", "true_structure")}),
        "best": highest,
        "violations": violations(scores, highest),
    }
    if scores.attrs["true_structure"] not in highest.structure:
        return groups
    ranked, probable = ranks(highest), posteriors(highest)
    return groups | {
        "ranks": ranked,
        "posteriors": probable,
        "over_replicates": over_replicates(ranked, probable),
        "annealing": annealing(scores, highest),
        "schedule_length": schedule_length(scores),
        "league": league(scores, highest),
        "sandwich": sandwich(scores),
    }
