"""Annealed importance sampling from the prior to the posterior of the parameters ([BealGhahramani2006], 3.6)."""

from functools import lru_cache

import numpy as np
from pydantic import Field, model_validator

from ockham import contracts
from ockham.contracts import Estimator, Evidence
from ockham.estimation.schedules import nonlinear_schedule, steps_by_quarter
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_start
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import annealing
from ockham.networks.inference.expectation import check_rows
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {
    "annealed_importance_sampling": Estimator("Annealed importance sampling", over_runs="mean", reference="substitute")
}


class Settings(contracts.Settings):
    """The schedule and the proposal; the defaults are the paper's but for the strength, which it does not give.

    A schedule that pilot chains set spreads the weights no less (docs/decisions.md).
    """

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
    has a quarter of the proposals accepted, by the temperature; they are apart from the run, which stays unbiased, and
    the same for all runs of a cell. ``n_evaluations`` counts them in each, for each would need them alone.
    """
    log_start = sample_start(network, stream) if start is None else np.log(start)
    temperatures = nonlinear_schedule(settings.n_steps, settings.curvature)
    if settings.strength is None:
        strengths = _tuned(network, data, settings.n_steps, settings.curvature, stream.root)
    else:
        strengths = settings.strength + settings.strength_per_datum * data.n * temperatures[:-1]
    rng = stream.child("annealing").generator()
    end = annealing.run(network, data, log_start, temperatures, strengths, rng, n_transitions=settings.n_transitions)
    n_quarter = steps_by_quarter(settings.n_steps) * settings.n_transitions
    rates = end.accepted / np.where(n_quarter, n_quarter, np.nan)
    n_proposals = settings.n_steps * settings.n_transitions
    n_pilot = annealing.N_PILOT if settings.strength is None else 0
    diagnostics = {"acceptance": end.accepted.sum() / n_proposals if n_proposals else np.nan}
    diagnostics |= {f"acceptance_quarter_{q + 1}": rate for q, rate in enumerate(rates)}
    return {
        "annealed_importance_sampling": Evidence(
            end.log_weight, n_evaluations=n_proposals + n_pilot + 1, diagnostics=diagnostics
        )
    }


@lru_cache(maxsize=1)  # the runs of a cell follow each other
def _tuned(network: DiscreteNetwork, data: UniqueRows, n_steps: int, curvature: float, root: int) -> np.ndarray:
    """alpha(k) of every step; the stream has the name of model and data, so that a run alone finds the same."""
    rng = Stream(root, "strength", network.digest, data.digest).generator()
    return annealing.tuned_strengths(network, data, curvature, rng, nonlinear_schedule(n_steps, curvature))
