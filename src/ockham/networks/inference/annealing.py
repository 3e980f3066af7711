"""Annealed importance sampling over the parameters of a discrete network ([BealGhahramani2006], section 3.6)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ockham.estimation.schedules import nonlinear_schedule
from ockham.kernels import parameter_annealing as kernel
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import gibbs
from ockham.networks.inference.expectation import layout

__all__ = ["N_PILOT", "State", "run", "tuned_strengths"]

ACCEPTED = 0.25
"""Share of the proposals, near the .234 that is best for random walks in many dimensions ([RobertsEtAl1997])."""
N_STAGES, N_ROUNDS, N_CHAINS, N_PROPOSALS = 48, 4, 8, 4
"""Temperatures that strengths are tuned at, rounds at each, chains of a round, and proposals of each."""
N_SWEEPS = 100
"""Of Gibbs sampling before."""
N_PILOT = N_CHAINS * (N_SWEEPS + N_STAGES * N_ROUNDS * N_PROPOSALS)
"""Passes over the data that tuning takes."""
LEAST, MOST = 1e-3, 1e9


@dataclass(frozen=True, slots=True)
class State:
    """Where a run of annealed importance sampling ended.

    Attributes
    ----------
    log_weight : float
        ln w, nats; its exp is an unbiased estimate of the evidence when the run began at a draw of the prior.
    log_parameters : ndarray, shape (n_entries,)
        Logs of the last state of the chain.
    accepted : ndarray of int64, shape (4,)
        How many proposals were accepted in each quarter of the schedule.
    """

    log_weight: float
    log_parameters: np.ndarray
    accepted: np.ndarray


def run(
    network: DiscreteNetwork,
    data: UniqueRows,
    log_parameters: np.ndarray,
    temperatures: np.ndarray,
    strengths: np.ndarray,
    rng: np.random.Generator,
    *,
    n_transitions: int = 1,
) -> State:
    """One run from given parameters; algorithm 3.1 of [BealGhahramani2006] with C_k = 1.

    ``strengths``, shape (n_steps,), are those of the joint Dirichlet proposal in every step; eq. (67).
    """
    plan = layout(network, data)
    state = np.array(log_parameters, dtype=np.float64)
    accepted = np.zeros(4, dtype=np.int64)
    log_weight = kernel.run(
        rng.bit_generator,
        plan,
        row_starts=network.row_starts,
        prior=network.prior,
        temperatures=temperatures,
        strengths=strengths,
        n_transitions=n_transitions,
        log_theta=state,
        accepted=accepted,
        work=np.empty(kernel.work_size(plan, network.n_entries)),
    )
    return State(log_weight, state, accepted)


def tuned_strengths(
    network: DiscreteNetwork, data: UniqueRows, curvature: float, rng: np.random.Generator
) -> Callable[[np.ndarray], np.ndarray]:
    """Strengths with which a quarter of the proposals is accepted at any temperatures from 0 to 1.

    Short chains begin at draws of the posterior by Gibbs sampling, and are heated in a few stages to the prior. In each
    the strength is raised, by its logarithm, with what too few proposals are accepted; between the stages it is
    interpolated.
    """
    starts = [sample_log(network, rng) for _ in range(N_CHAINS)]
    chains = np.array([gibbs.run(network, data, start, rng, N_SWEEPS).log_parameters for start in starts])
    stages = nonlinear_schedule(N_STAGES, curvature)[1:]
    log_strength, found = np.log(data.n + network.n_entries), []
    for temperature in stages[::-1]:
        for _ in range(N_ROUNDS):
            accepted = 0
            for c, chain in enumerate(chains):
                end = run(
                    network, data, chain, np.full(2, temperature), np.exp([log_strength]), rng,
                    n_transitions=N_PROPOSALS,
                )  # fmt: skip
                chains[c] = end.log_parameters
                accepted += end.accepted.sum()
            log_strength += ACCEPTED - accepted / (N_CHAINS * N_PROPOSALS)
            log_strength = np.clip(log_strength, np.log(LEAST), np.log(MOST))
        found.append(log_strength)
    return lambda temperatures: np.exp(np.interp(temperatures, stages, found[::-1]))
