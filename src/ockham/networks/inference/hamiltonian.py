"""Hamiltonian sampling of the parameters of a discrete network, the hidden states summed out ([Neal2011]).

Along what data do not identify a Gibbs sweep goes less far the more data there are, for a completion holds it back. A
trajectory goes as far as the posterior does.
"""

from dataclasses import dataclass

import numpy as np

from ockham.kernels import hamiltonian as kernel
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em
from ockham.networks.inference.expectation import layout

__all__ = ["Dynamics", "State", "Tuned", "run", "tuned"]

N_LEAPFROG = 64
"""Most steps of a trajectory. To an independent draw 16 or it took the least time on eight data sets, 256 on none."""
FIRST_STEP = 0.5
ACCEPTED = 0.8
"""Mean probability of a trajectory's end that steps are tuned to."""
N_TUNED = 20
"""Trajectories between two changes of the step."""


@dataclass(frozen=True, slots=True)
class Dynamics:
    """How the parameters move.

    Attributes
    ----------
    masses : ndarray, shape (n_entries,)
        About the hyperparameters and counts of the completed data: then no direction moves faster than these would.
    step_size : float
        Of the leapfrog, in units in which a harmonic oscillation of the completed data has frequency 1.
    """

    masses: np.ndarray
    step_size: float


@dataclass(frozen=True, slots=True)
class Tuned:
    """A chain that is ready: its last draw, how it moves, and the passes over the data that this took."""

    log_parameters: np.ndarray
    dynamics: Dynamics
    n_passes: int


@dataclass(frozen=True, slots=True)
class State:
    """Where a chain ended, and what it saw.

    Attributes
    ----------
    draws : ndarray, shape (n_draws, n_entries)
        Logs of theta.
    mean_shape : ndarray, shape (n_entries,)
        Of the hyperparameters and expected counts, over the draws.
    acceptance : float
        Mean probability with which a trajectory's end is taken.
    n_passes : int
        Over the data.
    """

    draws: np.ndarray
    mean_shape: np.ndarray
    acceptance: float
    n_passes: int


def run(
    network: DiscreteNetwork,
    data: UniqueRows,
    log_parameters: np.ndarray,
    rng: np.random.Generator,
    n_draws: int,
    dynamics: Dynamics,
) -> State:
    """So many draws from given parameters, each by a sweep of Gibbs sampling and a trajectory.

    Trajectories differ in their lengths and steps, for no one suits all of the posterior.
    """
    plan, n_entries = layout(network, data), network.n_entries
    state = np.array(log_parameters, dtype=np.float64)
    draws, shapes, acceptance = np.empty((n_draws, n_entries)), np.empty((n_draws, n_entries)), np.empty(n_draws)
    n_leapfrog = rng.integers(1, N_LEAPFROG + 1, n_draws)
    kernel.run(
        rng.bit_generator,
        plan,
        row_starts=network.row_starts,
        prior=network.prior,
        masses=dynamics.masses,
        step_sizes=dynamics.step_size * np.sqrt(rng.random(n_draws)),
        n_leapfrog=n_leapfrog,
        n_sweeps=1,
        log_theta=state,
        draws=draws,
        shapes=shapes,
        acceptance=acceptance,
        work=np.empty(kernel.work_size(plan, n_entries)),
    )
    return State(draws, shapes.mean(axis=0), float(acceptance.mean()), int(n_leapfrog.sum()) + 2 * n_draws)


def tuned(
    network: DiscreteNetwork, data: UniqueRows, log_parameters: np.ndarray, rng: np.random.Generator, n_draws: int
) -> Tuned:
    """A chain after about so many draws, with the masses that fit these and steps of which ``ACCEPTED`` are taken."""
    masses = network.prior + em.init(network, data, log_parameters, network.prior).counts
    log_step, n_passes = np.log(FIRST_STEP), 1
    for k in range(n_draws // N_TUNED):
        state = run(network, data, log_parameters, rng, N_TUNED, Dynamics(masses, float(np.exp(log_step))))
        log_parameters = state.draws[-1]
        masses = masses + (state.mean_shape - masses) / (k + 2)
        log_step += state.acceptance - ACCEPTED
        n_passes += state.n_passes
    return Tuned(log_parameters, Dynamics(masses, float(np.exp(log_step))), n_passes)
