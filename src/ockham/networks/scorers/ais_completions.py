"""Annealed importance sampling over completions of the data, proposed in section 7 of [BealGhahramani2006]."""

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Estimator, Evidence
from ockham.estimation.combining import combine, doubts_of
from ockham.estimation.schedules import nonlinear_schedule
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import completions
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {"ais_completions": Estimator("Annealed importance sampling over completions", over_runs="mean")}


class Settings(contracts.Settings):
    """The chains and their schedule."""

    n_chains: int = Field(
        default=1, ge=1, le=10**6, description="chains, whose weights are averaged; two or more have an error"
    )
    n_steps: int = Field(default=2048, ge=1, le=10**7, description="K, steps of the schedule, a sweep in each")
    curvature: float = Field(default=1.0, gt=0, le=1e9, description="e_tau of the schedule, eq. (69)")


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for rows whose completions would take more memory than allowed."""
    completions.check_rows(network, n)


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """The mean weight of chains, whose sweeps take one row after another, not every distinct row once.

    Both its error and its cost grow with n, so that it pays for few data. It does not know the modes of the parameters:
    where priors are sparse, and those who walk among them get stuck, it still moves. The weight of one chain has no
    error.

    Raises
    ------
    ModelError
        When the ways to complete single rows would take more memory than allowed.

    Notes
    -----
    The states are completions s, p(s, y | m) is eq. (5), and the first of the distributions is uniform over them:
    the paper proposes to anneal in their space (section 7) and does not say from where.
    """
    temperatures = nonlinear_schedule(settings.n_steps, settings.curvature)
    rng = stream.child("annealing of completions").generator()
    weights = [completions.log_weight(network, data, temperatures, rng) for _ in range(settings.n_chains)]
    n_evaluations = settings.n_chains * settings.n_steps
    if settings.n_chains == 1:
        return {"ais_completions": Evidence(weights[0], n_evaluations=n_evaluations)}
    found = combine(np.array(weights), "mean")
    return {
        "ais_completions": Evidence(
            float(found.value),
            float(found.standard_error),
            n_evaluations,
            effective_sample_size=float(found.effective_sample_size),
            doubt=doubts_of(found.doubt),
            degrees_of_freedom=float(found.degrees_of_freedom),
        )
    }
