"""Bridge sampling from Gibbs draws of the posterior to proposals that are fitted to them ([MengWong1996])."""

from dataclasses import dataclass
from math import prod

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence
from ockham.estimation.doubting import doubt_of_bound, doubt_of_error
from ockham.estimation.memory import MAX_BYTES, check_memory
from ockham.estimation.posterior_parts import FEWEST_OVERLAPPING, LARGEST_MISSING, doubt_of_part
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import check_starts
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import completions, gibbs, hamiltonian, modes, parts, two_classes
from ockham.networks.inference.completed_proposals import CompletedBridge, takes
from ockham.networks.inference.components import components
from ockham.networks.inference.effective_dimension import leaves_open
from ockham.networks.inference.expectation import check_layout, check_rows
from ockham.networks.inference.missing_modes import n_independent_visits, share_missing
from ockham.networks.inference.proposals import Proposal
from ockham.networks.inference.relabellings import relabellings
from ockham.networks.inference.sparse_priors import doubt_of_prior
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "doubted", "score"]

ESTIMATES = {"bridge_sampling": Estimator("Bridge sampling", over_runs="median", reference="estimated")}
N_COPIES = 4
"""Of the draws: as they were made, relabelled, and in halves."""
MOST_LISTED = 3
"""Values of the one hidden variable: draws are relabelled among six faster in a list than by assignment."""
ENOUGH_OVERLAP = 0.3
"""Of proposal and posterior, where the estimate hardly depends on how often chains were near each mode of a part: below
it up to a third of runs on two hidden variables and few rows were four errors off, above none."""
FEWEST_VISITS = 40.0
"""Independent draws of which mode the chains of a part are near: their shares are then known to a sixth."""
ENOUGH_DRAWS = 800
"""Independent draws of the posterior in the largest part, with which chains may end."""


