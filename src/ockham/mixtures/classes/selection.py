"""What a table of mixed items says of its number of latent classes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ockham.io.extras import naming_extras
from ockham.mixtures.classes.fit_statistics import memberships
from ockham.mixtures.classes.fits import ESTIMATES
from ockham.table_results.results import Forms
from ockham.table_results.selection import Selection

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from ockham.mixtures.classes.describing import Description
    from ockham.table_results.pages.rendering import Section

__all__ = ["MixedSelection"]


@dataclass(frozen=True, eq=False, repr=False)
class MixedSelection(Selection):
    """With ``FiniteMixture`` as models, and ``MixedRows`` as data.

    Attributes
    ----------
    cells : ndarray, shape (n_rows, n_items)
        The rows in the table's order, NaN where a cell is missing; labels of states as their index.
    description : Description, optional
        Posterior draws of the number of classes ``described``, and posterior predictive checks of it, as
        ``ockham.fit_classes`` has them, from fewer draws; None where there was no time for them.
    """

    estimates = ESTIMATES
    drawn = ("bic", "cheeseman_stutz", "variational_bayes")

    cells: np.ndarray
    description: "Description | None" = None

    @naming_extras()
    def plot_profiles(self, n_classes: int | None = None) -> "Figure":
        """A picture of the items in each class at the MAP fit: bars of states, densities, and rates."""
        from ockham.mixtures.classes.drawing import map_figure

        return map_figure(self, self.fitted(n_classes))

    @naming_extras()
    def to_xarray(self) -> "xr.Dataset":
        """Everything but the data, which may be nobody else's business."""
        from ockham.mixtures.classes.storing import to_xarray

        return to_xarray(self)

    def _memberships(self, n_classes: int) -> np.ndarray:
        return memberships(self.models[n_classes], self.fits[n_classes].parameters, self.cells)

    def _profile_records(self, n_classes: int) -> "list[tuple[str, str, np.ndarray]]":
        from ockham.mixtures.classes.showing import profile_records

        return profile_records(self, n_classes)

    def _sections(self) -> "list[Section]":
        from ockham.mixtures.classes.showing import sections

        return sections(self)

    @property
    def _forms(self) -> Forms:
        from ockham.mixtures.classes.methods import methods
        from ockham.mixtures.classes.showing import remarks, result_rows, results
        from ockham.table_results.selection_showing import headline

        return Forms("classes", results, result_rows, headline, remarks, methods, "selection.html.j2")
