"""Sparse priors, under which posteriors have modes in corners that hardly any start, chain or pass comes to."""

from ockham.contracts import NO_DOUBT, Doubt
from ockham.estimation.doubting import SPARSE
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.missing_cells import is_open

__all__ = ["doubt_of_prior"]


def doubt_of_prior(network: DiscreteNetwork, data: UniqueRows | None = None) -> Doubt:
    """What hyperparameters below .1 say against an estimate, where data leave anything to be completed.

    Without data, what they say against every estimate.
    """
    relevant = network.relevant
    completes = bool(relevant.hidden) if data is None else is_open(relevant, data)
    return Doubt.NOT_MIXED if completes and relevant.prior.min() < SPARSE else NO_DOUBT
