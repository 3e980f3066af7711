"""Complete data drawn from tables of conditional probabilities, every variable after its parents."""

from collections.abc import Sequence

import numpy as np

__all__ = ["ancestral_sample"]


def ancestral_sample(
    tables: Sequence[np.ndarray], parents: Sequence[Sequence[int]], n: int, rng: np.random.Generator
) -> np.ndarray:
    """States of all variables, int64, shape (n, n_variables).

    A longer draw from the same stream begins with the shorter one, so data sets of growing size are nested.

    Parameters
    ----------
    tables : sequence of ndarray, shape (n_configurations, n_values)
        Of each variable, the first parent varying slowest.
    parents : sequence of sequence of int
        Indices of the parents of each variable; without a cycle.
    """
    uniforms = rng.random((n, len(tables)))
    states = np.zeros((n, len(tables)), dtype=np.int64)
    waiting = list(range(len(tables)))
    placed: set[int] = set()
    while waiting:
        for i in [i for i in waiting if placed.issuperset(parents[i])]:
            cumulative = np.cumsum(tables[i], axis=1)
            configurations = np.zeros(n, dtype=np.int64)
            for p in parents[i]:
                configurations = configurations * tables[p].shape[1] + states[:, p]
            above = uniforms[:, i, None] * cumulative[configurations, -1:] >= cumulative[configurations]
            states[:, i] = np.minimum(above.sum(axis=1), tables[i].shape[1] - 1)
            waiting.remove(i)
            placed.add(i)
    return states
