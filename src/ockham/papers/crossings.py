"""From where on a curve is no longer below another."""

from collections.abc import Sequence
from math import inf

__all__ = ["crossing"]


def crossing(places: Sequence[float], differences: Sequence[float]) -> tuple[float, float, float]:
    """The place from which on no difference is negative, and the two places beside it that are known.

    Parameters
    ----------
    places : sequence of float
        Rising and above zero.
    differences : sequence of float
        Of the curve from the other, at every place. Between two places they are a line over the logarithm.

    Returns
    -------
    tuple of float
        The crossing, the last place before it and the first one after it. All are the first place where nothing before
        is known, and infinite where the last difference is negative.
    """
    first = next((i + 1 for i in reversed(range(len(differences))) if differences[i] < 0), 0)
    if first == len(differences):
        return inf, inf, inf
    if first == 0:
        return places[0], places[0], places[0]
    low, high, below, beyond = places[first - 1], places[first], differences[first - 1], differences[first]
    return low * (high / low) ** (below / (below - beyond)), low, high
