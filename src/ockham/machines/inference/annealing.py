"""Annealed importance sampling over the parameters of a Boltzmann machine; [ChenWelling2013], section 3.3."""

from dataclasses import dataclass

import numpy as np

from ockham.kernels import hamiltonian_annealing as kernel
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, check_enumerable
from ockham.streams import Stream

__all__ = ["Chain", "run", "tuned_step_sizes"]

PILOTS = 10
"""Chains that the step size is tuned on."""
FIRST = 1e-4
"""The smallest inverse temperature but 0 that the step size is tuned at."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Where a chain ended.

    Attributes
    ----------
    log_weight : float
        ln w, nats.
    theta : ndarray, shape (n_parameters,)
    accepted : ndarray of int64, shape (4,)
        How many transitions were accepted in each quarter of the schedule.
    """

    log_weight: float
    theta: np.ndarray
    accepted: np.ndarray


def run(
    model: RestrictedBoltzmann,
    data: BinaryRows,
    theta: np.ndarray,
    temperatures: np.ndarray,
    step_sizes: np.ndarray,
    n_leapfrog: int,
    rng: np.random.Generator,
) -> Chain:
    """One chain from given parameters, with one Hamiltonian transition at each inverse temperature.

    Parameters
    ----------
    temperatures : ndarray, shape (n_steps + 1,)
        From 0 to 1, and exp(ln w) is an unbiased estimate of p(D) when theta is a draw of the prior; or from 1 to 0,
        and exp(ln w) is one of 1 / p(D) when theta is a draw of the posterior.
    step_sizes : ndarray, shape (n_steps,)
    """
    check_enumerable(model)
    end, accepted = np.array(theta, dtype=float), np.zeros(4, dtype=np.int64)
    starts, units, counts = data.sparse
    log_weight = kernel.run(
        rng.bit_generator,
        model.n_visible,
        model.n_hidden,
        starts=starts,
        units=units,
        counts=counts,
        precision=model.deviation**-2,
        temperatures=temperatures,
        step_sizes=step_sizes,
        n_leapfrog=n_leapfrog,
        theta=end,
        accepted=accepted,
        work=np.empty(kernel.work_size(model.n_visible, model.n_hidden, len(data.rows), model.n_parameters)),
    )
    return Chain(log_weight, end, accepted)


def tuned_step_sizes(
    model: RestrictedBoltzmann,
    data: BinaryRows,
    temperatures: np.ndarray,
    n_leapfrog: int,
    acceptance: float,
    n_rounds: int,
    stream: Stream,
) -> np.ndarray:
    """Leapfrog steps at which a fraction of the transitions is accepted, shape of ``temperatures``.

    Pilot chains, which are used for nothing else, pass some inverse temperatures from 0 to 1. At each of them the
    logarithm of the step follows the acceptance, by less and less, for ``n_rounds`` transitions, and its mean over the
    second half is kept; between them it is interpolated.
    """
    rng = stream.generator()
    pilots = [model.sample(rng) for _ in range(PILOTS)]
    knots = np.append(0.0, np.geomspace(FIRST, 1.0, 13))
    log_step, found = np.log(model.deviation * model.n_parameters**-0.25), []
    for knot in knots:
        visited = []
        for k in range(n_rounds):
            ends = [run(model, data, pilot, np.full(2, knot), np.exp([log_step]), n_leapfrog, rng) for pilot in pilots]
            pilots = [end.theta for end in ends]
            rate = sum(int(end.accepted.sum()) for end in ends) / PILOTS
            log_step += (rate - acceptance) / (k + 1) ** 0.5
            visited.append(log_step)
        found.append(np.mean(visited[n_rounds // 2 :]))
    return np.exp(np.interp(np.log(temperatures + FIRST), np.log(knots + FIRST), found))
