"""The kinds of studies that score every structure of a grid, by the model that their files name."""

from ockham.studies.boltzmann_cells import MACHINES
from ockham.studies.cells import NETWORKS
from ockham.study_files import DISCRETE_NETWORK, RESTRICTED_BOLTZMANN

__all__ = ["KINDS"]

KINDS = {DISCRETE_NETWORK: NETWORKS, RESTRICTED_BOLTZMANN: MACHINES}
