"""The scores of finite mixtures over runs, and what each selects."""

from collections.abc import Mapping

import xarray as xr

from ockham.summaries.best import best
from ockham.summaries.league import league
from ockham.summaries.over_replicates import over_replicates
from ockham.summaries.posteriors import posteriors
from ockham.summaries.ranks import ranks

__all__ = ["summarise"]


def summarise(stores: Mapping[str, xr.DataTree], measured: Mapping[str, xr.Dataset]) -> xr.DataTree:
    """The summaries of a study of mixtures.

    Parameters
    ----------
    stores : mapping of str to DataTree
        The study's name to its one store. The root has ``n_parameters`` and ``log_aliases`` per ``structure`` and the
        attributes ``study`` and ``true_structure``; every group has the scores of one entry.
    measured : mapping of str to Dataset
        What was measured, each another group.

    Returns
    -------
    xarray.DataTree
        With conditions, a group for each of them with these as groups of its own. Groups ``best`` and, where the number
        of classes that rows are drawn from is among those scored, ``ranks``, ``posteriors``, ``over_replicates`` and
        ``league``, each of the function of its name.
    """
    first = next(iter(stores.values()))
    if first.attrs["condition"]:
        groups = {f"{name}/{group}": found for name, of in stores.items() for group, found in _of_one(of).items()}
        groups["/"] = xr.Dataset(attrs={"conditions": " ".join(stores)})
        return xr.DataTree.from_dict(groups | dict(measured))
    root = xr.Dataset(attrs={name: first.attrs[name] for name in ("study", "true_structure")})
    return xr.DataTree.from_dict({"/": root, **_of_one(first), **measured})


def _of_one(scores: xr.DataTree) -> dict[str, xr.Dataset]:
    highest = best(scores)
    if scores.attrs["true_structure"] not in highest.structure:
        return {"best": highest}
    ranked, probable = ranks(highest), posteriors(highest)
    return {
        "best": highest,
        "ranks": ranked,
        "posteriors": probable,
        "over_replicates": over_replicates(ranked, probable),
        "league": league(scores, highest),
    }
