"""What the modes of a search have of the evidence that chains do not come to."""

from collections.abc import Callable, Sequence

import numpy as np

from ockham.estimation.autocorrelation import autocorrelation_time
from ockham.estimation.posterior_parts import Place, is_major, share_missed
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.modes import Modes, apart
from ockham.networks.inference.parts import Groups, Locator
from ockham.networks.inference.relabellings import relabellings

__all__ = ["N_SEEN", "n_independent_visits", "share_missing", "share_unvisited"]

N_SEEN = 64
"""Draws of a chain by which the modes that it comes to are told."""
LITTLE = 1e-3
"""Share of the evidence that is as good as nothing."""

Settle = Callable[[np.ndarray], tuple[np.ndarray, int]]
"""Where a chain is that left a point some sweeps ago, and the passes over the data that this took."""


def share_missing(
    search: Modes,
    orders: Sequence[tuple[Groups, tuple[bool, ...]]],
    locator: Callable[[Groups, tuple[bool, ...]], Locator],
    settle: Settle,
) -> tuple[float, int]:
    """The share in the worst of several orders, and the passes over the data that it took to know.

    A mode is in the part where the proposal is dense enough, or else in the one to which a chain comes from it at once:
    what a chain leaves that soon, those of the part have seen as much of as it has of the evidence. The chain that
    began at it may have left it. Modes that have little together are not looked for, nor one that has nearly all.

    Parameters
    ----------
    search : Modes
    orders : sequence of pairs
        The chains of each part, and whether its evidence is known.
    locator : callable
        What tells the part of points.
    settle : callable
    """
    missing, n_passes = 0.0, 0
    n_looked_for = int((np.cumsum(search.shares) - search.shares < 1 - LITTLE).sum())
    for groups, bridged in dict.fromkeys(orders):
        places: list[Place] = [None] * len(search.shares)
        if n_looked_for == 1:
            places[0] = bridged.index(True) if any(bridged) else None
        else:
            where = locator(groups, bridged)
            places[:n_looked_for] = where(search.log_means[:n_looked_for])
            for k in [k for k in range(n_looked_for) if places[k] is None]:
                end, n = settle(search.log_means[k])
                places[k], n_passes = where(end[None])[0], n_passes + n
        missing = max(missing, share_missed(search.shares, search.hits, places, len(groups)))
    return missing, n_passes


def share_unvisited(
    network: DiscreteNetwork, search: Modes, visits: Sequence[np.ndarray], farther: float = 1.0
) -> float:
    """The share of major modes that nothing which chains saw is near; at most 1.

    Near is the nearest, and every other that is no farther than ``farther`` times as far as points are from these by
    the median.

    A mode counts as far as so many draws of the posterior would have seen it. Where most chains do not leave the mode
    that they are near all of it counts, and others may be missing as ``share_missed`` has it, each mode being a part. A
    single major mode is the only part.

    Parameters
    ----------
    network : DiscreteNetwork
    search : Modes
    visits : sequence of ndarray, shapes (n_points, n_entries)
        Logs of parameters that each chain saw, or several from one place.
    farther : float
        From 1 on.
    """
    n_major = _n_major(search)
    if n_major < 2:
        return share_missed(search.shares, search.hits, [0] * len(search.shares), 1)
    distances = _distances(network, search, visits)
    nearest = distances.min(axis=0)
    reach = np.maximum(nearest, farther * np.median(nearest)) if farther > 1 else nearest
    visited = [set(np.flatnonzero(each.any(axis=1))) for each in _split(distances <= reach, visits)]
    stays, shares = np.median([len(of_one) for of_one in visited]) < 2, search.shares[:n_major]
    unseen = np.array([all(k not in of_one for of_one in visited) for k in range(n_major)])
    if not stays:
        return float(shares[unseen] @ (1 - (1 - shares[unseen]) ** sum(map(len, visits))))
    places = [None if unseen[k] else k for k in range(n_major)]
    return share_missed(shares, search.hits[:n_major], places, n_major)


def n_independent_visits(
    network: DiscreteNetwork, search: Modes, chains: Sequence[np.ndarray], orders: Sequence[Groups]
) -> float:
    """How many independent draws there are of which major mode the chains of a part are near, of the fewest.

    Chains that are a sample of one part together are near each of its modes equally often, or else what they say of the
    part depends on where they began.

    Parameters
    ----------
    network : DiscreteNetwork
    search : Modes
    chains : sequence of ndarray, shapes (n_draws, n_entries)
        Logs of parameters.
    orders : sequence of tuple of tuple of int
        The chains of each part.
    """
    if _n_major(search) < 2:
        return np.inf
    visits = [chain[:: max(1, len(chain) // N_SEEN)] for chain in chains]
    nearest = [each.argmin(axis=0) for each in _split(_distances(network, search, visits), visits)]
    fewest = np.inf
    for group in {group for groups in orders for group in groups}:
        own = [nearest[chain] for chain in group]
        seen = np.unique(np.concatenate(own))
        for k in seen if len(seen) > 1 else []:
            near = [(of_one == k).astype(float) for of_one in own]
            fewest = min(fewest, sum(map(len, near)) / autocorrelation_time(near))
    return fewest


def _n_major(search: Modes) -> int:
    return int(is_major(search.shares).sum())


def _distances(network: DiscreteNetwork, search: Modes, visits: Sequence[np.ndarray]) -> np.ndarray:
    """Of all points together from each of the major modes, shape (n_modes, n_points), as ``modes.apart`` has them."""
    same, points = relabellings(network), np.concatenate(visits)
    return np.array([apart(network, same, search.posteriors[k], points) for k in range(_n_major(search))])


def _split(of_points: np.ndarray, visits: Sequence[np.ndarray]) -> list[np.ndarray]:
    """By what each chain saw."""
    return np.split(of_points, np.cumsum([len(each) for each in visits])[:-1], axis=1)
