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
from ockham.estimation.posterior_parts import Place, groups_of, places, sum_of_parts
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference.completed import log_densities
from ockham.mixtures.inference.design import Design

__all__ = ["Estimate", "Groups", "estimate"]

N_COMPLETIONS = 100
"""Of the proposal of a part, and of those of single chains together."""
MOST_DRAWS = 8000
"""Of either half of the chains together, and of their proposals; more of a chain are thinned."""
SMALL = 0.05
"""Share of the evidence, of parts below which it does not matter how many draws are in them."""

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
        Mean share of the proposal at draws of the posterior, 1/2 where they are equal, of the part with the fewest
        independent draws but those of little evidence, in the worse half.
    autocorrelation_time : float
        Of that share, in the draws that were used.
    n_used : int
        Draws of the chains that lie in that part, of both halves.
    n_evaluations : int
        Points whose likelihood was computed.
    shares : ndarray, shape (n_parts,)
        Of the parts in the evidence, descending, in the half that finds more.
    together : tuple of Groups
        Which chains each part has, of both orders of the halves.
    places : tuple of list of Place
        Where the given points are, in both.
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
    places: tuple[list[Place], ...]


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
    found = [
        _sum(
            design,
            model,
            Sums(*(part[:, fitted] for part in sums)),
            Parameters(*(_thinned(part[:, bridged], MOST_DRAWS) for part in draws)),
            groups,
            rng,
            points,
        )
        for (fitted, bridged), groups in zip((halves, halves[::-1]), together or (singles, singles), strict=True)
    ]
    values, errors = np.array([(each.log_evidence, each.relative_error) for each in found]).T
    value, error = mean_of_halves(values, errors)
    if not np.isfinite(value):
        value, error = float(values[np.argmin(errors)]), np.inf
    if model.n_classes > 1:
        error = float(np.hypot(error, UNSEEN * max(each.unseen for each in found) / 2))
    worse = max((each.weakest for each in found), key=lambda bridged: bridged.relative_error)
    return Estimate(
        value,
        error,
        float(np.logaddexp.reduce([each.by_weights for each in found]) - np.log(2)),
        float(np.linalg.norm([each.weights_error for each in found]) / 2),
        worse.overlap,
        worse.autocorrelation_time,
        sum(each.n_used for each in found),
        sum(each.n_evaluations for each in found),
        max((each.shares for each in found), key=len),
        tuple(each.groups for each in found),
        tuple(each.places for each in found),
    )


@dataclass(frozen=True, eq=False)
class _Proposals:
    """The mean of the posteriors given completions that chains of each group visited.

    Attributes
    ----------
    model : FiniteMixture
    completions : Sums
        Of leading shape (n_completions,).
    groups : ndarray of int, shape (n_completions,)
    """

    model: FiniteMixture
    completions: Sums
    groups: np.ndarray

    @classmethod
    def of(cls, model: FiniteMixture, sums: Sums, groups: Groups, most: int) -> "_Proposals":
        """From about so many of the sums along the chains of each group, of leading shape (n_chains, n_draws)."""
        every = [Sums(*(_thinned(part[list(group)], most) for part in sums)) for group in groups]
        flat = [Sums(*(part.reshape(-1, *part.shape[2:]) for part in own)) for own in every]
        sizes = [len(own.cases) for own in flat]
        return cls(model, Sums(*map(np.concatenate, zip(*flat, strict=True))), np.repeat(np.arange(len(groups)), sizes))

    def log_densities(self, points: Parameters) -> np.ndarray:
        """Of each group, nats, shape (n_groups, n_points)."""
        by_completion = log_densities(self.model, points, self.completions)
        every = [by_completion[:, self.groups == k] for k in range(self.groups.max() + 1)]
        return np.array([np.logaddexp.reduce(own, axis=1) - np.log(own.shape[1]) for own in every])

    def draw(self, k: int, n_draws: int, rng: np.random.Generator) -> Parameters:
        """Those of a group."""
        own = np.flatnonzero(self.groups == k)
        chosen = own[rng.integers(len(own), size=n_draws)]
        return self.model.sample(Sums(*(part[chosen] for part in self.completions)), rng)


class _Sum(NamedTuple):
    """Over parts, from proposals of one half of the draws and a bridge from the other."""

    log_evidence: float
    relative_error: float
    by_weights: float
    weights_error: float
    unseen: float
    shares: np.ndarray
    weakest: Bridge
    n_used: int
    n_evaluations: int
    groups: Groups
    places: list[Place]


def _sum(
    design: Design,
    model: FiniteMixture,
    sums: Sums,
    drawn: Parameters,
    groups: Groups,
    rng: np.random.Generator,
    points: Parameters | None,
) -> _Sum:
    n_chains, n_each = drawn.log_weights.shape[:2]
    flat = Parameters(*(part.reshape(-1, *part.shape[2:]) for part in drawn))
    chain_of = np.repeat(np.arange(n_chains), n_each)
    most = -(-N_COMPLETIONS // len(groups))
    while True:
        proposals = _Proposals.of(model, sums, groups, most)
        densities = proposals.log_densities(flat)
        of_each = [densities[:, np.isin(chain_of, group)] for group in groups]
        joined = groups_of(of_each) if len(groups) > 1 else [[0]]
        if len(joined) == len(groups) and most == N_COMPLETIONS:
            break
        groups, most = [sorted(c for i in some for c in groups[i]) for some in joined], N_COMPLETIONS
    log_joint, inside = _log_joint(design, model, flat), densities.argmax(axis=0)
    bridges, n_used, weights = [], [], []
    for k, group in enumerate(groups):
        along = [(log_joint - densities[k])[(chain_of == c) & (inside == k)] for c in group]
        proposed = proposals.draw(k, len(group) * n_each, rng)
        at_proposed = proposals.log_densities(proposed)
        ratios = _log_joint(design, model, proposed) - at_proposed[k]
        ratios[at_proposed.argmax(axis=0) != k] = -np.inf
        bridges.append(bridge([own for own in along if len(own)] or along[:1], ratios))
        n_used.append(sum(map(len, along)))
        weights.append(mean_weight(ratios))
    total, shares, error = sum_of_parts(
        np.array([found.log_normaliser for found in bridges]), np.array([found.relative_error for found in bridges])
    )
    by_weights, _, weights_error = sum_of_parts(*np.array(weights).T)
    independent = np.array([n / found.autocorrelation_time for n, found in zip(n_used, bridges, strict=True)])
    there = shares > 0
    weakest = min(np.flatnonzero(~(shares < min(SMALL, shares.max()))), key=lambda k: independent[k])
    return _Sum(
        total,
        error,
        by_weights,
        weights_error,
        float((shares[there] / independent[there]).sum()),
        np.sort(shares)[::-1],
        bridges[weakest],
        n_used[weakest],
        2 * len(flat.log_weights),
        groups,
        places(proposals.log_densities(points), densities, there) if points else [],
    )


def _log_joint(design: Design, model: FiniteMixture, points: Parameters) -> np.ndarray:
    """But for base measures, nats, shape (n_points,)."""
    found: np.ndarray = design.log_likelihood(points) + model.log_prior(points)
    return found


def _thinned(part: np.ndarray, most: int) -> np.ndarray:
    """Every so many draws of each chain, so that about ``most`` are left of all."""
    n_chains, n_draws = part.shape[:2]
    return part[:, :: max(1, -(-n_chains * n_draws // most))]
