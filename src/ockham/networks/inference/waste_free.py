"""Sequential Monte Carlo over growing data for a discrete network, with Gibbs sweeps ([DauChopin2022])."""

import numpy as np

from ockham.contracts import Evidence
from ockham.errors import ModelError
from ockham.estimation import waste_free
from ockham.estimation.memory import check_memory
from ockham.estimation.posterior_parts import share_unseen
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import modes
from ockham.networks.inference.expectation import check_layout
from ockham.networks.inference.particles import (
    Parameters,
    begun_at_prior,
    doubt_of_rare_states,
    log_parameters,
)
from ockham.networks.inference.relabellings import relabellings
from ockham.streams import Stream

__all__ = ["check", "estimate", "run_passes"]

N_COPIES = 3
"""Of the particles, old, with further rows, and new, and of the rows, in their order and in another."""


def check(network: DiscreteNetwork, n: int, n_chains: int, n_states: int) -> None:
    """Raise a ModelError when the particles, or n rows, would take more memory than allowed."""
    n_particles, n_observed = n_chains * n_states, len(network.observed)
    check_memory(
        N_COPIES * n_particles * network.n_entries,
        f"{n_particles:,} particles of {network.n_entries:,} parameters",
        "take fewer n_chains or n_states, or fewer values",
    )
    check_memory(N_COPIES * n * n_observed, f"{n:,} rows in an order of their own", "take fewer rows")


def run_passes(
    network: DiscreteNetwork,
    data: UniqueRows,
    rng: np.random.Generator,
    posterior_draw: np.ndarray | None = None,
    *,
    n_passes: int,
    n_chains: int,
    n_states: int,
    least_share: float,
) -> waste_free.Passes:
    """Passes over the rows, as ``waste_free.run_passes``; with a ``posterior_draw`` particles are parameters.

    Raises
    ------
    ModelError
        When the particles, the rows, or the E step, would take more memory than allowed.
    """
    data.check_fits(network)
    check_layout(network, data)
    check(network, data.n, n_chains, n_states)
    target = begun_at_prior(network, data.rows) if posterior_draw is None else Parameters(network, data.rows)
    return waste_free.run_passes(
        target,
        data.counts,
        rng,
        posterior_draw,
        n_passes=n_passes,
        n_chains=n_chains,
        n_states=n_states,
        least_share=least_share,
    )


def estimate(
    network: DiscreteNetwork, data: UniqueRows, passes: waste_free.Passes, stream: Stream, n_starts: int
) -> Evidence:
    """What passes from the prior say, beside modes that none has seen, of those that so many starts lead to."""
    unseen = _unseen(network, data, passes, stream, n_starts)
    return waste_free.evidence_of(passes, unseen, doubt=doubt_of_rare_states(network))


def _unseen(
    network: DiscreteNetwork, data: UniqueRows, passes: waste_free.Passes, stream: Stream, n_starts: int
) -> waste_free.Unseen:
    """All, where there are too many names for modes to be told apart."""
    try:
        same = relabellings(network)
    except ModelError:  # too many names to tell modes apart
        return waste_free.Unseen(1.0, -np.inf, 0)
    search = modes.find(network, data, stream, n_starts, 1)
    points = log_parameters(network, np.concatenate(passes.seen))
    distances = np.array([modes.apart(network, same, posterior, points) for posterior in search.posteriors])
    return waste_free.Unseen(share_unseen(search.shares, distances), search.found[0].bound, search.n_passes)
