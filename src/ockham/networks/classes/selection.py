"""What a table of categorical items says of its number of latent classes."""

from typing import TYPE_CHECKING

import numpy as np

from ockham.io.extras import naming_extras
from ockham.networks.classes.fits import ESTIMATES
from ockham.table_results.results import Forms
from ockham.table_results.selection import Selection

if TYPE_CHECKING:
    import xarray as xr

    from ockham.table_results.pages.rendering import Section

__all__ = ["CategoricalSelection"]


class CategoricalSelection(Selection):
    """With ``DiscreteNetwork`` as models, and ``UniqueRows`` as data."""

    estimates = ESTIMATES
    drawn = ("bic", "cheeseman_stutz", "variational_bayes")

    @naming_extras()
    def to_xarray(self) -> "xr.Dataset":
        """Everything but the data, which may be nobody else's business."""
        from ockham.networks.classes.storing import to_xarray

        return to_xarray(self)

    def _memberships(self, n_classes: int) -> np.ndarray:
        from ockham.networks.classes.profiles import memberships

        return memberships(self.models[n_classes], self.fits[n_classes].parameters, self.data)

    def _profile_records(self, n_classes: int) -> "list[tuple[str, str, np.ndarray]]":
        from ockham.networks.classes.profiles import profile_records

        return profile_records(self.models[n_classes], self.fits[n_classes].parameters, self.labels)

    def _sections(self) -> "list[Section]":
        from ockham.networks.classes.profiles import sections

        return sections(self)

    @property
    def _forms(self) -> Forms:
        from ockham.networks.classes.methods import methods
        from ockham.networks.classes.results import remarks, result_rows, results
        from ockham.table_results.selection_showing import headline

        return Forms("classes", results, result_rows, headline, remarks, methods, "selection.html.j2")
