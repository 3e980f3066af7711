"""Fitted classes of mixed items for other programs: a dataset of xarray, a tree that ArviZ takes."""

from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from ockham.table_results.fitted import exporting as shared
from ockham.table_results.fitted.exporting import Profiles

if TYPE_CHECKING:
    from ockham.mixtures.classes.fitted import MixedClasses

__all__ = ["to_arviz", "to_xarray"]


def to_xarray(fit: "MixedClasses") -> xr.Dataset:
    """With profiles by quantity, such as ``height: mean``."""
    return shared.to_xarray(fit, _profiles(fit))


def to_arviz(fit: "MixedClasses") -> xr.DataTree:
    """With profiles by quantity."""
    return shared.to_arviz(fit, _profiles(fit), fit.data.rows)


def _profiles(fit: "MixedClasses") -> Profiles:
    items, names = zip(*fit.model.quantities, strict=True)
    return Profiles(
        ("quantity",),
        fit.model.profiles(fit.draws),
        "What the item is like in the class, in its own unit",
        "",
        {"quantity": np.array([f"{item}: {name}" for item, name in fit.model.quantities])},
        {"quantity_item": (("quantity",), np.array(items)), "quantity_name": (("quantity",), np.array(names))},
    )
