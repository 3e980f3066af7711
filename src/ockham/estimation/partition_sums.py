"""A sum over all ways to put cases into exchangeable classes, by set partitions.

What cases of one class say is a term of their set alone, so the sum over partitions goes from small sets of cases to
large ones: 3^n steps for a number of classes, where assignments are r^n.
"""

import numpy as np

__all__ = ["MAX_CASES", "log_sum", "members", "n_terms"]

MAX_CASES = 14


def n_terms(n_cases: int, n_classes: int) -> int:
    """Number of terms that ``log_sum`` adds up."""
    return 3**n_cases * min(n_cases, n_classes)


def members(n_cases: int) -> np.ndarray:
    """Which cases every set has, 0 or 1, int64, shape (2 ** n_cases, n_cases); the first case counts least."""
    found: np.ndarray = (np.arange(2**n_cases)[:, None] >> np.arange(n_cases)) & 1
    return found


def log_sum(log_block: np.ndarray, n_classes: int) -> float:
    """ln of the sum over partitions into at most r blocks of r! / (r - b)! times the product of their b terms, nats.

    Parameters
    ----------
    log_block : ndarray, shape (2 ** n_cases,)
        Log of the term of every set of cases, in the order of ``members``.
    n_classes : int
        r.
    """
    n_cases = len(log_block).bit_length() - 1
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
