"""How many steps annealing takes so that its chains have weights that are nearly alike, by pilot chains."""

from collections.abc import Callable
from math import ceil, log

import numpy as np

__all__ = ["EFFECTIVE_SHARE", "N_PILOT", "tuned_steps"]

EFFECTIVE_SHARE = 0.9
"""Effective sample size of the weights that is wanted, over the number of chains."""
N_PILOT = 8
"""Chains of a pilot."""
GROWTH = 4
"""Of the steps, from one pilot to the next."""
CLOSE = 2.0
"""Nats: log weights that vary by no more have a variance that falls at least as fast as the steps rise."""


def tuned_steps(log_weights: Callable[[int], np.ndarray], least: int, most: int) -> tuple[int, int]:
    """Steps that leave log-normal weights the wanted effective share, and the steps that pilot chains took in all.

    Parameters
    ----------
    log_weights : callable
        Those of new chains with a number of steps, nats, shape (N_PILOT,).
    least, most : int
        Between which the number is, both included.

    Notes
    -----
    Log-normal weights whose logarithms have the variance v have the effective share exp(-v) [Neal2001], and v is
    inversely proportional to the steps where these are many. Until the log weights are close the steps are multiplied,
    and then they follow from v. Where they never are, more steps would be spent on weights of which few count: the
    number is then that of the last pilot.
    """
    n_steps, n_pilot, wanted = least, 0, -log(EFFECTIVE_SHARE)
    while True:
        weights = log_weights(n_steps)
        n_pilot += len(weights) * n_steps
        variance = float(np.var(weights, ddof=1)) if np.isfinite(weights).all() else np.inf
        if variance <= CLOSE**2:
            return min(most, max(least, ceil(n_steps * variance / wanted))), n_pilot
        if n_steps * GROWTH >= most:
            return n_steps, n_pilot
        n_steps *= GROWTH
