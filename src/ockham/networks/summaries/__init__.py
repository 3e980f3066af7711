"""Summaries of a study of networks: those that every family has, and bounds, annealing and conditions."""

import xarray as xr

from ockham.networks.summaries.annealing import annealing, schedule_length
from ockham.networks.summaries.violations import violations
from ockham.summaries.best import best
from ockham.summaries.over_replicates import over_replicates
from ockham.summaries.posteriors import posteriors
from ockham.summaries.ranks import ranks

__all__ = [
    "annealing",
    "best",
    "over_replicates",
    "posteriors",
    "ranks",
    "schedule_length",
    "summarise",
    "violations",
]


def summarise(scores: xr.DataTree) -> xr.DataTree:
    """All summaries of a study in which one structure generated the data.

    Parameters
    ----------
    scores : xarray.DataTree
        The store of scores. The root has ``n_parameters`` and ``log_aliases`` per ``structure`` and the attributes
        ``study`` and ``true_structure``; every group has the scores of one fit, over (replicate, n, structure, run).

    Returns
    -------
    xarray.DataTree
        Groups ``best``, ``ranks``, ``posteriors``, ``over_replicates``, ``violations``, ``annealing`` and
        ``schedule_length``, one per function here, and ``schedules`` where the store has them.
    """
    highest = best(scores)
    ranked, probable = ranks(highest), posteriors(highest)
    groups = {
        "/": xr.Dataset(attrs={name: scores.attrs[name] for name in ("study", "true_structure")}),
        "best": highest,
        "ranks": ranked,
        "posteriors": probable,
        "over_replicates": over_replicates(ranked, probable),
        "violations": violations(scores, highest),
        "annealing": annealing(scores, highest),
        "schedule_length": schedule_length(scores),
    }
    if "schedules" in scores:
        groups["schedules"] = scores["schedules"].to_dataset(inherit=False)
    return xr.DataTree.from_dict(groups)
