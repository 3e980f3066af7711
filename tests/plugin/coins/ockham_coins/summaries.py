"""The scores of coins over runs."""

from collections.abc import Mapping

import xarray as xr

from ockham.summaries.best import over_runs, scores_in

__all__ = ["summarise"]


def summarise(stores: Mapping[str, xr.DataTree], measured: Mapping[str, xr.Dataset]) -> xr.DataTree:
    """``log_evidence`` and ``standard_error`` in nats, over (role, replicate, n, structure), and what was measured.

    What has no role in the paper goes by its entry's name.
    """
    ((_, store),) = stores.items()
    parts = {
        group.attrs["role"] or entry: over_runs(group.to_dataset(), score)
        for entry, group in store.children.items()
        for score in scores_in(group)
    }
    best = xr.concat(parts.values(), xr.DataArray(list(parts), dims="role", name="role"), join="outer")
    best.attrs = {"true_structure": store.attrs["true_structure"]}
    return xr.DataTree.from_dict({"best": best, **measured})
