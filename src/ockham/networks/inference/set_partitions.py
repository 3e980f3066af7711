"""A sum over all ways to put cases into classes without names, for one hidden variable whose values are exchangeable.

A completion is a partition of the cases into blocks, one for every class in use. Its probability is a product over the
blocks, and so the sum over partitions goes from small sets of cases to large ones: 3^n steps for a number of classes,
where completions are r^n ([ChickeringHeckerman1997], section 4.4, sums the latter for N = 10).
"""

import numpy as np

__all__ = ["MAX_CASES", "log_sum", "n_terms"]

MAX_CASES = 14


def n_terms(n_cases: int, n_classes: int) -> int:
    """Number of terms that ``log_sum`` adds up."""
    return 3**n_cases * min(n_cases, n_classes)


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
    n_cases = len(cells)
    sets = np.arange(2**n_cases)
    members = (sets[:, None] >> np.arange(n_cases)) & 1
    log_block = np.zeros(2**n_cases)
    for contributions, cell in zip(log_factors, cells.T, strict=True):
        log_block += contributions[members @ cell.astype(np.int64)]
    most = min(n_cases, n_classes)
    log_partitions = np.full((2**n_cases, most + 1), -np.inf)  # of a set, by the number of blocks
    log_partitions[0, 0] = 0.0
    for whole in range(1, 2**n_cases):
        blocks = _blocks_of_the_lowest(whole)
        log_partitions[whole, 1:] = np.logaddexp.reduce(
            log_block[blocks, None] + log_partitions[whole ^ blocks, :-1], axis=0
        )
    return float(np.logaddexp.reduce(_log_namings(n_classes, most) + log_partitions[-1, 1:]))


def _log_namings(n_classes: int, most: int) -> np.ndarray:
    """ln r! / (r - b)! for b = 1 to ``most`` blocks: the ways to give them different classes."""
    return np.cumsum(np.log(n_classes - np.arange(most)))


def _blocks_of_the_lowest(whole: int) -> np.ndarray:
    """The subsets of a set that have its lowest case."""
    lowest = whole & -whole
    rest, blocks = whole ^ lowest, np.array([lowest])
    while rest:
        case = rest & -rest
        blocks = np.concatenate([blocks, blocks | case])
        rest ^= case
    return blocks
