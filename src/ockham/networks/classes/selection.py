"""What a table says of its number of latent classes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ockham.estimation.certifying import Certified
from ockham.estimation.model_posterior import ModelPosterior
from ockham.io.extras import naming_extras
from ockham.networks.classes.fits import ClassFit
from ockham.networks.classes.priors import Prior
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.table_results import Forms, TableResult

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import xarray as xr

__all__ = ["Selection", "UnderPrior"]


@dataclass(frozen=True, eq=False)
class UnderPrior:
    """What is known under one prior.

    Attributes
    ----------
    prior : Prior
    models : mapping of int to DiscreteNetwork
        By the number of classes.
    evidences : mapping of int to Certified
    posterior : ModelPosterior
        Of the number of classes, under a uniform prior.
    """

    prior: Prior
    models: Mapping[int, DiscreteNetwork]
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

    main: UnderPrior
    others: tuple[UnderPrior, ...]
    fits: Mapping[int, ClassFit]

    @property
    def classes(self) -> tuple[int, ...]:
        """The numbers of classes that were compared."""
        return tuple(self.main.models)

    @property
    def models(self) -> dict[int, DiscreteNetwork]:
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
        from ockham.networks.classes.drawing import draw

        return draw(self, axes)

    @naming_extras()
    def to_xarray(self) -> "xr.Dataset":
        """Everything but the data, which may be nobody else's business."""
        from ockham.networks.classes.storing import to_xarray

        return to_xarray(self)

    @naming_extras()
    def to_html(self) -> str:
        """A page that stands by itself."""
        from ockham.networks.classes.page import parts

        return self._page(**parts(self))

    @property
    def _forms(self) -> Forms:
        from ockham.networks.classes.methods import methods
        from ockham.networks.classes.results import headline, remarks, result_rows, results

        return Forms("classes", results, result_rows, headline, remarks, methods, "selection.html.j2")
