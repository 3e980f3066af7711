"""What EM and variational EM share: starts from the prior, the better half of which goes on, and when a climb ends."""

from collections.abc import Callable
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from ockham.estimation.convergence import Search
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters
from ockham.streams import Stream

__all__ = ["Fit", "search", "starts"]


class Climber(Protocol):
    """Where a climb stands."""

    @property
    def objective(self) -> float:
        """What it climbs, nats."""


State = TypeVar("State", bound=Climber)


class Fit(NamedTuple, Generic[State]):
    """Where a search ended.

    Attributes
    ----------
    state : State
    n_iterations : int
        Of the last climb.
    converged : bool
    n_evaluations : int
        Passes over the data in all.
    """

    state: State
    n_iterations: int
    converged: bool
    n_evaluations: int


def starts(model: FiniteMixture, stream: Stream, n: int) -> list[Parameters]:
    """Draws of the prior; more of the same stream begin with the fewer, and all fits of a cell share them."""
    rng = stream.child("initial parameters").generator()
    return [model.sample(model.nothing, rng) for _ in range(n)]


def search(begun: list[State], step: Callable[[State], State], settings: Search, n: int) -> Fit[State]:
    """The climb from the best of several states.

    The better half of them is kept after one step, half of these after two more, and so on with the number of steps
    doubled each time; section 4.1 of [ChickeringHeckerman1997].
    """
    n_evaluations, n_steps = len(begun), 1
    while len(begun) > 1:
        for _ in range(n_steps):
            begun = [step(state) for state in begun]
        n_evaluations += n_steps * len(begun)
        order = np.argsort([-state.objective for state in begun], kind="stable")
        begun = [begun[i] for i in order[: len(begun) // 2]]
        n_steps *= 2
    (state,), limits = begun, settings.limits(n)
    for n_iterations in range(1, limits["max_iterations"] + 1):
        before, state = state.objective, step(state)
        tolerance = limits["tolerance"] + limits["relative_tolerance"] * abs(state.objective)
        if abs(state.objective - before) < tolerance:
            return Fit(state, n_iterations, True, n_evaluations + n_iterations)
    return Fit(state, limits["max_iterations"], False, n_evaluations + limits["max_iterations"])
