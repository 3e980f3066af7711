"""The evidence as a sum over disjoint parts of a posterior, which chains do not leave."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from ockham.contracts import Doubt
from ockham.estimation.doubting import doubt_of_bridge

__all__ = [
    "FEWEST_OVERLAPPING",
    "LARGEST_MISSING",
    "LEAST_MISSED",
    "Place",
    "doubt_of_part",
    "groups_of",
    "is_major",
    "n_overlapping",
    "places",
    "share_missed",
    "share_unfound",
    "share_unseen",
    "sum_of_parts",
]

TOGETHER = 0.02
"""Share of the draws of either of two parts that the proposal of the other must be denser at, for them to be one."""
LEAST_MISSED = 2.0
"""Starts; what this many of all that led to major modes stand for may be missing without a trace."""
RARE = 0.125
"""Share of all starts; where fewer led to major modes, others may be missing beside a single part, too."""
MINOR = 0.01
"""Of the largest mode: starts to one that has less, and that chains leave, tell nothing of how easily it is found."""
LARGEST_MISSING = 0.25
"""Share of the posterior that may be in parts that no chain is in, from which on what chains say is doubted."""
FEWEST_OVERLAPPING = 40
"""Independent draws of the posterior that its proposal could have made. An error to first order rests on these: with 20
to 40, 89 % of the intervals of 95 % held, with more 97 % (benchmarks/overlap.py)."""
OUTSIDE = 0.01
"""Share of the draws in a part at which its proposal is less dense than at what is inside it."""

Place = int | None
"""The part that a point is in, if it is in any."""


def n_overlapping(n_draws: int, autocorrelation_time: float, overlap: float) -> float:
    """Independent draws of the posterior, times their overlap with the proposal."""
    return n_draws * overlap / autocorrelation_time


def doubt_of_part(relative_error: float, n_draws: int, autocorrelation_time: float, overlap: float) -> Doubt:
    """What its error, its dependent draws of the posterior, and their overlap say against a bridge; also NaN."""
    few = not n_overlapping(n_draws, autocorrelation_time, overlap) >= FEWEST_OVERLAPPING
    doubt = doubt_of_bridge(relative_error, n_draws, autocorrelation_time)
    return doubt | Doubt.FEW_EFFECTIVE_SAMPLES if few else doubt


def groups_of(densities: Sequence[np.ndarray]) -> list[list[int]]:
    """Which of several parts are one, directly or by way of others, by how dense their proposals are.

    Parameters
    ----------
    densities : sequence of ndarray, shapes (n_parts, n_draws)
        Log densities of the draws of each part by the proposals of all.
    """
    taken = np.array([[(each >= row[i]).mean() for each in row] for i, row in enumerate(densities)])
    return _connected(np.minimum(taken, taken.T) > TOGETHER)


def _connected(joined: np.ndarray) -> list[list[int]]:
    """Groups of indices that are joined, directly or by way of others; SciPy's would load slowly in every process."""
    groups: list[list[int]] = []
    for i in range(len(joined)):
        nearest = [group for group in groups if joined[i, group].any()]
        groups = [group for group in groups if group not in nearest]
        groups.append(sorted([i, *(j for group in nearest for j in group)]))
    return sorted(groups)


def sum_of_parts(log_values: np.ndarray, errors: np.ndarray) -> tuple[float, np.ndarray, float]:
    """ln of the sum of independent parts, their shares in it, and the relative error of the sum.

    Parameters
    ----------
    log_values, errors : ndarray, shape (n_parts,)
        ln of what each has, -inf for nothing and NaN where that is not known, nats, and its relative standard error.

    Returns
    -------
    tuple of float, ndarray and float
        NaN, shares that are NaN, and an error without bounds where no part has anything.
    """
    values = np.where(np.isfinite(log_values), log_values, -np.inf)
    total = float(np.logaddexp.reduce(values)) if np.isfinite(values).any() else np.nan
    shares = np.exp(values - total)
    there = shares > 0
    error = float(np.sqrt((shares[there] ** 2 * errors[there] ** 2).sum())) if np.isfinite(total) else np.inf
    return total, shares, error


def places(at_points: np.ndarray, at_draws: np.ndarray, bridged: np.ndarray) -> list[Place]:
    """Where each of some points is: the part whose proposal is the densest, unless it is less dense than at its draws.

    Parameters
    ----------
    at_points, at_draws : ndarray, shape (n_parts, n_points) and (n_parts, n_draws)
        Log densities by the proposals of all parts, of the points and of draws of the chains; those count that lie in
        the part.
    bridged : ndarray of bool, shape (n_parts,)
        Parts whose evidence is known; in the others, and where no draw lies, is nothing.
    """
    nearest = at_draws.argmax(axis=0)
    inside = [own[nearest == k] for k, own in enumerate(at_draws)]
    least = [
        np.quantile(own, OUTSIDE) if known and len(own) else np.inf for own, known in zip(inside, bridged, strict=True)
    ]
    return [int(k) if at_points[k, point] >= least[k] else None for point, k in enumerate(at_points.argmax(axis=0))]


def share_missed(shares: np.ndarray, hits: np.ndarray, places: Sequence[Place], n_parts: int) -> float:
    """What parts that no chain is in have of the evidence, roughly, by a search for modes; at most 1.

    Along what data leave open fits end anywhere, and the bounds tell many modes apart where there is one part. So the
    starts to all modes of a part led to the same. Missing are modes in no part and, where there are several parts, or
    hardly a start led to a major mode, what no start led to.

    Parameters
    ----------
    shares, hits : ndarray, shape (n_modes,)
        Of each mode in the evidence, and how many starts led to it.
    places : sequence, length n_modes
        The part that each mode is in.
    n_parts : int
        That were bridged.
    """
    missing = float(sum(shares[k] for k, place in enumerate(places) if place is None))
    if n_parts > 1 or hits[is_major(shares)].sum() < RARE * hits.sum():
        modes_of = defaultdict[tuple[bool, int], list[int]](list)
        for k, place in enumerate(places):
            modes_of[place is None, k if place is None else place].append(k)
        missing += share_unfound(shares, hits, modes_of.values())
    return min(1.0, missing)


def share_unfound(shares: np.ndarray, hits: np.ndarray, groups: Iterable[Sequence[int]]) -> float:
    """What modes that no start led to have of the evidence, roughly.

    As much as those groups of modes have that a single start led to ([Good1953]), and what leaves no trace. Starts to
    minor modes of a group, or of all, do not count.

    Parameters
    ----------
    shares, hits : ndarray, shape (n_modes,)
        As of ``share_missed``.
    groups : iterable of sequence of int
        Modes that are one.
    """
    once = [own for own in map(list, groups) if hits[own][is_major(shares[own])].sum() == 1]
    return float(sum(shares[own].sum() for own in once)) + LEAST_MISSED / int(hits[is_major(shares)].sum())


def share_unseen(shares: np.ndarray, distances: np.ndarray) -> float:
    """What modes have of the evidence, roughly, that are the nearest of no point.

    Parameters
    ----------
    shares : ndarray, shape (n_modes,)
        Of each in the evidence.
    distances : ndarray, shape (n_modes, n_points)
    """
    return float(np.delete(shares, distances.argmin(axis=0)).sum())


def is_major(shares: np.ndarray) -> np.ndarray:
    """Which modes have ``MINOR`` of the largest or more, by their shares in the evidence; bool, shape (n_modes,)."""
    return np.asarray(shares >= MINOR * shares.max())
