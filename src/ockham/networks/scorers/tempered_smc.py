"""Tempered sequential Monte Carlo from a fitted distribution to the posterior ([DelMoralDoucetJasra2006])."""

from functools import partial

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Doubt, Estimator, Evidence
from ockham.estimation import tempering
from ockham.estimation.combining import Combined, combine, doubts_of
from ockham.estimation.doubting import doubt_of_bound
from ockham.estimation.memory import check_memory
from ockham.estimation.posterior_parts import LARGEST_MISSING
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import check_starts
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import gibbs, hamiltonian, modes
from ockham.networks.inference.effective_dimension import leaves_open
from ockham.networks.inference.expectation import check_layout, check_rows
from ockham.networks.inference.labelling import log_n_relabellings
from ockham.networks.inference.missing_modes import N_SEEN, share_unvisited
from ockham.networks.inference.proposals import Proposal
from ockham.networks.inference.relabellings import relabellings
from ockham.networks.inference.sparse_priors import doubt_of_prior
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "doubted", "score"]

ESTIMATES = {"tempered_sequential_monte_carlo": Estimator("Tempered sequential Monte Carlo", over_runs="mean")}
N_COPIES = 12
"""Of the particles, as normal variates and as parameters, and of the draws."""
APART = 3.09
"""Standard errors of both directions together by which they may differ; of eight passes each, one in fifty does."""


