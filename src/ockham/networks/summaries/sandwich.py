"""The evidence of the true structure between two bounds: from draws of the prior, and from the true parameters."""

import xarray as xr

from ockham.summaries.best import over_runs

__all__ = ["sandwich"]

SCORE, BETWEEN = "sequential_monte_carlo", "bridge_sampling"
SIDES = ("below", "above", "between")
PARTS = {
    "log_evidence": ("log evidence", "nats"),
    "standard_error": ("standard error", "nats"),
    "degrees_of_freedom": ("degrees of freedom of the standard error", "1"),
    "doubt": ("why it is not to be trusted", "1"),
}


def sandwich(scores: xr.DataTree) -> xr.Dataset:
    """Sequential Monte Carlo from either side, and bridge sampling, on draws of the prior.

    Parameters
    ----------
    scores : xarray.DataTree
        The store of scores, as in ``summarise``.

    Returns
    -------
    xarray.Dataset
        Over (side, replicate, n), of the true structure: ``log_evidence`` and ``standard_error``, nats, its
        ``degrees_of_freedom``, and the flags of ``doubt``; ``side`` is ``below``, the mean evidence of passes from
        draws of the prior, which is too low on average; ``above``, the harmonic mean of those from the true parameters,
        too high on average; and ``between``, bridge sampling, where the study has it. Empty for a study without both.
    """
    found: dict[str, xr.Dataset] = {}
    for group in scores.children.values():
        from_truth = bool(group.attrs.get("from_truth"))
        side, name = ("above" if from_truth else "below", SCORE) if SCORE in group else ("between", BETWEEN)
        if name in group and side not in found:
            data = group.to_dataset().sel(structure=[scores.attrs["true_structure"]])
            found[side] = over_runs(data, name, sign=-1 if from_truth else 1)[list(PARTS)].isel(structure=0, drop=True)
    if not {"below", "above"} <= set(found):
        return xr.Dataset()
    sides = [side for side in SIDES if side in found]
    together = xr.concat([found[side] for side in sides], dim="side", join="inner").assign_coords(side=sides)
    together = together.isel(replicate=(together.replicate > 0).values)
    for name, (long_name, units) in PARTS.items():
        together[name].attrs = {"long_name": long_name, "units": units}
    return together
