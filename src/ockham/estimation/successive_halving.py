"""The choice of the best among several starts of a fit, which share the work ([ChickeringHeckerman1997], 4.1)."""

from collections.abc import Callable
from typing import Protocol, TypeVar

__all__ = ["Climb", "halved"]


class Climb(Protocol):
    """Where a fit stands."""

    @property
    def objective(self) -> float:
        """What it climbs, nats."""

    @property
    def n_iterations(self) -> int:
        """Since its start, where it passed over the data once as well."""


Start = TypeVar("Start")
State = TypeVar("State", bound=Climb)


def halved(
    starts: list[Start],
    climb: Callable[[Start, int], State],
    following: Callable[[Start, State], Start],
    *,
    n_steps: int = 1,
    n_left: int = 1,
) -> tuple[list[Start], int]:
    """At most ``n_left`` of the starts, the best first, and the passes over the data that the choice took.

    The better half, by the objective, is kept after ``n_steps``, half of these after twice as many, and so on.

    Parameters
    ----------
    starts : list
    climb : callable
        The state after so many steps from a start.
    following : callable
        What is kept of a start and its state: the next climb starts there.
    """
    n_passes = 0
    while len(starts) > n_left:
        states = [climb(start, n_steps) for start in starts]
        n_passes += sum(state.n_iterations + 1 for state in states)
        order = sorted(range(len(states)), key=lambda i: -states[i].objective)
        starts = [following(starts[i], states[i]) for i in order[: len(starts) // 2]]
        n_steps *= 2
    return starts, n_passes
