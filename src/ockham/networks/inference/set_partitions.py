"""A sum over all ways to put cases into classes without names, for one hidden variable whose values are exchangeable.

A completion is a partition of the cases into blocks, one for every class in use. Its probability is a product over the
blocks, which is summed by sets of cases ([ChickeringHeckerman1997], section 4.4, sums completions for N = 10).
"""

import numpy as np

from ockham.estimation import partition_sums

__all__ = ["log_sum"]


def log_sum(log_factors: np.ndarray, cells: np.ndarray, n_classes: int) -> float:
    """ln of the sum over partitions into at most r blocks of r! / (r - b)! times the product of their b terms, nats.

    Parameters
    ----------
    log_factors : ndarray, shape (n_cells, n_cases + 1)
        What each count of a cell contributes to the log of a block's term.
    cells : ndarray of bool, shape (n_cases, n_cells)
        Which cells each case counts in.
    n_classes : int
        r.
    """
    members = partition_sums.members(len(cells))
    log_block = np.zeros(len(members))
    for contributions, cell in zip(log_factors, cells.T, strict=True):
        log_block += contributions[members @ cell.astype(np.int64)]
    return partition_sums.log_sum(log_block, n_classes)
