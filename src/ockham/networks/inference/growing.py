"""States of the posterior of a discrete network that are begun at the prior and led to it over growing data.

Along what the data leave open, a Gibbs sweep goes less far the more data there are. Few data are forgotten in few
sweeps, and more of them leave open what they did: so the states are spread over all of it.
"""

import numpy as np

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import gibbs

__all__ = ["grown", "n_sizes"]

FIRST_SIZE = 10
"""Rows; then twice as many, and so on."""


def n_sizes(data: UniqueRows) -> int:
    """How many sizes the data grow through, with their own."""
    return 1 + max(0, int(np.ceil(np.log2(data.n / FIRST_SIZE))))


def grown(
    network: DiscreteNetwork, data: UniqueRows, rng: np.random.Generator, n_states: int, n_sweeps: int
) -> list[np.ndarray]:
    """Logs of parameters, each of shape (n_entries,), after so many sweeps at every size; rows in random order."""
    order = rng.permutation(np.repeat(np.arange(len(data.counts)), data.counts))
    states = [sample_log(network, rng) for _ in range(n_states)]
    for k in range(n_sizes(data)):
        counts = np.bincount(order[: FIRST_SIZE << k], minlength=len(data.counts))
        seen = UniqueRows(data.rows[counts > 0], counts[counts > 0])
        states = [gibbs.run(network, seen, state, rng, n_sweeps).log_parameters for state in states]
    return states
