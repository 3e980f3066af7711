"""What a table says of some networks."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ockham.estimation.certifying import Certified
from ockham.estimation.model_posterior import BayesFactor, ModelPosterior
from ockham.io.extras import naming_extras
from ockham.io.frames import Note
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

__all__ = ["Comparison"]


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Networks by name, those of the highest evidence first and those of unknown evidence last.

    Attributes
    ----------
    data : UniqueRows
        The distinct rows of the table.
    labels : mapping of str to tuple of str
        The columns, and what their states are called.
    notes : tuple of Note
        What each column was read as, and warnings.
    models : mapping of str to DiscreteNetwork
    evidences : mapping of str to Certified
    posterior : ModelPosterior
        p(model | data) under equal prior odds.
    bayes_factors : mapping of str to BayesFactor
        Log Bayes factors against the first model, in nats.
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
    models: Mapping[str, DiscreteNetwork]
    evidences: Mapping[str, Certified]
    posterior: ModelPosterior[str]
    bayes_factors: Mapping[str, BayesFactor]
    error: float
    seed: int
    seconds: float
    interrupted: bool

    @property
    def best(self) -> str | None:
        """The model of the highest evidence; None where errors, or what is unknown, leave it open."""
        return self.posterior.chosen

    @cached_property
    @naming_extras()
    def table(self) -> "pd.DataFrame":
        """Everything by model; log evidences and Bayes factors in nats, NaN where unknown."""
        import pandas as pd

        from ockham.networks.comparisons.showing import results

        return pd.DataFrame(results(self)).set_index("model")

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """What a reader of the results should know, in sentences."""
        from ockham.networks.comparisons.showing import remarks

        return tuple(remarks(self))

    @cached_property
    def methods(self) -> str:
        """A paragraph for a paper on what was done, with citations."""
        from ockham.networks.comparisons.methods import methods

        return methods(self)

    @property
    def references(self) -> tuple[str, ...]:
        """What ``methods`` cites."""
        from ockham.networks.classes.methods import references

        return references(self.methods)

    @naming_extras()
    def to_xarray(self) -> "xr.Dataset":
        """Everything but the data, which may be nobody else's business."""
        from ockham.networks.comparisons.storing import to_xarray

        return to_xarray(self)

    def to_html(self) -> str:
        """A page that stands by itself."""
        from ockham.networks.comparisons.showing import headline, result_rows
        from ockham.networks.pages.rendering import page

        return page("comparison.html.j2", self, headline(self), result_rows(self))

    def __repr__(self) -> str:
        from ockham.networks.comparisons.showing import headline

        return f"<Comparison: {headline(self)}>"

    def _repr_html_(self) -> str:
        from ockham.networks.comparisons.showing import result_rows
        from ockham.networks.pages.rendering import excerpt

        return excerpt(result_rows(self), self.remarks)
