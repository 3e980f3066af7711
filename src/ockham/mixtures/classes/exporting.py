"""What other programs get of fitted classes of mixed items."""

from typing import TYPE_CHECKING

import numpy as np

from ockham.table_results.fitted.exporting import Exported

if TYPE_CHECKING:
    from ockham.mixtures.classes.fitted import MixedClasses

__all__ = ["exported"]


def exported(fit: "MixedClasses") -> Exported:
    """With profiles by quantity, such as ``height: mean``."""
    items, names = zip(*fit.model.quantities, strict=True)
    return Exported(
        ("quantity",),
        fit.model.profiles(fit.draws),
        "What the item is like in the class, in its own unit",
        "",
        {"quantity": np.array([f"{item}: {name}" for item, name in fit.model.quantities])},
        {"quantity_item": (("quantity",), np.array(items)), "quantity_name": (("quantity",), np.array(names))},
        fit.data.rows,
    )
