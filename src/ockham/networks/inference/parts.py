"""The evidence of a discrete network as a sum over the parts of its posterior, each by bridge sampling.

Chains that sample one mode, up to relabelling, belong to one part, which has a proposal fitted to one half of each. A
part is where its proposal is denser than any other, so the parts are disjoint and cover everything; the draws of its
chains that lie in it are draws of the posterior there, and the other halves are bridged to draws of the proposal. Then
the halves change places.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ockham.estimation.bridge_sampling import Bridge, bridge, mean_of_halves
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.labelling import log_n_relabellings
from ockham.networks.inference.proposals import Proposal, log_ratios
from ockham.networks.inference.relabellings import Relabellings

__all__ = ["Estimate", "Groups", "estimate"]

COMPARED = 200
"""Draws of a chain that decide whether two chains belong together."""
TOGETHER = 0.02
"""Share of the draws of either that the proposal of the other must be denser at."""
FEWEST_PROPOSED = 500
DRAWS_A_DIMENSION = 10
"""That a component of a proposal is fitted to, at least, for every dimension."""

Groups = tuple[tuple[int, ...], ...]
"""Chains that belong together."""


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
    n_evaluations : int
        Points whose likelihood was computed.
    together : tuple of tuple of tuple of int
        Which chains each part has, of both orders of the halves.
    """

    log_evidence: float
    relative_error: float
    shares: np.ndarray
    n_used: int
    largest: Bridge
    n_evaluations: int
    together: tuple[Groups, ...]


@dataclass(frozen=True)
class _Part:
    members: tuple[int, ...]
    proposal: Proposal


