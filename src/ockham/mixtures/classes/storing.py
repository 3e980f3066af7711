"""A selection on mixed items as labelled arrays, for a file that has everything but the data."""

from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from ockham.mixtures.classes.showing import profile_records
from ockham.table_results import selection_storing as shared
from ockham.table_results.selection_storing import by_classes
from ockham.table_results.stored_evidences import variable

if TYPE_CHECKING:
    from ockham.mixtures.classes.selection import MixedSelection

__all__ = ["to_xarray"]


def to_xarray(found: "MixedSelection") -> xr.Dataset:
    """With statistics and MAP parameters of the fits under the first prior, and the items' hyperparameters."""
    n_items = len(found.labels)
    own = {
        "entropy": by_classes(
            found, "Relative entropy of classification at the MAP fit", "1", lambda f: f.statistics.entropy
        ),
        "dependence": by_classes(
            found, "Score statistic for a dependence inside classes over its degrees of freedom", "1",
            lambda f: f.statistics.residuals, "item", "other_item", empty=np.full((n_items, n_items), np.nan),
        ),
        "misfit": by_classes(
            found, "Score statistic for another distribution inside classes over its degrees of freedom", "1",
            lambda f: f.statistics.misfits, "item", empty=np.full(n_items, np.nan),
        ),
    }  # fmt: skip
    every = (found.main, *found.others)
    items = [[repr(item) for item in under.models[found.classes[0]].items.values()] for under in every]
    own["item_prior"] = variable(("prior", "item"), "Type and hyperparameters, in the unit of the item", "", items)
    coordinates: dict[str, Any] = {"item": list(found.labels), "other_item": list(found.labels)}
    return shared.to_xarray(found, own | _profiles(found) | _description(found), coordinates)


def _profiles(found: "MixedSelection") -> dict[str, xr.Variable]:
    """Of the MAP fits, by quantity; NaN beyond the classes of a model."""
    by_number = {k: profile_records(found, k) for k in found.fits}
    quantities = [(item, what) for item, what, _ in next(iter(by_number.values()), [])]
    values = np.full((len(found.classes), len(quantities), max(found.classes)), np.nan)
    for i, k in enumerate(found.classes):
        for j, (*_, row) in enumerate(by_number.get(k, [])):
            values[i, j, :k] = row
    of_item, what = (np.array([pair[side] for pair in quantities], object) for side in (0, 1))
    return {
        "map_profile": variable(
            ("n_classes", "quantity", "class"), "Class sizes, and items in each class, of the MAP fit", "",
            values,
        ),
        "quantity_item": variable(("quantity",), "Item of the quantity; size for class sizes", "", of_item),
        "quantity_name": variable(("quantity",), "What the quantity is", "", what),
    }  # fmt: skip


def _description(found: "MixedSelection") -> dict[str, xr.Variable]:
    """Posterior means and intervals of one number of classes, and its checks; nothing where there are none."""
    if found.description is None:
        return {}
    fit, checks = found.description
    parts = np.full((3, 1 + len(fit.model.quantities), max(found.classes)), np.nan)
    for part, of_sizes, of_items in zip(parts, fit.sizes, fit.quantities, strict=True):
        part[0, : fit.n_classes], part[1:, : fit.n_classes] = of_sizes, of_items.T
    words = {"mean": "Posterior mean", "lower": "Lower end of the interval of 95 %", "upper": "Upper end of it"}
    profiles = {
        f"fitted_{name}": variable(("quantity", "class"), f"{what}, of {fit.n_classes} classes", "", part)
        for (name, what), part in zip(words.items(), parts, strict=True)
    }
    every = [(kind, check) for kind, listed in checks.by_kind.items() for check in listed]
    named = {
        "check_kind": variable(("check",), "What the check is of", "", np.array([kind for kind, _ in every], object)),
        "check_name": variable(("check",), "Check", "", np.array([check.name for _, check in every], object)),
    }
    numbers = {
        "observed": "Mean of the discrepancy of the table",
        "replicated": "Mean of the discrepancy of tables from the model",
        "lower": "Lower end of the interval of 95 % of tables from the model",
        "upper": "Upper end of it",
        "p_value": "Posterior predictive p-value",
    }
    of_checks = {
        f"check_{name}": variable(("check",), what, "", [getattr(check, name) for _, check in every])
        for name, what in numbers.items()
    }
    about = {
        "described": variable((), "Number of classes that posterior draws describe", "1", fit.n_classes),
        "fit_doubt": variable((), "Why not all of the posterior draws is to be trusted", "", "; ".join(fit.reasons)),
    }
    return profiles | named | of_checks | about