class Settings(contracts.Settings):
    """The draws that the reference is fitted to, and the passes from it."""

    n_starts: int = Field(default=64, ge=1, le=4096, description="starts of variational EM that look for modes")
    n_chains: int = Field(default=8, ge=2, le=256, description="Gibbs chains, begun at the modes of the highest bounds")
    n_burn_in: int = Field(default=500, ge=0, le=10**7, description="sweeps of a chain that are thrown away")
    n_draws: int = Field(
        default=1000,
        ge=100,
        le=10**6,
        description="sweeps of a chain that the reference is fitted to, and as many that passes back begin in",
    )
    n_passes: int = Field(
        default=8, ge=2, le=1024, description="independent passes, after one that chooses temperatures and steps"
    )
    n_walks: int = Field(default=32, ge=1, le=10**5, description="walks of a pass at a temperature")
    n_states: int = Field(default=64, ge=2, le=10**5, description="states of a walk; all are particles")
    least_share: float = Field(
        default=0.5, gt=0, lt=1, description="effective sample size of a temperature's weights over the particles"
    )


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for starts, draws, particles or an E step that would take more memory than allowed."""
    check_rows(network.relevant, n)
    check_starts(network.relevant, settings.n_starts)
    _check_memory(network.relevant, settings)


def doubted(network: DiscreteNetwork) -> Doubt:
    """What speaks against every estimate: under sparse priors no chain or pass may see the modes in corners."""
    return doubt_of_prior(network)


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """The mean evidence of independent passes from a distribution that is fitted to all draws of Gibbs chains.

    The chains start at the best modes that variational EM finds; they are Hamiltonian where no data identify the
    parameters. The distribution covers them together, with room around, up to relabelling. A first pass chooses the
    temperatures and the steps, and is left out. So every other is an unbiased estimate of the evidence, however the
    chains mixed. From further draws of every chain a pass goes back; the inverses of these are unbiased where the
    chains mix. What forward passes miss makes them too low, and backward ones too high. The error has the spread of the
    passes, half of the difference of both directions, and what modes may have that no chain came to. Hidden variables
    without observed descendants are left out. The estimate is doubted where passes differ much, forward or back, which
    begin in different chains, where the directions differ by more than their errors, where much may be missing, where
    it is below the variational bound, and where hyperparameters are below .1, for then neither direction may see a mode
    in a corner.

    The diagnostics are the log evidence of the passes back and its standard error in nats, the number of temperatures,
    the smallest step, the best variational bound in nats, and the share that may be missing.

    Raises
    ------
    ModelError
        When there are too many relabellings to tell apart, or draws or particles would take more memory than allowed.

    Notes
    -----
    p(D | m) = S E[w], where S is the number of relabellings, the mean is over draws of the fitted density q, and w is
    p(D, theta) / q(theta) where theta is nearest to the draws' mean among its relabellings, and 0 elsewhere. Passes of
    both directions are those of [GrosseEtAl2015].
    """
    network = network.relevant
    data.check_fits(network)
    check_layout(network, data)
    _check_memory(network, settings)
    same = relabellings(network)
    search = modes.find(network, data, stream, settings.n_starts, settings.n_chains)
    rng = stream.child("tempered sequential Monte Carlo").generator()
    found = [
        _chain(network, data, search.found[c % len(search.found)].log_parameters, settings, rng)
        for c in range(settings.n_chains)
    ]
    chains = [draws for draws, _ in found]
    reference = Proposal.fit(network, same, np.concatenate([draws[: settings.n_draws] for draws in chains])).widened()
    log_weights = partial(reference.log_ratios, network, data)
    size = tempering.Size(settings.n_walks, settings.n_states)
    one = partial(tempering.run, log_weights, reference.n_fractions, size, rng)
    pilot = one(least_share=settings.least_share)
    passes = [one(stages=pilot.stages) for _ in range(settings.n_passes)]
    ends = [reference.normals(draws[settings.n_draws :]) for draws in chains]
    passes_back = [tempering.run_back(log_weights, end, size, pilot.stages, rng) for end in ends]
    with np.errstate(divide="ignore"):  # no particle of any pass has weight
        log_inside = np.log(np.mean([each.inside for each in passes]))
    forward = combine(np.array([each.log_normaliser for each in passes]), "mean")
    back = combine(np.array([each.log_normaliser for each in passes_back]) - log_inside, "mean")
    value = float(forward.value) + log_n_relabellings(same)
    value_back = -float(back.value) + log_n_relabellings(same)
    missing = share_unvisited(network, search, [draws[:: max(1, len(draws) // N_SEEN)] for draws in chains])
    error = float(np.linalg.norm([float(forward.standard_error), (value - value_back) / 2, missing]))
    apart = abs(value - value_back) > APART * np.hypot(forward.standard_error, back.standard_error)
    doubt = _doubt(forward, back, bool(apart), missing) | doubt_of_prior(network, data)
    n_weights = sum(each.n_evaluations for each in [pilot, *passes]) + sum(each.n_evaluations for each in passes_back)
    n_sweeps = sum(n_passes for _, n_passes in found)
    return {
        "tempered_sequential_monte_carlo": Evidence(
            value,
            error,
            n_evaluations=search.n_passes + n_sweeps + n_weights,
            diagnostics={
                "back": value_back,
                "back_standard_error": float(back.standard_error),
                "n_temperatures": len(pilot.stages),
                "smallest_step": min(stage.step for stage in pilot.stages),
                "variational_bound": search.found[0].bound,
                "share_missing": missing,
            },
            effective_sample_size=float(forward.effective_sample_size),
            doubt=doubt | doubt_of_bound(value, error, search.found[0].bound),
            degrees_of_freedom=float(forward.degrees_of_freedom),
        )
    }


def _chain(
    network: DiscreteNetwork, data: UniqueRows, start: np.ndarray, settings: Settings, rng: np.random.Generator
) -> tuple[np.ndarray, int]:
    """Draws, logs of shape (2 n_draws, n_entries), after the burn-in, and the passes over the data that they took."""
    n_burn_in, n_draws = settings.n_burn_in, 2 * settings.n_draws
    begun = gibbs.run(network, data, start, rng, n_burn_in).log_parameters
    if not leaves_open(network, data):
        return gibbs.run(network, data, begun, rng, n_draws, keep=True).draws, n_burn_in + n_draws
    ready = hamiltonian.tuned(network, data, begun, rng, n_burn_in)
    moved = hamiltonian.run(network, data, ready.log_parameters, rng, n_draws, ready.dynamics)
    return moved.draws, n_burn_in + ready.n_passes + moved.n_passes


def _doubt(forward: Combined, back: Combined, apart: bool, missing: float) -> Doubt:
    doubt = doubts_of(forward.doubt)
    if back.doubt or missing > LARGEST_MISSING:
        doubt |= Doubt.NOT_MIXED
    if apart:
        doubt |= Doubt.RUNS_DIFFER
    return doubt


def _check_memory(network: DiscreteNetwork, settings: Settings) -> None:
    n_draws, n_particles = 2 * settings.n_chains * settings.n_draws, settings.n_walks * settings.n_states
    check_memory(
        N_COPIES * (n_draws + n_particles) * network.n_entries,
        f"{n_draws:,} draws and {n_particles:,} particles of {network.n_entries:,} parameters",
        "take fewer n_chains, n_draws, n_walks or n_states, or fewer values",
    )
