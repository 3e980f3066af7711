"""Densities of parameters given completed rows, averaged over completions and over the names of the classes.

The posterior does not change with the names, so an average over all K! of them is a proposal that has every mode
([FruehwirthSchnatter2004]).
"""

from math import lgamma
from typing import Any

import numpy as np

from ockham.errors import ModelError
from ockham.estimation.class_names import AT_ONCE, MAX_CLASSES, log_permanent
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums

__all__ = ["check_classes", "log_densities"]


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
