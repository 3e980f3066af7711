"""The standard error of any estimate from independent groups of draws, such as chains, without a model of the draws."""

from collections.abc import Callable, Mapping

import numpy as np

__all__ = ["jackknife_errors"]


def jackknife_errors(estimates: Callable[[np.ndarray], Mapping[str, float]], n_groups: int) -> dict[str, float]:
    """Standard errors of estimates, by name, in their own units, from what they are without each group.

    Parameters
    ----------
    estimates : callable
        Takes which groups count, an array of bool of shape (n_groups,), and returns the estimates from these.
    n_groups : int
        At least two.

    Notes
    -----
    The square is (g - 1) / g times the sum of squared deviations of the g estimates from their mean; [Miller1974].
    It is consistent for smooth functions of means, however the draws within a group depend on each other.
    """
    found = [estimates(np.arange(n_groups) != left_out) for left_out in range(n_groups)]
    return {
        name: float(np.sqrt(n_groups - 1) * np.std([each[name] for each in found]))  # n_groups times the mean square
        for name in found[0]
    }
