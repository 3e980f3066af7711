"""What a table says of some networks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ockham.estimation.certifying import Certified
from ockham.estimation.model_posterior import BayesFactor, ModelPosterior
from ockham.io.extras import naming_extras
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.table_results.results import Forms, TableResult

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Comparison"]


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(TableResult):
    """Networks by name, those of the highest evidence first and those of unknown evidence last.

    Attributes
    ----------
    models : mapping of str to DiscreteNetwork
    evidences : mapping of str to Certified
    posterior : ModelPosterior
        p(model | data) under equal prior odds.
    bayes_factors : mapping of str to BayesFactor
        Log Bayes factors against the first model, in nats.
    """

    models: Mapping[str, DiscreteNetwork]
    evidences: Mapping[str, Certified]
    posterior: ModelPosterior[str]
    bayes_factors: Mapping[str, BayesFactor]

    @property
    def best(self) -> str | None:
        """The model of the highest evidence; None where errors, or what is unknown, leave it open."""
        return self.posterior.chosen

    @naming_extras()
    def to_xarray(self) -> "xr.Dataset":
        """Everything but the data, which may be nobody else's business."""
        from ockham.networks.comparisons.storing import to_xarray

        return to_xarray(self)

    @property
    def _forms(self) -> Forms:
        from ockham.networks.comparisons.methods import methods
        from ockham.networks.comparisons.showing import headline, remarks, result_rows, results

        return Forms("model", results, result_rows, headline, remarks, methods, "comparison.html.j2")
