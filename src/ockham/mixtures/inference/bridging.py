"""The evidence of a finite mixture from Gibbs chains, bridged to the mean of the posteriors given completed rows.

A completion that a chain visited makes a closed posterior of the parameters. The mean of some of them, from one half of
every chain and over all names of the classes, is a proposal near the posterior itself; the other half is bridged to it
([FruehwirthSchnatter2004]). Then the halves change places.

Chains that keep to different modes are no sample of the posterior together. So those that sample the same part of it
have a proposal of their own: a part is where its proposal is the densest, and the evidence is the sum over the parts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ockham.estimation.bridge_sampling import UNSEEN, Bridge, bridge, mean_of_halves, mean_weight
from ockham.estimation.posterior_parts import groups_of, sum_of_parts
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference.completed import log_densities
from ockham.mixtures.inference.design import Design

__all__ = ["Estimate", "Groups", "estimate"]

N_COMPLETIONS = 100
"""Of all proposals together."""
MOST_DRAWS = 8000
"""Of either half of the chains together, and of their proposals; more of a chain are thinned."""
OUTSIDE = 0.01
"""Share of its own draws that a part has where its proposal is less dense than at what is inside it."""

Groups = Sequence[Sequence[int]]
"""Chains that sample the same part."""


class Estimate(NamedTuple):
    """What chains say of the evidence.

    Attributes
    ----------
    log_evidence, relative_error : float
        But for base measures, nats; the root of the mean square error over the evidence.
    by_weights : float
        The mean weight of the draws of the proposals, which takes no chain to be a sample of the posterior; nats.
    weights_error : float
        Its relative standard error, to first order.
    overlap : float
        Mean share of the proposal at draws of the posterior, 1/2 where they are equal, in the largest part.
    autocorrelation_time : float
        Of that share, in the draws that were used.
    n_used : int
        Draws of the chains that lie in that part.
    n_evaluations : int
        Points whose likelihood was computed.
    shares : ndarray, shape (n_parts,)
        Of the parts in the evidence, descending.
    together : tuple of Groups
        Which chains each part has, of both orders of the halves.
    places : list of int or None
        The part of the first order that each given point is in; None where it is in none.
    """

    log_evidence: float
    relative_error: float
    by_weights: float
    weights_error: float
    overlap: float
    autocorrelation_time: float
    n_used: int
    n_evaluations: int
    shares: np.ndarray
    together: tuple[Groups, ...]
    places: list[int | None]


def estimate(
    model: FiniteMixture,
    design: Design,
    draws: Parameters,
    sums: Sums,
    rng: np.random.Generator,
    together: Sequence[Groups] = (),
    points: Parameters | None = None,
) -> Estimate:
    """The mean of two, from draws and sums of chains, of leading shape (n_chains, n_draws).

    Chains that were found ``together`` when they were shorter stay so. ``points``, of leading shape (n_points,), are
    looked for in the parts.
    """
    n_chains, n_draws = draws.log_weights.shape[:2]
    halves = slice(0, n_draws // 2), slice(n_draws // 2, None)
    singles = [[c] for c in range(n_chains)]
    found, n_evaluations = [], 0
    for (fitted, bridged), groups in zip((halves, halves[::-1]), together or (singles, singles), strict=True):
        proposals = _Proposals.of(model, Sums(*(part[:, fitted] for part in sums)))
        drawn = Parameters(*(_thinned(part[:, bridged], MOST_DRAWS) for part in draws))
        found.append(_sum(design, proposals, drawn, groups, rng))
        n_evaluations += found[-1].n_evaluations
    values, errors = np.array([(each.log_evidence, each.relative_error) for each in found]).T
    value, error = mean_of_halves(values, errors)
    if not np.isfinite(value):
        value, error = values[np.argmin(errors)], np.inf
    n_used = sum(each.n_used for each in found)
    worse = max((each.largest for each in found), key=lambda bridged: bridged.relative_error)
    if model.n_classes > 1:
        error = float(np.hypot(error, UNSEEN * worse.autocorrelation_time / max(n_used, 1)))
    first = found[0]
    return Estimate(
        float(value),
        error,
        float(np.logaddexp.reduce([each.by_weights for each in found]) - np.log(2)),
        float(np.linalg.norm([each.weights_error for each in found]) / 2),
        worse.overlap,
        worse.autocorrelation_time,
        n_used,
        n_evaluations,
        np.sort(min(found, key=lambda each: each.relative_error).shares)[::-1],
        tuple(each.groups for each in found),
        first.proposals.places(points, first.groups, first.own) if points else [],
    )


@dataclass(frozen=True, eq=False)
class _Proposals:
    """The mean of the posteriors given the completions that each chain visited.

    Attributes
    ----------
    model : FiniteMixture
    completions : Sums
        Of leading shape (n_completions,).
    chains : ndarray of int, shape (n_completions,)
    """

    model: FiniteMixture
    completions: Sums
    chains: np.ndarray

    @classmethod
    def of(cls, model: FiniteMixture, sums: Sums) -> "_Proposals":
        """From some of the sums along chains, of leading shape (n_chains, n_draws)."""
        parts = [_thinned(part, N_COMPLETIONS) for part in sums]
        chains = np.repeat(np.arange(len(parts[0])), parts[0].shape[1])
        return cls(model, Sums(*(part.reshape(-1, *part.shape[2:]) for part in parts)), chains)

    def members(self, group: Sequence[int]) -> np.ndarray:
        """Indices of the completions of some chains."""
        return np.flatnonzero(np.isin(self.chains, group))

    def log_densities(self, points: Parameters, groups: Groups) -> np.ndarray:
        """Of each group of chains, nats, shape (n_groups, n_points)."""
        return self.of_groups(log_densities(self.model, points, self.completions), groups)

    def of_groups(self, by_completion: np.ndarray, groups: Groups) -> np.ndarray:
        """The same, of densities that are known, shape (n_points, n_completions)."""
        every = [by_completion[:, self.members(group)] for group in groups]
        return np.array([np.logaddexp.reduce(own, axis=1) - np.log(own.shape[1]) for own in every])

    def draw(self, group: Sequence[int], n_draws: int, rng: np.random.Generator) -> Parameters:
        """Those of a group of chains."""
        own = self.members(group)
        chosen = own[rng.integers(len(own), size=n_draws)]
        return self.model.sample(Sums(*(part[chosen] for part in self.completions)), rng)

    def places(self, points: Parameters, groups: Groups, own: list[np.ndarray]) -> list[int | None]:
        """Which group each point is at, by log densities that the draws of each have by its own proposal."""
        if not len(points.log_weights):
            return []
        densities = self.log_densities(points, groups)
        inside = densities >= np.array([np.quantile(each, OUTSIDE) for each in own])[:, None]
        return [int(k) if inside[k, point] else None for point, k in enumerate(densities.argmax(axis=0))]


class _Sum(NamedTuple):
    """Over parts, from proposals of one half of the draws and a bridge from the other."""

    proposals: _Proposals
    log_evidence: float
    relative_error: float
    by_weights: float
    weights_error: float
    shares: np.ndarray
    largest: Bridge
    n_used: int
    n_evaluations: int
    groups: Groups
    own: list[np.ndarray]


def _sum(design: Design, proposals: _Proposals, drawn: Parameters, groups: Groups, rng: np.random.Generator) -> _Sum:
    n_chains, n_each = drawn.log_weights.shape[:2]
    points = Parameters(*(part.reshape(-1, *part.shape[2:]) for part in drawn))
    chain_of = np.repeat(np.arange(n_chains), n_each)
    by_completion = log_densities(proposals.model, points, proposals.completions)
    while True:
        densities = proposals.of_groups(by_completion, groups)
        joined = groups_of([densities[:, np.isin(chain_of, group)] for group in groups])
        if len(joined) == len(groups):
            break
        groups = [sorted(c for i in some for c in groups[i]) for some in joined]
    log_joint = _log_joint(design, proposals.model, points)
    bridges, n_used, weights, own = [], [], [], []
    for k, group in enumerate(groups):
        along = [_inside(k, log_joint, densities, chain_of == c) for c in group]
        n_draws = len(group) * n_each
        proposed = proposals.draw(group, n_draws, rng)
        at_proposed = proposals.log_densities(proposed, groups)
        there = _inside(k, _log_joint(design, proposals.model, proposed), at_proposed)
        ratios = np.concatenate([there, np.full(n_draws - len(there), -np.inf)])
        bridges.append(bridge([found for found in along if len(found)] or along[:1], ratios))
        n_used.append(sum(map(len, along)))
        weights.append(mean_weight(ratios))
        own.append(densities[k, np.isin(chain_of, group)])
    total, shares, error = sum_of_parts(
        np.array([found.log_normaliser for found in bridges]), np.array([found.relative_error for found in bridges])
    )
    by_weights, _, weights_error = sum_of_parts(*np.array(weights).T)
    first = int(np.argmax(shares))
    return _Sum(
        proposals,
        total,
        error,
        by_weights,
        weights_error,
        shares,
        bridges[first],
        n_used[first],
        2 * len(points.log_weights),
        groups,
        own,
    )


def _inside(k: int, log_joint: np.ndarray, densities: np.ndarray, some: np.ndarray | slice = slice(None)) -> np.ndarray:
    """ln p(rows, parameters) - ln q(parameters) of some points, of those where proposal k is the densest; nats."""
    log_joint, densities = log_joint[some], densities[:, some]
    there = densities.argmax(axis=0) == k
    found: np.ndarray = log_joint[there] - densities[k, there]
    return found


def _log_joint(design: Design, model: FiniteMixture, points: Parameters) -> np.ndarray:
    """But for base measures, nats, shape (n_points,)."""
    found: np.ndarray = design.log_likelihood(points) + model.log_prior(points)
    return found


def _thinned(part: np.ndarray, most: int) -> np.ndarray:
    """Every so many draws of each chain, so that about ``most`` are left of all."""
    n_chains, n_draws = part.shape[:2]
    return part[:, :: max(1, -(-n_chains * n_draws // most))]
