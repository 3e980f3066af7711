"""Evidence of graphical models with hidden variables.

The models, data and scorers that the workflow uses::

    import ockham

    network = ockham.DiscreteNetwork.build({"s": 2, "y1": 3, "y2": 3}, {"y1": ["s"], "y2": ["s"]}, hidden=["s"])
    data = [[0, 1], [2, 2], [0, 1], [1, 0]]
    print(ockham.score(network, data, "vb")["variational_bayes"].log_evidence)
"""

from ockham.api import evidence, score
from ockham.contracts import Doubt, Estimator, Evidence
from ockham.errors import ConfigError, DataError, ModelError, OckhamError, OckhamWarning, StoreError
from ockham.families import family_of, scorer_names
from ockham.io.frames import CategoricalTable, read_table
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann
from ockham.networks.classes.averaging import average_classes
from ockham.networks.classes.fitted import fit_classes
from ockham.networks.classes.selecting import select
from ockham.networks.classes.selection import Selection
from ockham.networks.comparisons.comparing import compare
from ockham.networks.comparisons.comparison import Comparison
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.searches.searching import search
from ockham.networks.searches.structure_search import StructureSearch
from ockham.networks.structure_space import bipartite, listed, naive_bayes
from ockham.orders.graph_posterior import GraphPosterior
from ockham.orders.learning import arcs
from ockham.orders.space import OrderSpace

__all__ = [
    "CategoricalTable",
    "Comparison",
    "ConfigError",
    "DataError",
    "DiscreteNetwork",
    "Doubt",
    "Estimator",
    "Evidence",
    "GraphPosterior",
    "ModelError",
    "OckhamError",
    "OckhamWarning",
    "OrderSpace",
    "RestrictedBoltzmann",
    "Selection",
    "StoreError",
    "StructureSearch",
    "UniqueRows",
    "arcs",
    "average_classes",
    "bipartite",
    "compare",
    "draw",
    "evidence",
    "fit_classes",
    "listed",
    "naive_bayes",
    "read_table",
    "score",
    "scorers",
    "search",
    "select",
]


def scorers(model) -> tuple[str, ...]:
    """The scorers that a model can be given to."""
    return scorer_names(family_of(model).name)