class Settings(contracts.Settings):
    """Where the chains start, how long they are, and the error to reach."""

    n_starts: int = Field(default=64, ge=1, le=4096, description="starts of variational EM that look for modes")
    n_chains: int = Field(default=8, ge=1, le=256, description="Gibbs chains, begun at the modes of the highest bounds")
    n_burn_in: int = Field(default=500, ge=0, le=10**7, description="sweeps of a chain that are thrown away")
    n_draws: int = Field(default=500, ge=100, le=10**6, description="sweeps of a chain, before the first estimate")
    max_draws: int = Field(
        default=16_000, ge=100, le=10**6, description="sweeps of a chain, doubled until the error is reached"
    )
    error: float = Field(default=0.1, gt=0, le=100, description="standard error to reach, in nats")


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for starts, draws or an E step that would take more memory than allowed."""
    check_rows(network.relevant, n)
    check_starts(network.relevant, settings.n_starts)
    _check_draws(network.relevant, settings)


def doubted(network: DiscreteNetwork) -> Doubt:
    """What speaks against every estimate: under sparse priors hardly any start leads to the modes in corners."""
    return doubt_of_prior(network)


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """One estimate, with chains that start at the best modes that variational EM finds.

    The chains go on until the standard error is at most ``error``, to ``max_draws``, or to what memory allows. Hidden
    variables without observed descendants are left out. What no arc connects is bridged apart, each to its part of
    ``error``. What has nothing hidden, and a hidden variable of two values with one child, have their exact value.

    Where no data identify the parameters, or no rows with cells missing as in these, Gibbs sweeps go ever less far the
    more data there are, and the error does not know it. There the chains are Hamiltonian and the proposals mixtures, as
    far as there are not too many parameters to tell.

    One hidden variable of up to ten exchangeable values with more parameters than a copula can be fitted to (128), a
    mixture of many features, has other proposals: the mean of the posteriors given completions that the chains visited,
    over all names of the values. They are not for rows that hardly tell the values: where they do not overlap with the
    first draws, copulas take over again, up to 300 parameters. There the estimate is also doubted where it differs from
    the mean weight of the proposals, for which no chain need be a sample of the posterior; and modes of the search that
    no chain was near are missing, too.

    Modes that starts led to, that are in no part of the posterior that chains keep to, and from which a chain comes to
    none at once, are missing; where there are several parts, so is what is estimated by how often starts led to the
    same part. What is missing is part of the error. So is, where they overlap by less than .3 and a part has several
    modes, how often its chains were near each, as far as they went from one to another. The estimate is doubted where
    the error stays large, where posterior and proposal share few draws, where much may be missing, where the chains
    have few independent draws, also of which mode they are near, where it is below the variational bound, and where
    hyperparameters are below .1, for then there are modes in corners that hardly any start leads to.

    The diagnostics are the overlap of posterior and proposal in the largest part (from 0 to 1/2, which they reach where
    they are equal), the autocorrelation time in draws, the number of parts, the share of the largest and the share that
    may be missing, and the best variational bound in nats. Overlap and time are those of what overlaps least.

    Raises
    ------
    ModelError
        When there are too many relabellings to tell apart, or ``n_draws`` would take more memory than allowed.

    Notes
    -----
    p(D | m) = S sum_k Z_k, where Z_k is the integral of p(D, theta) over part k of one of S alike copies of the
    posterior. Every Z_k is an optimal bridge, [MengWong1996], to a copula with Beta margins or, S = 1, to posteriors
    given completed data under every name; its error is that of [FruehwirthSchnatter2004].
    """
    network = network.relevant
    data.check_fits(network)
    check_layout(network, data)
    _check_draws(network, settings)
    every = [(part, data.marginal(columns)) for part, columns in components(network)]
    known = [_exact(*each) for each in every]
    error = settings.error / max(sum(found is None for found in known), 1) ** 0.5
    found = [
        exact or _bridged(*each, settings, error, stream.child("component", k) if len(every) > 1 else stream)
        for k, (each, exact) in enumerate(zip(every, known, strict=True))
    ]
    worst = min(found, key=lambda each: each.overlap)
    missing = 1 - prod(1 - each.missing for each in found)
    relative_error = float(np.linalg.norm([each.relative_error for each in found]))
    total = float(np.hypot(relative_error, missing))
    doubt = doubt_of_error(relative_error)  # of all together; each has said what speaks against its draws
    if missing > LARGEST_MISSING:
        doubt |= Doubt.NOT_MIXED
    for each in found:
        doubt |= each.doubt
    return {
        "bridge_sampling": Evidence(
            float(sum(each.log_evidence for each in found)),
            total,
            n_evaluations=sum(each.n_passes for each in found),
            diagnostics={
                "overlap": worst.overlap,
                "autocorrelation_time": worst.autocorrelation_time,
                "n_parts": prod(each.n_parts for each in found),
                "largest_share": prod(each.largest_share for each in found),
                "share_missing": missing,
                "variational_bound": float(sum(each.bound for each in found)),
            },
            effective_sample_size=1 / max(total, 1e-150) ** 2 if total > 0 else np.inf,
            doubt=doubt,
        )
    }


@dataclass(frozen=True, kw_only=True)
class _Found:
    """What is known of one component; an exact value overlaps with itself."""

    log_evidence: float
    bound: float
    relative_error: float = 0.0
    n_passes: int = 1
    overlap: float = 0.5
    autocorrelation_time: float = 1.0
    n_parts: int = 1
    largest_share: float = 1.0
    missing: float = 0.0
    doubt: Doubt = NO_DOUBT


def _exact(network: DiscreteNetwork, data: UniqueRows) -> _Found | None:
    """Where nothing is hidden, and where two classes have one child; None elsewhere."""
    if not network.hidden and not completions.predicted_completions(network, data):
        value = completions.log_evidence(network, data)
    elif two_classes.takes(network, data):
        value = two_classes.log_evidence(network, data)
    else:
        return None
    return None if np.isnan(value) else _Found(log_evidence=value, bound=value)


def _bridged(
    network: DiscreteNetwork, data: UniqueRows, settings: Settings, least_error: float, stream: Stream
) -> _Found:
    """One component by bridge sampling."""
    same = relabellings(network, MOST_LISTED)
    max_draws = min(settings.max_draws, int(MAX_BYTES / 8 / _check_draws(network, settings)))
    search = modes.find(network, data, stream, settings.n_starts, settings.n_chains)
    found, n_passes = search.found, search.n_passes
    rng = stream.child("bridge").generator()
    states = [found[c % len(found)].log_parameters for c in range(settings.n_chains)]
    states = [gibbs.run(network, data, state, rng, settings.n_burn_in).log_parameters for state in states]
    n_passes += settings.n_chains * settings.n_burn_in
    dynamics: list[hamiltonian.Dynamics] = []
    if leaves_open(network, data):
        begun = [hamiltonian.tuned(network, data, state, rng, settings.n_burn_in) for state in states]
        states, dynamics = [each.log_parameters for each in begun], [each.dynamics for each in begun]
        n_passes += sum(each.n_passes for each in begun)
    chains = [np.empty((0, network.n_entries))] * settings.n_chains
    n_draws, n_added = 0, settings.n_draws
    together: tuple[parts.Groups, ...] = ()
    fit = Proposal.fit_mixture if dynamics else Proposal.fit
    completed = None
    if takes(network) and not dynamics:
        completed = CompletedBridge(network, data, search, stream.child("completions").generator())
    while True:
        for c, state in enumerate(states):
            if dynamics:
                moved = hamiltonian.run(network, data, state, rng, n_added, dynamics[c])
                added, states[c] = moved.draws, moved.draws[-1]
                n_passes += moved.n_passes
            else:
                end = gibbs.run(network, data, state, rng, n_added, keep=True)
                added, states[c] = end.draws, end.log_parameters
                n_passes += n_added
            chains[c] = np.concatenate([chains[c], added])
        n_draws += n_added
        if completed:
            estimate = completed.estimate(chains, together)
            if not together and completed.is_worse_than_a_copula(estimate):
                completed = None
        if not completed:
            estimate = parts.estimate(network, data, same, chains, rng, together, fit)
        together = estimate.together
        n_passes += estimate.n_evaluations
        n_added = min(n_draws, max_draws - n_draws)
        enough = estimate.n_used >= ENOUGH_DRAWS * estimate.largest.autocorrelation_time
        enough = enough and estimate.n_overlapping >= FEWEST_OVERLAPPING
        enough = enough and not (completed and completed.doubt(estimate))
        covered = estimate.largest.overlap >= ENOUGH_OVERLAP
        n_visits = np.inf if covered else n_independent_visits(network, search, chains, together)
        enough = enough and n_visits >= FEWEST_VISITS
        if (estimate.relative_error <= least_error and enough) or n_added <= 0:
            break
    largest, bound = estimate.largest, found[0].bound
    relative_error = float(np.hypot(estimate.relative_error, n_visits**-0.5))
    if completed:
        missing = completed.share_missing(estimate)
    else:
        settled = stream.child("settled").generator()

        def settle(point: np.ndarray) -> tuple[np.ndarray, int]:
            end, n = gibbs.run(network, data, point, settled, settings.n_burn_in).log_parameters, settings.n_burn_in
            if not dynamics:
                return end, n
            moved = hamiltonian.tuned(network, data, end, settled, settings.n_burn_in)
            return moved.log_parameters, n + moved.n_passes

        missing, n = share_missing(
            search,
            list(zip(estimate.together, estimate.bridged, strict=True)),
            lambda groups, bridged: parts.locator(network, same, chains, groups, bridged, fit),
            settle,
        )
        n_passes += n
    return _Found(
        log_evidence=estimate.log_evidence,
        bound=bound,
        relative_error=relative_error,
        n_passes=n_passes,
        overlap=largest.overlap,
        autocorrelation_time=largest.autocorrelation_time,
        n_parts=len(estimate.shares),
        largest_share=float(estimate.shares[0]),
        missing=missing,
        doubt=_doubt(estimate, float(np.hypot(relative_error, missing)), bound)
        | doubt_of_prior(network, data)
        | (NO_DOUBT if n_visits >= FEWEST_VISITS else Doubt.NOT_MIXED)
        | (completed.doubt(estimate) if completed else NO_DOUBT),
    )


def _check_draws(network: DiscreteNetwork, settings: Settings) -> int:
    """How many numbers one draw of every chain takes, of as many as there are before the first estimate."""
    n_kept = N_COPIES * settings.n_chains * network.n_entries
    check_memory(
        n_kept * settings.n_draws,
        f"{settings.n_draws:,} draws of {settings.n_chains:,} chains of {network.n_entries:,} parameters",
        "take fewer n_chains or n_draws, or fewer values",
    )
    return n_kept


def _doubt(estimate: parts.Estimate, error: float, bound: float) -> Doubt:
    largest = estimate.largest
    doubt = doubt_of_part(estimate.relative_error, estimate.n_used, largest.autocorrelation_time, largest.overlap)
    return doubt | doubt_of_bound(estimate.log_evidence, error, bound)
