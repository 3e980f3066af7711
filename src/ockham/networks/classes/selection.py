"""What a table says of its number of latent classes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ockham.estimation.certifying import Certified
from ockham.estimation.model_posterior import ModelPosterior
from ockham.io.extras import naming_extras
from ockham.io.frames import Note
from ockham.networks.classes.fits import ClassFit
from ockham.networks.classes.priors import Prior
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork

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
class Selection:
    """Numbers of latent classes, and what speaks for each.

    Attributes
    ----------
    data : UniqueRows
        The distinct rows of the table.
    labels : mapping of str to tuple of str
        The items, and what their states are called.
    notes : tuple of Note
        What each column was read as, and warnings.
    main : UnderPrior
        Under the first prior, which ``table`` and ``posterior`` have.
    others : tuple of UnderPrior
        Under each other prior, at a larger error.
    fits : mapping of int to ClassFit
        Under the first prior, by the number of classes; only those that there was time for.
    error : float
        Standard error of the log evidences that was asked for, in nats.
    seed : int
    seconds : float
        Wall time.
    interrupted : bool
        Whether Ctrl-C ended it.
    """

    data: UniqueRows
    labels: Mapping[str, tuple[str, ...]]
    notes: tuple[Note, ...]
    main: UnderPrior
    others: tuple[UnderPrior, ...]
    fits: Mapping[int, ClassFit]
    error: float
    seed: int
    seconds: float
    interrupted: bool

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
    def table(self) -> "pd.DataFrame":
        """Everything by the number of classes; log evidences and scores in nats, NaN where unknown."""
        import pandas as pd

        from ockham.networks.classes.results import results

        return pd.DataFrame(results(self)).set_index("classes")

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

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """What a reader of the results should know, in sentences."""
        from ockham.networks.classes.results import remarks

        return tuple(remarks(self))

    @cached_property
    def methods(self) -> str:
        """A paragraph for a paper on what was done, with citations."""
        from ockham.networks.classes.methods import methods

        return methods(self)

    @property
    def references(self) -> tuple[str, ...]:
        """What ``methods`` cites."""
        from ockham.networks.classes.methods import references

        return references(self.methods)

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
        from ockham.networks.classes.page import page

        return page(self)

    def __repr__(self) -> str:
        from ockham.networks.classes.results import headline

        return f"<Selection: {headline(self)}>"

    def _repr_html_(self) -> str:
        from ockham.networks.classes.results import result_rows
        from ockham.networks.pages.rendering import excerpt

        return excerpt(result_rows(self), self.remarks)
