"""The kinds of studies that score every structure of a grid, by the model that their files name."""

from ockham.machines.cells import MACHINES
from ockham.studies.cells import NETWORKS
from ockham.studies.study_files import DISCRETE_NETWORK, RESTRICTED_BOLTZMANN

__all__ = ["KINDS"]

KINDS = {DISCRETE_NETWORK: NETWORKS, RESTRICTED_BOLTZMANN: MACHINES}
