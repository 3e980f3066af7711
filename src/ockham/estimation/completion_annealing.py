"""Annealed importance sampling over completions of the data, whatever completes them."""

from collections.abc import Callable

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Evidence
from ockham.errors import ModelError
from ockham.estimation.combining import combine
from ockham.estimation.schedules import nonlinear_schedule

__all__ = ["Settings", "check_rows", "mean_weight"]


class Settings(contracts.Settings):
    """The chains and their schedule."""

    n_chains: int = Field(
        default=16, ge=1, le=10**6, description="chains, whose weights are averaged; one alone has no error"
    )
    n_steps: int = Field(default=2048, ge=1, le=10**7, description="K, steps of the schedule, a sweep in each")
    curvature: float = Field(
        default=1.0, gt=0, le=1e9, description="e_tau of the schedule, eq. (69); a large one is linear"
    )
    max_rows: int = Field(
        default=10**5, ge=1, le=10**6, description="rows at the most, of which a sweep takes one after another"
    )


def check_rows(n: int, settings: Settings) -> None:
    """Raise a ModelError for more rows than are allowed."""
    if n > settings.max_rows:
        raise ModelError(
            f"annealing over completions takes {n:,} rows one after another; {settings.max_rows:,} are allowed: take "
            "fewer rows, or another estimator"
        )


def mean_weight(log_weight: Callable[[np.ndarray], float], settings: Settings) -> Evidence:
    """The mean of the weights of chains, with its error where there are several.

    Parameters
    ----------
    log_weight : callable
        Log weight of a new chain, nats, given the temperatures, shape (n_steps + 1,), from 0 to 1; eq. (69) of
        [BealGhahramani2006].
    settings : Settings
    """
    temperatures = nonlinear_schedule(settings.n_steps, settings.curvature)
    weights = [log_weight(temperatures) for _ in range(settings.n_chains)]
    n_evaluations = settings.n_chains * settings.n_steps
    if settings.n_chains == 1:
        return Evidence(weights[0], n_evaluations=n_evaluations)
    return combine(np.array(weights), "mean").evidence(n_evaluations)
