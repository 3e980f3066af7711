"""Annealed importance sampling from the prior to the posterior of the parameters ([BealGhahramani2006], 3.6)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from pydantic import Field, model_validator

from ockham import contracts
from ockham.contracts import Estimator, Evidence
from ockham.estimation.schedules import nonlinear_schedule, steps_by_quarter
from ockham.estimation.tuned_steps import N_PILOT, tuned_steps
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log, sample_start
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import annealing
from ockham.networks.inference.expectation import check_rows
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {
    "annealed_importance_sampling": Estimator("Annealed importance sampling", over_runs="mean", reference="substitute")
}
LEAST_STEPS = 4096
"""K, where it is tuned."""


class Settings(contracts.Settings):
    """The schedule and the proposal; the defaults are the paper's but for what pilot chains tune.

    Temperatures that pilot chains set spread the weights no less (docs/decisions.md).
    """

    n_steps: int | None = Field(
        default=None,
        ge=1,
        le=10**7,
        description="K, steps of the annealing schedule; tuned to effective sample size, up to max_steps, without it",
    )
    max_steps: int = Field(default=2**18, ge=LEAST_STEPS, le=10**7, description="K at the most, where it is tuned")
    n_transitions: int = Field(default=1, ge=0, le=10**6, description="C', proposals in each step")
    curvature: float = Field(default=0.2, gt=0, le=1e9, description="e_tau of the schedule, eq. (69)")
    strength: float | None = Field(
        default=None,
        gt=0,
        le=1e9,
        description="alpha of the Dirichlet proposal, of every row of parameters; tuned to acceptance without it",
    )
    strength_per_datum: float = Field(
        default=0.0, ge=0, le=1e3, description="what n tau(k - 1) is multiplied by and added to a given alpha"
    )

    @model_validator(mode="after")
    def _added_to_something(self) -> "Settings":
        if self.strength_per_datum and self.strength is None:
            raise ValueError(
                "strength_per_datum: is added to a `strength`, and there is none; give one too, or leave "
                "strength_per_datum out, and alpha is tuned"
            )
        return self


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for an E step that would take more memory than allowed."""
    check_rows(network, n)


def score(
    network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream, start: np.ndarray | None = None
) -> dict[str, Evidence]:
    """One run from one draw of the prior, the same draw that EM starts from.

    With ``start``, shape (n_entries,), the run begins at these parameters instead, and the estimate is biased.

    The diagnostics are the fraction of proposals accepted, in all and in each quarter of the schedule.

    Notes
    -----
    Algorithm 3.1 of [BealGhahramani2006] with C_k = 1. Beyond the paper's constant strength, alpha(k) = strength +
    strength_per_datum n tau(k - 1) follows its advice in section 5. Without a strength, pilot chains find the one that
    has a quarter of the proposals accepted, by the temperature; without a number of steps, others find the one with
    which nine tenths of the chains count. They are apart from the run, which stays unbiased, and the same for all runs
    of a cell. ``n_evaluations`` counts them in each, for each would need them alone.
    """
    log_start = sample_start(network, stream) if start is None else np.log(start)
    plan = _tuned(_Cell(network, data, settings, stream.root, (network.digest, data.digest)))
    rng = stream.child("annealing").generator()
    end = annealing.run(
        network, data, log_start, plan.temperatures, plan.strengths, rng, n_transitions=settings.n_transitions
    )
    n_steps = len(plan.strengths)
    n_quarter = steps_by_quarter(n_steps) * settings.n_transitions
    rates = end.accepted / np.where(n_quarter, n_quarter, np.nan)
    n_proposals = n_steps * settings.n_transitions
    diagnostics = {"acceptance": end.accepted.sum() / n_proposals if n_proposals else np.nan}
    diagnostics |= {f"acceptance_quarter_{q + 1}": rate for q, rate in enumerate(rates)}
    return {
        "annealed_importance_sampling": Evidence(
            end.log_weight, n_evaluations=n_proposals + plan.n_pilot + 1, diagnostics=diagnostics
        )
    }


class _Plan(NamedTuple):
    """Temperatures, shape (n_steps + 1,), strengths at them, (n_steps,), and evaluations that finding them took."""

    temperatures: np.ndarray
    strengths: np.ndarray
    n_pilot: int


@dataclass(frozen=True)
class _Cell:
    """What the runs of a cell share; two are alike where their digests, of network and data, are."""

    network: DiscreteNetwork = field(compare=False)
    data: UniqueRows = field(compare=False)
    settings: Settings
    root: int
    digests: tuple[str, str]


@lru_cache(maxsize=1)  # the runs of a cell follow each other
def _tuned(cell: _Cell) -> _Plan:
    """What all runs of a cell share: streams have the names of model and data, so that a run alone finds the same."""
    network, data, settings, root = cell.network, cell.data, cell.settings, cell.root
    strengths = _strengths(network, data, settings, root)
    n_pilot = annealing.N_PILOT if settings.strength is None else 0

    def plan(n_steps: int, n_evaluations: int) -> _Plan:
        temperatures = nonlinear_schedule(n_steps, settings.curvature)
        return _Plan(temperatures, strengths(temperatures), n_evaluations)

    def log_weights(n_steps: int) -> np.ndarray:
        rng = Stream(root, "steps", network.digest, data.digest, n_steps).generator()
        trial = plan(n_steps, 0)
        return np.array([
            annealing.run(
                network, data, sample_log(network, rng), trial.temperatures, trial.strengths, rng,
                n_transitions=settings.n_transitions,
            ).log_weight
            for _ in range(N_PILOT)
        ])  # fmt: skip

    if settings.n_steps is not None:
        return plan(settings.n_steps, n_pilot)
    n_steps, n_trial = tuned_steps(log_weights, LEAST_STEPS, settings.max_steps)
    return plan(n_steps, n_pilot + n_trial * settings.n_transitions)


def _strengths(
    network: DiscreteNetwork, data: UniqueRows, settings: Settings, root: int
) -> Callable[[np.ndarray], np.ndarray]:
    """alpha(k) of every step, shape (n_steps,), by the temperatures, shape (n_steps + 1,)."""
    if settings.strength is not None:
        constant, by_temperature = settings.strength, settings.strength_per_datum * data.n
        return lambda temperatures: constant + by_temperature * temperatures[:-1]
    rng = Stream(root, "strength", network.digest, data.digest).generator()
    tuned = annealing.tuned_strengths(network, data, settings.curvature, rng)
    return lambda temperatures: tuned(temperatures[1:])
