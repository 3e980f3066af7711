"""Tables sampled from a random network, for trials that need no archive."""

import numpy as np

from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.orders.data.structure_data import StructureData
from ockham.streams import Stream

__all__ = ["sample_table"]

MOST_PARENTS, N_VALUES = 2, 2


def sample_table(n_variables: int, n_rows: int, stream: Stream) -> StructureData:
    """Rows of binary variables, each with up to two parents among those before it and parameters from a flat prior.

    More rows of the same stream begin with the fewer.
    """
    names = tuple(f"x{v + 1}" for v in range(n_variables))
    rng = stream.child("network").generator()
    parents = {
        name: [names[u] for u in sorted(rng.choice(v, size=min(v, MOST_PARENTS), replace=False))]
        for v, name in enumerate(names)
    }
    network = DiscreteNetwork.build(dict.fromkeys(names, N_VALUES), parents)
    parameters = np.exp(sample_log(network, stream.child("parameters").generator()))
    states = draw(network, parameters, n_rows, stream.child("rows").generator()).astype(np.int16)
    values = tuple(str(value) for value in range(N_VALUES))
    return StructureData(names, (values,) * n_variables, states)