def estimate(
    network: DiscreteNetwork,
    data: UniqueRows,
    same: Relabellings,
    chains: Sequence[np.ndarray],
    rng: np.random.Generator,
    together: Sequence[Groups] = (),
    most_components: int = 1,
) -> Estimate:
    """The evidence from chains of the posterior, logs of parameters of shape (n_draws, n_entries) each.

    The mean of two, each with proposals from one half of the draws and a bridge from the other. Chains that were found
    ``together`` when they were shorter stay so. A proposal with draws enough is a mixture of ``most_components``.
    """
    halves = [chain[: len(chain) // 2] for chain in chains], [chain[len(chain) // 2 :] for chain in chains]
    singles = tuple((c,) for c in range(len(chains)))
    found = [
        _estimate(network, data, same, *order, rng, groups, most_components)
        for order, groups in zip((halves, halves[::-1]), together or (singles, singles), strict=True)
    ]
    values = np.array([each.log_evidence for each in found])
    errors = np.array([each.relative_error for each in found])
    better = found[int(np.argmin(errors))]
    if not np.isfinite(values).all():
        return replace(better, relative_error=np.inf)
    value, error = mean_of_halves(values, errors)
    return replace(
        better,
        log_evidence=value,
        relative_error=error,
        n_used=sum(each.n_used for each in found),
        n_evaluations=sum(each.n_evaluations for each in found),
        together=tuple(groups for each in found for groups in each.together),
    )


def _estimate(
    network: DiscreteNetwork,
    data: UniqueRows,
    same: Relabellings,
    fitted: Sequence[np.ndarray],
    bridged: Sequence[np.ndarray],
    rng: np.random.Generator,
    groups: Groups,
    most_components: int,
) -> Estimate:
    parts = _parts(network, same, fitted, bridged, groups, most_components)
    bridges, n_used, n_evaluations = [], [], 0
    for part in parts:
        others = [other for other in parts if other is not part]
        posterior = [
            _log_ratios(network, data, part, others, part.proposal.labelling.apply(bridged[member])[0])
            for member in part.members
        ]
        n_draws = max(sum(map(len, posterior)), FEWEST_PROPOSED)
        proposed = part.proposal.copula.draw(rng, n_draws)
        nearest = part.proposal.labelling.apply(proposed)[1]
        ratios = _log_ratios(network, data, part, others, proposed[nearest])
        n_evaluations += sum(map(len, posterior)) + len(ratios)
        inside = [found[found > -np.inf] for found in posterior]
        n_used.append(sum(map(len, inside)))
        bridges.append(
            bridge([found for found in inside if len(found)] or inside[:1],
                   np.concatenate([ratios, np.full(n_draws - len(ratios), -np.inf)]))
        )  # fmt: skip
    values = np.array([found.log_normaliser for found in bridges])
    values[~np.isfinite(values)] = -np.inf
    total = float(np.logaddexp.reduce(values)) if np.isfinite(values).any() else np.nan
    shares = np.exp(values - total)
    errors = np.array([found.relative_error for found in bridges])
    first = int(np.argmax(shares))
    return Estimate(
        total + log_n_relabellings(same),
        float(np.sqrt((shares[shares > 0] ** 2 * errors[shares > 0] ** 2).sum())) if np.isfinite(total) else np.inf,
        np.sort(shares)[::-1],
        n_used[first],
        bridges[first],
        n_evaluations,
        (tuple(part.members for part in parts),),
    )


def _log_ratios(
    network: DiscreteNetwork, data: UniqueRows, part: _Part, others: list[_Part], log_parameters: np.ndarray
) -> np.ndarray:
    """ln p(y, theta) - ln q(theta) in the part, -inf outside; parameters in the labelling of the part."""
    own = part.proposal.copula.log_density(log_parameters)
    inside = np.ones(len(own), dtype=bool)
    for other in others:
        inside[inside] = own[inside] > other.proposal.log_density(log_parameters[inside])
    return log_ratios(network, data, log_parameters, own, inside)


def _parts(
    network: DiscreteNetwork,
    same: Relabellings,
    fitted: Sequence[np.ndarray],
    bridged: Sequence[np.ndarray],
    groups: Groups,
    most_components: int,
) -> list[_Part]:
    """Chains together that sample the same part, as long as any do."""
    parts = [_fit(network, same, fitted, members, most_components) for members in groups]
    while len(parts) > 1:
        draws = [_thinned(bridged, part.members) for part in parts]
        ends, every = np.cumsum([len(own) for own in draws]), np.concatenate(draws)
        by_proposal = [np.split(part.proposal.log_density(every), ends[:-1]) for part in parts]
        densities = list(zip(*by_proposal, strict=True))  # of the draws of one at the proposal of another
        taken = np.array([[(row[j] > row[i]).mean() for j in range(len(parts))] for i, row in enumerate(densities)])
        joined = _connected(np.minimum(taken, taken.T) > TOGETHER)
        if len(joined) == len(parts):
            break
        merged = [tuple(sorted(c for i in group for c in parts[i].members)) for group in joined]
        known = {part.members: part for part in parts}
        parts = [known.get(members) or _fit(network, same, fitted, members, most_components) for members in merged]
    return parts


def _fit(
    network: DiscreteNetwork,
    same: Relabellings,
    fitted: Sequence[np.ndarray],
    members: tuple[int, ...],
    most_components: int,
) -> _Part:
    draws = np.concatenate([fitted[c] for c in members])
    n_components = min(most_components, max(1, len(draws) // (DRAWS_A_DIMENSION * network.n_parameters)))
    return _Part(members, Proposal.fit(network, same, draws, n_components))


def _thinned(chains: Sequence[np.ndarray], members: tuple[int, ...]) -> np.ndarray:
    """Some of the draws of several chains."""
    draws = np.concatenate([chains[c] for c in members])
    return draws[:: max(1, len(draws) // COMPARED)]


def _connected(together: np.ndarray) -> list[list[int]]:
    """Groups of indices that are joined, directly or by way of others."""
    groups: list[list[int]] = []
    for i in range(len(together)):
        joined = [group for group in groups if together[i, group].any()]
        groups = [group for group in groups if group not in joined]
        groups.append(sorted([i, *(j for group in joined for j in group)]))
    return sorted(groups)
