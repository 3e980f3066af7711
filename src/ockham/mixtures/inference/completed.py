"""Densities of parameters given completed rows, averaged over completions and over the names of the classes.

The posterior does not change with the names, so an average over all K! of them is a proposal that has every mode
([FruehwirthSchnatter2004]). What a class of the parameters and a class of a completion say together is a sum of
products, and the sum over all names is the permanent of these K times K numbers.
"""

from math import lgamma
from typing import Any

import numpy as np

from ockham.errors import ModelError
from ockham.kernels import permanents
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums

__all__ = ["MAX_CLASSES", "check_classes", "log_densities", "log_permanent"]

MAX_CLASSES = 10
"""Classes whose names are averaged over; the work doubles with each."""
AT_ONCE = 2**21
"""Numbers of the tables that are held at one time."""


def check_classes(model: FiniteMixture, n: int = 0, settings: Any = None) -> None:
    """Raise a ModelError for more classes than can be renamed."""
    if model.n_classes > MAX_CLASSES:
        raise ModelError(
            f"{model.n_classes} classes have too many names to average over; {MAX_CLASSES} are allowed: take smc"
        )


def log_densities(model: FiniteMixture, parameters: Parameters, completions: Sums) -> np.ndarray:
    """ln of the mean of p(parameters | completion) over completions and names, in the bases of the items; nats.

    Parameters
    ----------
    parameters : Parameters
        Of leading shape (n_points,).
    completions : Sums
        Of leading shape (n_completions,).

    Returns
    -------
    ndarray, shape (n_points, n_completions)
        Of every completion by itself, averaged over names.

    Notes
    -----
    p(theta | S) = exp(theta . S) p(theta) / m(S), where m is the evidence of the completed rows.
    """
    n_points, n_completions, k = len(parameters.log_weights), len(completions.cases), model.n_classes
    found = np.empty((n_points, n_completions))
    log_marginal, log_prior = model.log_marginal(completions), model.log_prior(parameters)
    n_at_once = max(1, AT_ONCE // (k**2 * n_completions))
    for first in range(0, n_points, n_at_once):
        part = slice(first, first + n_at_once)
        pairs = np.einsum("pks,ljs->plkj", parameters.natural[part], completions.items, optimize=True)
        pairs += parameters.log_weights[part, None, :, None] * completions.cases[:, None, :]
        found[part] = log_permanent(pairs)
    return found + log_prior[:, None] - log_marginal - lgamma(k + 1)


def log_permanent(logs: np.ndarray) -> np.ndarray:
    """Log permanents of exp(logs), finite, shape (..., k, k)."""
    k = logs.shape[-1]
    tables = np.ascontiguousarray(logs).reshape(-1, k, k)
    found = np.empty(len(tables))
    permanents.run(tables, found, np.empty(permanents.work_size(k)))
    return found.reshape(logs.shape[:-2])
