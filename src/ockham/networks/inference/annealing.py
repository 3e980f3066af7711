"""Annealed importance sampling over the parameters of a discrete network ([BealGhahramani2006], section 3.6)."""

from dataclasses import dataclass

import numpy as np

from ockham.kernels import parameter_annealing as kernel
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.expectation import layout

__all__ = ["State", "run"]


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
