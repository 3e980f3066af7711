"""The evidence by annealed importance sampling with Hamiltonian transitions; [ChenWelling2013], section 3.3."""

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Estimator, Evidence
from ockham.estimation.combining import combine
from ockham.estimation.pilot_chains import Pilot, steps
from ockham.estimation.schedules import steps_by_quarter
from ockham.estimation.tuned_steps import N_PILOT
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference.annealing import Chain, run, tuned_step_sizes
from ockham.machines.inference.likelihood import check_fits
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, check_enumerable
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {"annealed_importance_sampling": Estimator("Annealed importance sampling", over_runs="mean")}
LEAST_STEPS = 1024
"""Of the schedule, where it is tuned."""


class Settings(contracts.Settings):
    """The schedule and the transition; the number of temperatures is not in the paper."""

    n_steps: int | None = Field(
        default=None,
        ge=1,
        le=10**7,
        description="inverse temperatures after 0, equally spaced; tuned to effective sample size, up to max_steps, "
        "without it",
    )
    max_steps: int = Field(default=2**14, ge=LEAST_STEPS, le=10**7, description="of them at the most, where tuned")
    n_chains: int = Field(default=100, ge=2, le=10**6, description="chains, whose weights are averaged")
    n_leapfrog: int = Field(default=10, ge=1, le=10**6, description="leapfrog steps of a transition")
    acceptance: float = Field(
        default=0.9, gt=0, lt=1, description="fraction of transitions to accept, which the step size is tuned to"
    )
    n_tuning: int = Field(
        default=30,
        ge=2,
        le=10**6,
        description="transitions of each pilot chain at each temperature that the step is tuned at",
    )


def check(model: RestrictedBoltzmann, n: int, settings: Settings) -> None:
    """Raise a ModelError for a machine whose exact likelihood, which every step takes, would cost too much."""
    check_enumerable(model)


def score(
    model: RestrictedBoltzmann,
    data: BinaryRows,
    settings: Settings,
    stream: Stream,
    start: np.ndarray | None = None,
) -> dict[str, Evidence]:
    """The mean weight of chains from the prior to the posterior, or the other way.

    With ``start``, an exact draw of the posterior, shape (n_parameters,), all chains go from there to the prior. Minus
    the log of their mean weight is then above ln p(D) in expectation, as that of the others is below it.

    The diagnostics are the fractions of transitions accepted, in all and in each quarter of the schedule, and the
    leapfrog steps at the prior and at the posterior. A chain whose weight is NaN has diverged, and is left out; the
    value is then doubted. Without a number of steps, pilot chains from the prior, which are used for nothing else, find
    it: all runs of a cell have the same, in both directions, and each counts them.
    """
    check_fits(model, data)
    check(model, data.n, settings)

    def chains(n_chains: int, n_steps: int, stream: Stream, start: np.ndarray | None) -> tuple[list[Chain], np.ndarray]:
        forward = np.linspace(0.0, 1.0, n_steps + 1)
        temperatures = forward if start is None else forward[::-1].copy()
        tuning = settings.n_leapfrog, settings.acceptance, settings.n_tuning, stream.child("step size")
        step_sizes = tuned_step_sizes(model, data, temperatures, *tuning)
        ends = []
        for chain in range(n_chains):
            rng = stream.child("annealing", chain).generator()
            first = model.sample(rng) if start is None else start
            ends.append(run(model, data, first, temperatures, step_sizes[:-1], settings.n_leapfrog, rng))
        return ends, step_sizes

    def log_weights_of_pilot(n_steps: int, stream: Stream) -> np.ndarray:
        return np.array([end.log_weight for end in chains(N_PILOT, n_steps, stream, None)[0]])

    name = "steps", model.digest, data.digest
    pilot = Pilot(log_weights_of_pilot, settings, LEAST_STEPS, settings.max_steps, stream.root, name)
    n_steps, n_pilot, doubt = steps(settings.n_steps, pilot)
    ends, step_sizes = chains(settings.n_chains, n_steps, stream, start)
    log_weights = np.array([end.log_weight for end in ends])
    accepted = np.sum([end.accepted for end in ends], axis=0)
    n_quarter = steps_by_quarter(n_steps) * settings.n_chains
    rates = accepted / np.where(n_quarter, n_quarter, np.nan)
    diagnostics = {"acceptance": accepted.sum() / n_quarter.sum()}
    diagnostics |= {f"acceptance_quarter_{q + 1}": rate for q, rate in enumerate(rates)}
    at_ends = step_sizes[[0, -1]] if start is None else step_sizes[[-1, 0]]
    diagnostics |= {"step_size_prior": float(at_ends[0]), "step_size_posterior": float(at_ends[1])}
    n_evaluations = settings.n_chains * (n_steps * settings.n_leapfrog + 1) + n_pilot * settings.n_leapfrog
    return {
        "annealed_importance_sampling": combine(log_weights, "mean").evidence(
            n_evaluations, diagnostics, sign=1.0 if start is None else -1.0, doubt=doubt
        )
    }
