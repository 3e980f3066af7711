"""What ``import ockham`` offers, and where it stands."""

from .api.fitting import fit_classes
from .api.growing import evidence_by_size
from .api.scoring import evidence, score, scorers
from .api.selecting import select
from .contracts import Doubt, Estimator, Evidence
from .errors import ConfigError, DataError, ModelError, OckhamError, OckhamWarning, StoreError
from .io.frames import CategoricalTable, read_table
from .machines.restricted_boltzmann import RestrictedBoltzmann
from .mixtures.data.tables import read_mixed_table
from .mixtures.finite_mixture import FiniteMixture
from .networks.comparisons.comparing import compare
from .networks.comparisons.comparison import Comparison
from .networks.data.ancestral_sampling import draw
from .networks.data.unique_rows import UniqueRows
from .networks.discrete_network import DiscreteNetwork
from .networks.searches.searching import search
from .networks.searches.structure_search import StructureSearch
from .networks.structure_space import bipartite, listed, naive_bayes
from .orders.graph_posterior import GraphPosterior
from .orders.learning import arcs
from .orders.space import OrderSpace
from .table_results.fitted.averaging import average_classes
from .table_results.selection import Selection

__all__ = [
    "CategoricalTable",
    "Comparison",
    "ConfigError",
    "DataError",
    "DiscreteNetwork",
    "Doubt",
    "Estimator",
    "Evidence",
    "FiniteMixture",
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
    "evidence_by_size",
    "fit_classes",
    "listed",
    "naive_bayes",
    "read_mixed_table",
    "read_table",
    "score",
    "scorers",
    "search",
    "select",
]
