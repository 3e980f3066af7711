"""Annealed importance sampling from the prior to the posterior of the parameters ([BealGhahramani2006], 3.6)."""

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Estimator, Evidence
from ockham.estimation.schedules import nonlinear_schedule, steps_by_quarter
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_start
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import annealing
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "score"]

ESTIMATES = {
    "annealed_importance_sampling": Estimator("Annealed importance sampling", over_runs="mean", reference="substitute")
}


class Settings(contracts.Settings):
    """The schedule and the proposal; the defaults are the paper's but for the strength, which it does not give."""

    n_steps: int = Field(default=16384, ge=1, le=10**7, description="K, steps of the annealing schedule")
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
    has a quarter of the proposals accepted, by the temperature; they are apart from the run, which stays unbiased.
    """
    log_start = sample_start(network, stream) if start is None else np.log(start)
    temperatures = nonlinear_schedule(settings.n_steps, settings.curvature)
    strengths = _strengths(network, data, settings, temperatures, stream)
    rng = stream.child("annealing").generator()
    end = annealing.run(network, data, log_start, temperatures, strengths, rng, n_transitions=settings.n_transitions)
    n_quarter = steps_by_quarter(settings.n_steps) * settings.n_transitions
    rates = end.accepted / np.where(n_quarter, n_quarter, np.nan)
    n_proposals = settings.n_steps * settings.n_transitions
    n_pilot = 0 if settings.strength else annealing.N_PILOT
    diagnostics = {"acceptance": end.accepted.sum() / n_proposals if n_proposals else np.nan}
    diagnostics |= {f"acceptance_quarter_{q + 1}": rate for q, rate in enumerate(rates)}
    return {
        "annealed_importance_sampling": Evidence(
            end.log_weight, n_evaluations=n_proposals + n_pilot + 1, diagnostics=diagnostics
        )
    }


def _strengths(
    network: DiscreteNetwork, data: UniqueRows, settings: Settings, temperatures: np.ndarray, stream: Stream
) -> np.ndarray:
    """alpha(k) of every step."""
    if settings.strength is None:
        rng = stream.child("strength").generator()
        return annealing.tuned_strengths(network, data, settings.curvature, rng, temperatures)
    return settings.strength + settings.strength_per_datum * data.n * temperatures[:-1]
