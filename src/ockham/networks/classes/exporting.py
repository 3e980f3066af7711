"""Fitted classes of categorical items for other programs: a dataset of xarray, a tree that ArviZ takes."""

from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from ockham.networks.data.unique_rows import MISSING
from ockham.table_results.fitted import exporting as shared
from ockham.table_results.fitted.exporting import Profiles

if TYPE_CHECKING:
    from ockham.networks.classes.fitted import CategoricalClasses

__all__ = ["to_arviz", "to_xarray"]


def to_xarray(fit: "CategoricalClasses") -> xr.Dataset:
    """With profiles by (item, value)."""
    return shared.to_xarray(fit, _profiles(fit))


def to_arviz(fit: "CategoricalClasses") -> xr.DataTree:
    """With profiles by (item, value)."""
    return shared.to_arviz(fit, _profiles(fit), np.where(fit.data.rows == MISSING, np.nan, fit.data.rows))


def _profiles(fit: "CategoricalClasses") -> Profiles:
    model, profiles = fit.model, fit.model.profiles(fit.draws)
    square = np.full((*profiles.shape[:-1], len(model.items), max(model.cardinalities)), np.nan)
    labels = np.full(square.shape[-2:], "", dtype=object)
    for j, n_values in enumerate(model.cardinalities):
        square[..., j, :n_values] = model.of_item(j, profiles)
        labels[j, :n_values] = model.labels[j]
    return Profiles(
        ("item", "value"),
        square,
        "Probability of the value of the item in the class",
        "1",
        {"item": np.array(fit.items), "value": np.arange(square.shape[-1])},
        {"value_label": (("item", "value"), labels.astype(str))},
    )
