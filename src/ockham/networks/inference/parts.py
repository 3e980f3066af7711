"""The evidence of a discrete network as a sum over the parts of its posterior, each by bridge sampling.

Chains that sample one mode, up to relabelling, belong to one part, which has a proposal fitted to one half of each. A
part is where its proposal is the densest, so the parts are disjoint and cover everything; the draws of its
chains that lie in it are draws of the posterior there, and the other halves are bridged to draws of the proposal. Then
the halves change places.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ockham.estimation import posterior_parts
from ockham.estimation.bridge_sampling import Bridge, bridge, mean_of_halves, mean_weight
from ockham.estimation.posterior_parts import Place, groups_of, n_overlapping, sum_of_parts
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.labelling import log_n_relabellings
from ockham.networks.inference.likelihoods import log_joints
from ockham.networks.inference.proposals import Proposal, log_ratios
from ockham.networks.inference.relabellings import Relabellings

__all__ = ["Estimate", "Fit", "Groups", "Locator", "PartProposal", "estimate", "locator"]

COMPARED = 200
"""Draws of a chain that decide whether two chains belong together."""
FEWEST_PROPOSED = 500

Groups = tuple[tuple[int, ...], ...]
"""Chains that belong together."""


class PartProposal(Protocol):
    """A distribution fitted to draws of a part; it may be of one labelling of the hidden variables, its own."""

    def draw(self, rng: np.random.Generator, n_draws: int) -> np.ndarray:
        """Those of so many draws that are in its labelling, logs of shape (n, n_entries)."""

    def relabelled(self, log_parameters: np.ndarray) -> np.ndarray:
        """In its labelling, shape (n_draws, n_entries)."""

    def log_density_of_relabelled(self, log_parameters: np.ndarray) -> np.ndarray:
        """At parameters in its labelling, nats, shape (n_draws,)."""

    def log_density(self, log_parameters: np.ndarray) -> np.ndarray:
        """At the relabelled parameters, nats, shape (n_draws,)."""


Locator = Callable[[np.ndarray], list[Place]]
"""The part that each of some points is in, logs of shape (n_points, n_entries)."""
Fit = Callable[[DiscreteNetwork, Relabellings, np.ndarray], PartProposal]
"""The proposal that fits draws, logs of shape (n_draws, n_entries)."""


@dataclass(frozen=True)
class Estimate:
    """The sum over the parts.

    Attributes
    ----------
    log_evidence, relative_error : float
        Nats; the root of the mean square error over the evidence.
    shares : ndarray, shape (n_parts,)
        Of the parts in the evidence, descending.
    n_used : int
        Draws of the chains that lie in the part of the largest share.
    largest : Bridge
        Of that part.
    by_weights : float
        The sum over the parts by the mean weights of the draws of the proposals alone, nats.
    weights_error : float
        Its relative standard error.
    above : ndarray, shape (n_points,)
        Of given points: ln of the posterior density over that of the proposals together, minus the highest such ratio
        at draws of the chains; nats.
    n_evaluations : int
        Points whose likelihood was computed.
    together : tuple of tuple of tuple of int
        Which chains each part has, of both orders of the halves.
    bridged : tuple of tuple of bool
        Whether the evidence of each is known.
    """

    log_evidence: float
    relative_error: float
    shares: np.ndarray
    n_used: int
    largest: Bridge
    by_weights: float
    weights_error: float
    above: np.ndarray
    n_evaluations: int
    together: tuple[Groups, ...]
    bridged: tuple[tuple[bool, ...], ...]

    @property
    def n_overlapping(self) -> float:
        """Of the part of the largest share."""
        return n_overlapping(self.n_used, self.largest.autocorrelation_time, self.largest.overlap)


@dataclass(frozen=True)
class _Part:
    members: tuple[int, ...]
    proposal: PartProposal


def estimate(
    network: DiscreteNetwork,
    data: UniqueRows,
    same: Relabellings,
    chains: Sequence[np.ndarray],
    rng: np.random.Generator,
    together: Sequence[Groups] = (),
    fit: Fit = Proposal.fit,
    points: np.ndarray | None = None,
) -> Estimate:
    """The evidence from chains of the posterior, logs of parameters of shape (n_draws, n_entries) each.

    The mean of two, each with proposals from one half of the draws and a bridge from the other. Chains that were found
    ``together`` when they were shorter stay so. ``points``, logs of shape (n_points, n_entries), are compared with what
    the chains saw.
    """
    halves = [chain[: len(chain) // 2] for chain in chains], [chain[len(chain) // 2 :] for chain in chains]
    singles = tuple((c,) for c in range(len(chains)))
    found = [
        _estimate(network, data, same, *order, rng, groups, fit, points)
        for order, groups in zip((halves, halves[::-1]), together or (singles, singles), strict=True)
    ]
    values = np.array([each.log_evidence for each in found])
    errors = np.array([each.relative_error for each in found])
    better = found[int(np.argmin(errors))]
    together = tuple(groups for each in found for groups in each.together)
    bridged = tuple(known for each in found for known in each.bridged)
    if not np.isfinite(values).all():
        return replace(better, relative_error=np.inf, together=together, bridged=bridged)
    value, error = mean_of_halves(values, errors)
    one, other = found
    return replace(
        better,
        log_evidence=value,
        relative_error=error,
        n_used=sum(each.n_used for each in found),
        by_weights=float(np.logaddexp(one.by_weights, other.by_weights) - np.log(2)),
        weights_error=float(np.hypot(one.weights_error, other.weights_error) / 2),
        above=np.minimum(one.above, other.above),
        n_evaluations=sum(each.n_evaluations for each in found),
        together=together,
        bridged=bridged,
    )


def locator(
    network: DiscreteNetwork,
    same: Relabellings,
    chains: Sequence[np.ndarray],
    groups: Groups,
    bridged: tuple[bool, ...],
    fit: Fit,
) -> Locator:
    """What tells the part of these groups of chains that each point is in, logs of shape (n_points, n_entries)."""
    parts = [_fit(network, same, chains, members, fit) for members in groups]

    def log_densities(points: np.ndarray) -> np.ndarray:
        return np.array([part.proposal.log_density(points) for part in parts])

    at_draws = log_densities(np.concatenate([_thinned(chains, part.members) for part in parts]))
    return lambda points: posterior_parts.places(log_densities(points), at_draws, np.array(bridged))


def _estimate(
    network: DiscreteNetwork,
    data: UniqueRows,
    same: Relabellings,
    fitted: Sequence[np.ndarray],
    bridged: Sequence[np.ndarray],
    rng: np.random.Generator,
    groups: Groups,
    fit: Fit,
    points: np.ndarray | None,
) -> Estimate:
    parts = _parts(network, same, fitted, bridged, groups, fit)
    bridges, n_used, highest, n_evaluations = [], [], [], 0
    weights: list[tuple[float, float]] = []
    for k, part in enumerate(parts):
        others = parts[:k], parts[k + 1 :]
        posterior = [
            _log_ratios(network, data, part, *others, part.proposal.relabelled(bridged[member]))
            for member in part.members
        ]
        n_draws = max(sum(map(len, posterior)), FEWEST_PROPOSED)
        ratios = _log_ratios(network, data, part, *others, part.proposal.draw(rng, n_draws))
        n_evaluations += sum(map(len, posterior)) + len(ratios)
        inside = [found[found > -np.inf] for found in posterior]
        n_used.append(sum(map(len, inside)))
        ratios = np.concatenate([ratios, np.full(n_draws - len(ratios), -np.inf)])
        bridges.append(bridge([found for found in inside if len(found)] or inside[:1], ratios))
        weights.append(mean_weight(ratios))
        highest.append(max((float(found.max()) for found in inside if len(found)), default=-np.inf))
    values = np.array([found.log_normaliser for found in bridges])
    values[~np.isfinite(values)] = -np.inf
    total, shares, error = sum_of_parts(values, np.array([found.relative_error for found in bridges]))
    first = int(np.argmax(shares))
    by_weights, _, weights_error = sum_of_parts(*np.array(weights).T)
    return Estimate(
        total + log_n_relabellings(same),
        error,
        np.sort(shares)[::-1],
        n_used[first],
        bridges[first],
        by_weights + log_n_relabellings(same),
        weights_error,
        _above(network, data, points, parts, values, np.array(highest)),
        n_evaluations,
        (tuple(part.members for part in parts),),
        (tuple((shares > 0).tolist()),),
    )


def _above(
    network: DiscreteNetwork,
    data: UniqueRows,
    points: np.ndarray | None,
    parts: list[_Part],
    values: np.ndarray,
    highest: np.ndarray,
) -> np.ndarray:
    """What ``Estimate`` says of points; of none, or without an estimate, empty."""
    there = values > -np.inf
    if points is None or not there.any():
        return np.empty(0)
    log_densities = np.array([part.proposal.log_density(points) for part in parts])
    found: np.ndarray = log_joints(network, data, points) - np.max(log_densities + values[:, None], axis=0)
    return found - np.max(highest[there] - values[there])


def _log_ratios(
    network: DiscreteNetwork,
    data: UniqueRows,
    part: _Part,
    before: list[_Part],
    after: list[_Part],
    log_parameters: np.ndarray,
) -> np.ndarray:
    """ln p(y, theta) - ln q(theta) in the part, -inf outside; parameters in the labelling of the part.

    Where proposals are equally dense, as those given one completion are, the first has the parameters.
    """
    own = part.proposal.log_density_of_relabelled(log_parameters)
    inside = np.ones(len(own), dtype=bool)
    for other in before:
        inside[inside] = own[inside] > other.proposal.log_density(log_parameters[inside])
    for other in after:
        inside[inside] = own[inside] >= other.proposal.log_density(log_parameters[inside])
    return log_ratios(network, data, log_parameters, own, inside)


def _parts(
    network: DiscreteNetwork,
    same: Relabellings,
    fitted: Sequence[np.ndarray],
    bridged: Sequence[np.ndarray],
    groups: Groups,
    fit: Fit,
) -> list[_Part]:
    """Chains together that sample the same part, as long as any do."""
    parts = [_fit(network, same, fitted, members, fit) for members in groups]
    while len(parts) > 1:
        draws = [_thinned(bridged, part.members) for part in parts]
        ends, every = np.cumsum([len(own) for own in draws]), np.concatenate(draws)
        by_proposal = np.array([part.proposal.log_density(every) for part in parts])
        densities = np.split(by_proposal, ends[:-1], axis=1)  # of the draws of one at the proposals of all
        joined = groups_of(densities)
        if len(joined) == len(parts):
            break
        merged = [tuple(sorted(c for i in group for c in parts[i].members)) for group in joined]
        known = {part.members: part for part in parts}
        parts = [known.get(members) or _fit(network, same, fitted, members, fit) for members in merged]
    return parts


def _fit(
    network: DiscreteNetwork, same: Relabellings, fitted: Sequence[np.ndarray], members: tuple[int, ...], fit: Fit
) -> _Part:
    return _Part(members, fit(network, same, np.concatenate([fitted[c] for c in members])))


def _thinned(chains: Sequence[np.ndarray], members: tuple[int, ...]) -> np.ndarray:
    """Some of the draws of several chains."""
    draws = np.concatenate([chains[c] for c in members])
    return draws[:: max(1, len(draws) // COMPARED)]
