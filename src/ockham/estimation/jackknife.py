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
    It is consistent for smooth functions of means of finite variance, however draws within a group hang together.
    """
    found = [estimates(np.arange(n_groups) != left_out) for left_out in range(n_groups)]
    with np.errstate(invalid="ignore"):  # an infinite estimate has no error: NaN
        deviations = {name: np.std([each[name] for each in found]) for name in found[0]}
    return {name: float(np.sqrt(n_groups - 1) * deviation) for name, deviation in deviations.items()}
