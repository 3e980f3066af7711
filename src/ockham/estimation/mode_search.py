"""Which starts of a search for the modes of a posterior are followed to their modes."""

from collections.abc import Callable
from math import log

from ockham.estimation.successive_halving import Start, State, halved

__all__ = ["NEGLIGIBLE", "followed"]

FOLLOWED = 8
"""One in so many starts is followed whatever its bound."""
FIRST_ITERATIONS = 16
NEGLIGIBLE = log(1000)
"""Nats below the highest bound, from which on a mode is worth no chain."""


def followed(
    starts: list[Start],
    climb: Callable[[Start, int], State],
    following: Callable[[Start, State], Start],
    *,
    n_modes: int,
    last: int,
) -> tuple[list[State], int]:
    """Fits that ran until they converged, the highest bound first, and the passes over the data of the choice.

    Of most starts the better half, by the bound, goes on for twice as many iterations, until four for each mode are
    left: among many is one that leads to a mode to which few do. But all of these may lead to the best mode, where many
    do, and to none with a third of its evidence. So the first eighth of the starts, four for each mode at the least, is
    followed whatever the bounds.

    Parameters
    ----------
    starts, climb, following
        As of ``halved``.
    n_modes : int
        That are looked for.
    last : int
        The most iterations of a fit that is followed.
    """
    n_left = 4 * n_modes
    n_followed = max(n_left, len(starts) // FOLLOWED)
    best, n_passes = halved(starts[n_followed:], climb, following, n_steps=FIRST_ITERATIONS, n_left=n_left)
    fits = [climb(start, last) for start in [*starts[:n_followed], *best]]
    return sorted(fits, key=lambda fit: -fit.objective), n_passes
