"""What a table of mixed items says of its number of latent classes."""

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from ockham.errors import ConfigError
from ockham.io.arguments import shown
from ockham.io.extras import naming_extras
from ockham.mixtures.classes.fit_statistics import memberships
from ockham.mixtures.classes.fits import ESTIMATES
from ockham.table_results.results import Forms
from ockham.table_results.selection import Selection

if TYPE_CHECKING:
    import pandas as pd
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

    @property
    def described(self) -> int | None:
        """The number of classes whose fit the page describes: of those with a fit, that of the highest evidence.

        Where an unknown evidence is higher than all that are known, that of the highest lower bound; None where nothing
        is known.
        """
        if leading := [k for k in self.posterior.leading if k in self.fits]:
            return min(leading)
        least = {k: self.evidences[k].at_least for k in self.fits if self.evidences[k].at_least > -inf}
        return max(least, key=least.__getitem__, default=None)

    @naming_extras()
    def memberships(self, n_classes: int | None = None) -> "pd.DataFrame":
        """p(class | row) at the MAP fit of a number of classes, a row for each of the table, in its order.

        By default of the number of classes ``described``. At single parameters, so their uncertainty is
        left out.
        """
        import pandas as pd

        k = self._fitted(n_classes)
        found = memberships(self.models[k], self.fits[k].parameters, self.cells)
        return pd.DataFrame(found, columns=pd.Index([f"class {c + 1}" for c in range(k)]))

    @naming_extras()
    def profiles(self, n_classes: int | None = None) -> "pd.DataFrame":
        """What items are like in each class at the MAP fit, in their units: rows (item, quantity), the sizes first."""
        import pandas as pd

        from ockham.mixtures.classes.showing import profile_records

        k = self._fitted(n_classes)
        records = profile_records(self, k)
        return pd.DataFrame(
            [values for *_, values in records],
            index=pd.MultiIndex.from_tuples([(item, what) for item, what, _ in records], names=["item", "quantity"]),
            columns=pd.Index([f"class {c + 1}" for c in range(k)]),
        )

    @naming_extras()
    def plot_profiles(self, n_classes: int | None = None) -> "Figure":
        """A picture of the items in each class at the MAP fit: bars of states, densities, and rates."""
        from ockham.mixtures.classes.drawing import map_figure

        return map_figure(self, self._fitted(n_classes))

    @naming_extras()
    def to_xarray(self) -> "xr.Dataset":
        """Everything but the data, which may be nobody else's business."""
        from ockham.mixtures.classes.storing import to_xarray

        return to_xarray(self)

    def _fitted(self, n_classes: int | None) -> int:
        k = self.described if n_classes is None else n_classes
        if k is None or k not in self.fits:
            what = "no evidence is known" if k is None else f"{shown(k)} has no fit"
            given = ", ".join(map(str, self.fits)) or "none; allow more seconds"
            raise ConfigError(f"n_classes: {what}; there are fits of {given}")
        return k

    def _sections(self) -> "list[Section]":
        from ockham.mixtures.classes.showing import sections

        return sections(self)

    @property
    def _forms(self) -> Forms:
        from ockham.mixtures.classes.methods import methods
        from ockham.mixtures.classes.showing import remarks, result_rows, results
        from ockham.table_results.selection_showing import headline

        return Forms("classes", results, result_rows, headline, remarks, methods, "selection.html.j2")
