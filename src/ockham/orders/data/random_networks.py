"""Tables sampled from a random network, for trials that need no archive."""

import numpy as np

from ockham.estimation.ancestral_sampling import ancestral_sample
from ockham.kernels import dirichlet
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
    parents = [tuple(sorted(rng.choice(v, size=min(v, MOST_PARENTS), replace=False))) for v in range(n_variables)]
    n_rows_of = [N_VALUES ** len(family) for family in parents]
    starts = np.arange(0, N_VALUES * sum(n_rows_of) + 1, N_VALUES, dtype=np.int32)
    log_parameters = np.empty(starts[-1])
    dirichlet.sample_log(
        stream.child("parameters").generator().bit_generator,
        row_starts=starts,
        shape=np.ones(starts[-1]),
        log_theta=log_parameters,
        work=np.empty(dirichlet.work_size(starts[-1])),
    )
    tables = np.split(np.exp(log_parameters).reshape(-1, N_VALUES), np.cumsum(n_rows_of)[:-1])
    states = ancestral_sample(tables, parents, n_rows, stream.child("rows").generator()).astype(np.int16)
    values = tuple(str(value) for value in range(N_VALUES))
    return StructureData(names, (values,) * n_variables, states)
