"""What the modes of a search have of the evidence that chains do not come to."""

from collections.abc import Callable, Sequence

import numpy as np

from ockham.estimation.posterior_parts import LEAST_MISSED, MINOR, Place, share_missed
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.modes import Modes, apart
from ockham.networks.inference.parts import Groups, Locator
from ockham.networks.inference.relabellings import relabellings

__all__ = ["share_missing", "share_unvisited"]

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

    A mode is in the part of the chain that began at it, in the one where the proposal is dense enough, or else in the
    one to which a chain comes from it at once: what a chain leaves that soon, those of the part have seen as much of as
    it has of the evidence. Modes without a chain that have little together are not looked for.

    Parameters
    ----------
    search : Modes
        Chain k began at mode k of those that were found.
    orders : sequence of pairs
        The chains of each part, and whether its evidence is known.
    locator : callable
        What tells the part of points.
    settle : callable
    """
    n_begun, missing, n_passes = len(search.found), 0.0, 0
    for groups, bridged in dict.fromkeys(orders):
        part_of = {chain: k for k, group in enumerate(groups) if bridged[k] for chain in group}
        places: list[Place] = [part_of.get(chain) for chain in range(n_begun)]
        others = search.log_means[n_begun:]
        if search.shares[n_begun:].sum() <= LITTLE:
            places += [None] * len(others)
        else:
            where = locator(groups, bridged)
            places += where(others)
            for k in [k for k in range(n_begun, len(places)) if places[k] is None]:
                end, n = settle(search.log_means[k])
                places[k], n_passes = where(end[None])[0], n_passes + n
        missing = max(missing, share_missed(search.shares, search.hits, places, len(groups)))
    return missing, n_passes


def share_unvisited(network: DiscreteNetwork, search: Modes, visits: Sequence[np.ndarray]) -> float:
    """The share of major modes that are nearest to nothing that chains saw; at most 1.

    Where most chains do not leave the mode that they are near, others may be missing as ``share_missed`` has it: as
    much as those have that a single start led to ([Good1953]), and what leaves no trace.

    Parameters
    ----------
    network : DiscreteNetwork
    search : Modes
    visits : sequence of ndarray, shapes (n_points, n_entries)
        Logs of parameters that each chain saw, or several from one place.
    """
    major = np.flatnonzero(search.shares >= MINOR * search.shares[0])
    if len(major) < 2:
        return 0.0
    same = relabellings(network)

    def nearest(point: np.ndarray) -> int:
        return int(min(major, key=lambda k: apart(network, same, search.posteriors[k], point)))

    visited = [{nearest(point) for point in points} for points in visits]
    stays, hits = np.median([len(of_one) for of_one in visited]) < 2, search.hits[major]
    missing = sum(search.shares[k] for k in major if k not in set.union(*visited) or (stays and search.hits[k] == 1))
    return min(1.0, float(missing) + (LEAST_MISSED / int(hits.sum()) if stays else 0.0))
