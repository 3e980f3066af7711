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
    everything = 2**n_cases - 1
    log_partitions = np.full(2**n_cases, -np.inf)
    log_partitions[0] = 0.0
    total, log_namings = -np.inf, 0.0
    for b in range(1, min(n_cases, n_classes) + 1):
        log_partitions = _one_block_more(log_block, log_partitions)
        log_namings += np.log(n_classes - b + 1)
        total = np.logaddexp(total, log_namings + log_partitions[everything])
    return float(total)


def _one_block_more(log_block: np.ndarray, log_partitions: np.ndarray) -> np.ndarray:
    """Log of the sums over partitions of every set into one block more; the block of the lowest case is the new one."""
    more = np.full(len(log_block), -np.inf)
    for whole in range(1, len(log_block)):
        lowest = whole & -whole
        rest = whole ^ lowest
        blocks = np.array([lowest])
        while rest:
            case = rest & -rest
            blocks = np.concatenate([blocks, blocks | case])
            rest ^= case
        more[whole] = np.logaddexp.reduce(log_block[blocks] + log_partitions[whole ^ blocks])
    return more
