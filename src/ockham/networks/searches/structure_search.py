"""What a search over structures found on a table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ockham.errors import ConfigError
from ockham.io.arguments import shown
from ockham.io.extras import naming_extras
from ockham.networks.classes.priors import Prior
from ockham.networks.comparisons.comparison import Comparison
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.searches.climbing import Limits
from ockham.table_results.results import Forms, TableResult

if TYPE_CHECKING:
    import networkx
    import numpy as np
    import xarray as xr

__all__ = ["StructureSearch"]


@dataclass(frozen=True, eq=False, repr=False)
class StructureSearch(TableResult):
    """Graphs with the highest scores, and what speaks for each; the highest evidence first.

    Attributes
    ----------
    judged : Comparison
        Their evidences, Bayes factors and probabilities among each other.
    score : {"cheeseman_stutz", "variational_bayes"}
        What the search climbed.
    scores : mapping of str to float
        This lower bound of the log evidence, by the name of the graph, nats; of one mode alone.
    prior : Prior
    limits : Limits
        On parents, hidden variables and their values.
    n_graphs : int
        Classes of equivalent graphs that the search came to.
    n_climbs, n_starts : int
        Climbs that ended, and those that were asked for.
    n_judged : int
        Graphs that were to be judged.
    """

    judged: Comparison
    score: str
    scores: Mapping[str, float]
    prior: Prior
    limits: Limits
    n_graphs: int
    n_climbs: int
    n_starts: int
    n_judged: int

    @property
    def models(self) -> Mapping[str, DiscreteNetwork]:
        """The networks of the graphs, which ``ockham.compare`` takes."""
        return self.judged.models

    @property
    def best(self) -> DiscreteNetwork | None:
        """The network of the highest evidence; None where errors, or what is unknown, leave it open."""
        return None if self.judged.best is None else self.models[self.judged.best]

    def to_yaml(self, name: str | None = None) -> str:
        """A graph, by default the first, as a file that ``ockham.compare`` takes: the keys of a listed structure.

        Raises
        ------
        ConfigError
            For a name that none has.
        """
        from ockham.networks.searches.exporting import to_yaml

        return to_yaml(self._model(name))

    @naming_extras()
    def to_networkx(self, name: str | None = None) -> "networkx.DiGraph":
        """A graph, by default the first, whose nodes have ``cardinality`` and ``hidden``.

        Raises
        ------
        ConfigError
            For a name that none has, or without networkx.
        """
        from ockham.networks.searches.exporting import to_networkx

        return to_networkx(self._model(name))

    @naming_extras()
    def plot(self, axes: Any = None) -> "np.ndarray":
        """Log evidences and scores, and p(model | data), on two axes of Matplotlib; returns these."""
        from ockham.networks.searches.drawing import draw

        return draw(self, axes)

    def _model(self, name: Any) -> DiscreteNetwork:
        first, *_ = self.models
        if name is not None and (not isinstance(name, str) or name not in self.models):
            raise ConfigError(f"name: {shown(name)} is none of {', '.join(map(repr, self.models))}")
        return self.models[first if name is None else name]

    @naming_extras()
    def to_xarray(self) -> "xr.Dataset":
        """Everything but the data, which may be nobody else's business."""
        from ockham.networks.searches.storing import to_xarray

        return to_xarray(self)

    @property
    def _forms(self) -> Forms:
        from ockham.networks.searches.methods import methods
        from ockham.networks.searches.showing import headline, remarks, result_rows, results

        return Forms("model", results, result_rows, headline, remarks, methods, "search.html.j2")
