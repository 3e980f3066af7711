"""Sums over all names of exchangeable classes: permanents of what each class says under each name.

A posterior that does not change with the names has every mode K! times. What a class of the parameters and a class of a
completion say together is a sum of products, and the sum over all names is the permanent of these K times K numbers.
"""

import numpy as np

from ockham.kernels import permanents

__all__ = ["AT_ONCE", "MAX_CLASSES", "log_permanent"]

MAX_CLASSES = 10
"""Classes whose names are averaged over at many points; the work doubles with each."""
AT_ONCE = 2**21
"""Numbers of the tables that are held at one time."""


def log_permanent(logs: np.ndarray) -> np.ndarray:
    """Log permanents of exp(logs), finite, shape (..., k, k)."""
    k = logs.shape[-1]
    tables = np.ascontiguousarray(logs).reshape(-1, k, k)
    found = np.empty(len(tables))
    permanents.run(tables, found, np.empty(permanents.work_size(k)))
    return found.reshape(logs.shape[:-2])
