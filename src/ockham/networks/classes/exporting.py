"""What other programs get of fitted classes of categorical items."""

from typing import TYPE_CHECKING

import numpy as np

from ockham.networks.data.unique_rows import MISSING
from ockham.table_results.fitted.exporting import Exported

if TYPE_CHECKING:
    from ockham.networks.classes.fitted import CategoricalClasses

__all__ = ["exported"]


def exported(fit: "CategoricalClasses") -> Exported:
    """With profiles by (item, value)."""
    model, profiles = fit.model, fit.model.profiles(fit.draws)
    square = np.full((*profiles.shape[:-1], len(model.items), max(model.cardinalities)), np.nan)
    labels = np.full(square.shape[-2:], "", dtype=object)
    for j, n_values in enumerate(model.cardinalities):
        square[..., j, :n_values] = model.of_item(j, profiles)
        labels[j, :n_values] = model.labels[j]
    return Exported(
        ("item", "value"),
        square,
        "Probability of the value of the item in the class",
        "1",
        {"item": np.array(fit.items), "value": np.arange(square.shape[-1])},
        {"value_label": (("item", "value"), labels.astype(str))},
        np.where(fit.data.rows == MISSING, np.nan, fit.data.rows),
    )
