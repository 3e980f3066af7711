"""Annealed importance sampling over completions of the data, whatever completes them."""

from collections.abc import Callable
from functools import partial

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Evidence
from ockham.errors import ModelError
from ockham.estimation.combining import combine
from ockham.estimation.pilot_chains import Pilot, steps
from ockham.estimation.schedules import nonlinear_schedule
from ockham.estimation.tuned_steps import N_PILOT
from ockham.streams import Stream

__all__ = ["SPARSER", "Settings", "check_rows", "mean_weight"]

SPARSER = 0.05
"""Hyperparameters below which estimates that move classes of rows miss those that a row is in alone: with 100 rows
alike and one other all of three were .04 to .07 nats low at .02, with errors of .01, and one four errors low at .03; at
.05 none was by three (benchmarks/alone.py)."""
LEAST_STEPS = 2048
"""K, where it is tuned."""
LogWeight = Callable[[np.ndarray, np.random.Generator], float]
"""Log weight of a new chain, nats, given the temperatures, shape (n_steps + 1,), from 0 to 1."""


class Settings(contracts.Settings):
    """The chains and their schedule."""

    n_chains: int = Field(
        default=16, ge=1, le=10**6, description="chains, whose weights are averaged; one alone has no error"
    )
    n_steps: int | None = Field(
        default=None,
        ge=1,
        le=10**7,
        description="K, steps of the schedule, a sweep in each; tuned to effective sample size, up to max_steps, "
        "without it",
    )
    max_steps: int = Field(default=2**16, ge=LEAST_STEPS, le=10**7, description="K at the most, where it is tuned")
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


def mean_weight(log_weight: LogWeight, settings: Settings, stream: Stream, digests: tuple[str, str]) -> Evidence:
    """The mean of the weights of chains, with its error where there are several.

    Parameters
    ----------
    log_weight : callable
        Log weight of a new chain, nats, given the temperatures, shape (n_steps + 1,), from 0 to 1, and a generator;
        eq. (69) of [BealGhahramani2006].
    settings : Settings
    stream : Stream
    digests : pair of str
        Of the model and the data. The pilot chains that the steps are tuned on have their names, so that they are the
        same for all runs of a cell; they are counted in each.
    """

    def log_weights(n_chains: int, n_steps: int, stream: Stream) -> np.ndarray:
        temperatures, rng = nonlinear_schedule(n_steps, settings.curvature), stream.generator()
        return np.array([log_weight(temperatures, rng) for _ in range(n_chains)])

    name = "steps over completions", *digests
    pilot = Pilot(partial(log_weights, N_PILOT), settings, LEAST_STEPS, settings.max_steps, stream.root, name)
    n_steps, n_pilot, doubt = steps(settings.n_steps, pilot)
    weights = log_weights(settings.n_chains, n_steps, stream.child("annealing of completions"))
    n_evaluations = settings.n_chains * n_steps + n_pilot
    if settings.n_chains == 1:
        return Evidence(float(weights[0]), n_evaluations=n_evaluations, doubt=doubt)
    return combine(weights, "mean").evidence(n_evaluations, doubt=doubt)
