"""Pilot chains that the steps of annealing are found on, the same for all runs of a cell."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ockham.contracts import NO_DOUBT, Doubt, Settings
from ockham.estimation.tuned_steps import CLOSE, tuned_steps
from ockham.streams import Stream

__all__ = ["Pilot", "Steps", "steps"]

STRETCH = 2.0
"""By how much the log weights of a pilot may be closer than those of all chains: eight normal values are as close, or
closer, with a chance of one in forty. Too few steps leave weights a long tail to the right, of which a few chains know
nothing: their mean is then too low, and they do not tell."""


@dataclass(frozen=True)
class Pilot:
    """Chains apart from those of the runs; two pilots are alike where all but their functions are.

    Attributes
    ----------
    log_weights : callable
        Those of ``tuned_steps.N_PILOT`` new chains, nats, given a number of steps and a stream.
    settings : Settings
    least, most : int
        Between which the number of steps is, both included.
    root : int
        The root seed.
    name : tuple of str
        Of their streams, such as what they are for, and the digests of model and data.
    """

    log_weights: Callable[[int, Stream], np.ndarray] = field(compare=False)
    settings: Settings
    least: int
    most: int
    root: int
    name: tuple[str, ...]


class Steps(NamedTuple):
    """How many steps a run has, how many the pilot took, and what is to be doubted of the run by it."""

    n_steps: int
    n_pilot: int
    doubt: Doubt


def steps(given: int | None, pilot: Pilot) -> Steps:
    """The steps that are given, or those that the pilot finds.

    They leave the wanted effective share also where the pilot knows half of the spread only. Where its weights never
    come close, however many the steps, a few chains may agree and be wrong all the same.
    """
    return _found(pilot) if given is None else Steps(given, 0, NO_DOUBT)


@lru_cache(maxsize=1)  # the runs of a cell follow each other
def _found(pilot: Pilot) -> Steps:
    stretched: list[np.ndarray] = []

    def log_weights(n_steps: int) -> np.ndarray:
        weights = pilot.log_weights(n_steps, Stream(pilot.root, *pilot.name, n_steps))
        with np.errstate(invalid="ignore"):  # of chains that have diverged
            stretched.append(weights.mean() + STRETCH * (weights - weights.mean()))
        return stretched[-1]

    n_steps, n_pilot = tuned_steps(log_weights, pilot.least, pilot.most)
    close = np.std(stretched[-1], ddof=1) <= CLOSE
    return Steps(n_steps, n_pilot, NO_DOUBT if close else Doubt.NOT_MIXED)
