"""What a table says of its number of latent classes, whatever its items are."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from ockham.contracts import Estimator, Evidence
from ockham.errors import ConfigError
from ockham.estimation.certifying import Certified
from ockham.estimation.model_posterior import ModelPosterior
from ockham.io.arguments import shown
from ockham.io.extras import naming_extras
from ockham.table_results.results import TableResult

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import xarray as xr

    from ockham.table_results.pages.rendering import Section

__all__ = ["ClassFit", "ClassPrior", "Selection", "UnderPrior"]


class ClassPrior(Protocol):
    """A prior of class sizes and profiles; equal ones are the same."""

    @property
    def name(self) -> str:
        """As results have it."""


class ClassFit(Protocol):
    """Fits of one number of classes."""

    @property
    def scores(self) -> Mapping[str, Evidence]:
        """Over runs, by the names of ``Selection.estimates``."""


@dataclass(frozen=True, eq=False)
class UnderPrior:
    """What is known under one prior.

    Attributes
    ----------
    prior : Prior
        Of the family, with a ``name``.
    models : mapping of int to model
        By the number of classes.
    evidences : mapping of int to Certified
    posterior : ModelPosterior
        Of the number of classes, under a uniform prior.
    """

    prior: Any
    models: Mapping[int, Any]
    evidences: Mapping[int, Certified]
    posterior: ModelPosterior


@dataclass(frozen=True, eq=False, repr=False)
class Selection(TableResult):
    """Numbers of latent classes, and what speaks for each.

    Attributes
    ----------
    main : UnderPrior
        Under the first prior, which ``table`` and ``posterior`` have.
    others : tuple of UnderPrior
        Under each other prior, at a larger error.
    fits : mapping of int to ClassFit
        Under the first prior, by the number of classes; only those that there was time for.
    """

    estimates: ClassVar[Mapping[str, Estimator]]
    """What fits have scores of."""
    drawn: ClassVar[tuple[str, ...]]
    """Those of them that the picture has."""

    main: UnderPrior
    others: tuple[UnderPrior, ...]
    fits: Mapping[int, Any]

    @property
    def classes(self) -> tuple[int, ...]:
        """The numbers of classes that were compared."""
        return tuple(self.main.models)

    @property
    def models(self) -> dict[int, Any]:
        """The models under the first prior, by the number of classes."""
        return dict(self.main.models)

    @property
    def evidences(self) -> dict[int, Certified]:
        """Their evidences."""
        return dict(self.main.evidences)

    @property
    def posterior(self) -> ModelPosterior:
        """p(K | data) under the first prior, and a uniform one over the numbers of classes."""
        return self.main.posterior

    @property
    def chosen(self) -> int | None:
        """The number of classes of the highest evidence; None where errors, or what is unknown, leave it open."""
        return self.posterior.chosen

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

    def fitted(self, n_classes: int | None = None) -> int:
        """The given number of classes, or the one ``described``; a ConfigError where it has no fit."""
        k = self.described if n_classes is None else n_classes
        if k is None or k not in self.fits:
            what = "no evidence is known" if k is None else f"{shown(k)} has no fit"
            given = ", ".join(map(str, self.fits)) or "none; allow more seconds"
            raise ConfigError(f"n_classes: {what}; there are fits of {given}")
        return k

    @naming_extras()
    def memberships(self, n_classes: int | None = None) -> "pd.DataFrame":
        """p(class | row) at the MAP fit of a number of classes, a row for each of the table, in its order.

        By default of the number of classes ``described``. At single parameters, so their uncertainty is
        left out.
        """
        import pandas as pd

        k = self.fitted(n_classes)
        return pd.DataFrame(self._memberships(k), columns=pd.Index([f"class {c + 1}" for c in range(k)]))

    @naming_extras()
    def profiles(self, n_classes: int | None = None) -> "pd.DataFrame":
        """What items are like in each class at the MAP fit, in their units: rows (item, quantity), the sizes first."""
        import pandas as pd

        k = self.fitted(n_classes)
        records = self._profile_records(k)
        return pd.DataFrame(
            [values for *_, values in records],
            index=pd.MultiIndex.from_tuples([(item, what) for item, what, _ in records], names=["item", "quantity"]),
            columns=pd.Index([f"class {c + 1}" for c in range(k)]),
        )

    @abstractmethod
    def _memberships(self, n_classes: int) -> "np.ndarray":
        """p(class | row) of the rows of the table, shape (n_rows, n_classes)."""

    @abstractmethod
    def _profile_records(self, n_classes: int) -> "list[tuple[str, str, np.ndarray]]":
        """Item, quantity and its values in the classes, shape (n_classes,); the sizes first."""

    @cached_property
    @naming_extras()
    def panel(self) -> "pd.DataFrame":
        """p(K | data) under every prior, NaN where unknown, and in words which number of classes leads."""
        import pandas as pd

        every = (self.main, *self.others)
        found = pd.DataFrame(
            [under.posterior.probability for under in every],
            index=pd.Index([under.prior.name for under in every], name="prior"),
            columns=pd.Index(self.classes, name="classes"),
        )
        found.insert(0, "leads", [str(under.posterior) for under in every])
        return found

    @naming_extras()
    def plot(self, axes: Any = None) -> "np.ndarray":
        """Evidences and scores by the number of classes, and p(K | data), on two axes of Matplotlib; returns these."""
        from ockham.table_results.selection_drawing import draw

        return draw(self, axes)

    @naming_extras()
    def to_html(self) -> str:
        """A page that stands by itself."""
        from ockham.table_results.selection_drawing import picture
        from ockham.table_results.selection_showing import panel_rows

        return self._page(picture=picture(self), panel=panel_rows(self), sections=self._sections())

    @abstractmethod
    def to_xarray(self) -> "xr.Dataset":
        """Everything but the data, which may be nobody else's business."""

    def _sections(self) -> "list[Section]":
        """What the page has on fits."""
        return []
