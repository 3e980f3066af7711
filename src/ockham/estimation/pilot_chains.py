"""Pilot chains that the steps of annealing are found on, the same for all runs of a cell."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from ockham.contracts import Settings
from ockham.estimation.tuned_steps import tuned_steps
from ockham.streams import Stream

__all__ = ["Pilot", "steps"]

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


def steps(given: int | None, pilot: Pilot) -> tuple[int, int]:
    """The number of steps, and the steps that the pilot took: those given, and none, or those that the pilot finds.

    They leave the wanted effective share also where the pilot knows half of the spread only.
    """
    return _found(pilot) if given is None else (given, 0)


@lru_cache(maxsize=1)  # the runs of a cell follow each other
def _found(pilot: Pilot) -> tuple[int, int]:
    def stretched(n_steps: int) -> np.ndarray:
        weights = pilot.log_weights(n_steps, Stream(pilot.root, *pilot.name, n_steps))
        return weights.mean() + STRETCH * (weights - weights.mean())

    return tuned_steps(stretched, pilot.least, pilot.most)
