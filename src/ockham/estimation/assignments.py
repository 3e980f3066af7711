"""One name for each of a number of alike parts: the assignment of the largest total."""

import numpy as np

from ockham.kernels import assignments

__all__ = ["best_assignments"]


def best_assignments(tables: np.ndarray) -> np.ndarray:
    """The column of every row, shape (n, r), by which the entries of each table, shape (n, r, r), have the largest sum.

    Raises
    ------
    ValueError
        For entries that are not finite.
    """
    n, r, _ = tables.shape
    found = np.empty((n, r), dtype=np.int32)
    size = assignments.work_size(r)
    assignments.run(
        np.ascontiguousarray(tables, dtype=np.float64), found, np.empty(size), np.empty(size, dtype=np.int32)
    )
    return found
