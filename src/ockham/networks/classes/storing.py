"""A selection as labelled arrays, for a file that has everything but the data."""

from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from ockham.networks.classes.fits import ClassFit
from ockham.table_results import selection_storing as shared
from ockham.table_results.selection_storing import by_classes
from ockham.table_results.stored_evidences import variable

if TYPE_CHECKING:
    from ockham.networks.classes.selection import CategoricalSelection

__all__ = ["to_xarray"]


def to_xarray(found: "CategoricalSelection") -> xr.Dataset:
    """With statistics and MAP parameters of the fits under the first prior."""
    n_items = len(found.labels)
    own = {
        "g2": by_classes(
            found, "Likelihood-ratio statistic G2 of the complete rows at the MAP fit", "1", lambda f: f.statistics.g2
        ),
        "g2_degrees_of_freedom": by_classes(
            found, "Degrees of freedom of G2", "1", lambda f: f.statistics.degrees_of_freedom
        ),
        "g2_p_value": by_classes(
            found, "p-value of G2; none where the table is sparse", "1", lambda f: f.statistics.p_value
        ),
        "entropy": by_classes(
            found, "Relative entropy of classification at the MAP fit", "1", lambda f: f.statistics.entropy
        ),
        "bivariate_residual": by_classes(
            found, "Bivariate residual at the MAP fit", "1", lambda f: f.statistics.residuals, "item", "other_item",
            empty=np.full((n_items, n_items), np.nan),
        ),
    }  # fmt: skip
    fits = [found.fits.get(k) for k in found.classes]
    coordinates = {"item": list(found.labels), "other_item": list(found.labels)}
    return shared.to_xarray(found, own | _parameters(found, fits), coordinates)


def _parameters(found: "CategoricalSelection", fits: list[ClassFit | None]) -> dict[str, xr.Variable]:
    """Class sizes and profiles of the MAP fits; NaN beyond the classes of a model and the states of an item."""
    most, items = max(found.classes), list(found.labels.values())
    n_states = max(map(len, items))
    sizes = np.full((len(fits), most), np.nan)
    profiles = np.full((len(fits), most, len(items), n_states), np.nan)
    for f, (k, fit) in enumerate(zip(found.classes, fits, strict=True)):
        if fit is None:
            continue
        network = found.models[k]
        sizes[f, :k] = network.family(network.hidden[0], fit.parameters)[0] if network.hidden else 1.0
        for j, i in enumerate(network.observed):
            profiles[f, :k, j, : network.cardinalities[i]] = network.family(i, fit.parameters)
    labels = np.array([[*states, *[""] * (n_states - len(states))] for states in items])
    return {
        "map_class_size": variable(("n_classes", "class"), "Class sizes of the MAP fit", "1", sizes),
        "map_profile": variable(("n_classes", "class", "item", "state"), "Profiles of the MAP fit", "1", profiles),
        "state_label": variable(("item", "state"), "Label of the state", "", labels),
    }
