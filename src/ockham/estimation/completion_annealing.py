"""Annealed importance sampling over completions of the data, whatever completes them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Evidence
from ockham.errors import ModelError
from ockham.estimation.combining import combine
from ockham.estimation.schedules import nonlinear_schedule
from ockham.estimation.tuned_steps import N_PILOT, tuned_steps
from ockham.streams import Stream

__all__ = ["Settings", "check_rows", "mean_weight"]

LEAST_STEPS = 2048
"""K, where it is tuned."""
STRETCH = 2.0
"""By how much the log weights of a pilot may be closer than those of all chains: eight normal values are as close, or
closer, with a chance of one in forty. Too few steps leave weights a long tail to the right, of which a few chains know
nothing: their mean is then too low, and they do not tell."""
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
    n_steps, n_pilot = settings.n_steps, 0
    if n_steps is None:
        n_steps, n_pilot = _tuned(_Pilot(log_weight, settings, stream.root, digests))
    rng = stream.child("annealing of completions").generator()
    temperatures = nonlinear_schedule(n_steps, settings.curvature)
    weights = np.array([log_weight(temperatures, rng) for _ in range(settings.n_chains)])
    n_evaluations = settings.n_chains * n_steps + n_pilot
    if settings.n_chains == 1:
        return Evidence(float(weights[0]), n_evaluations=n_evaluations)
    return combine(weights, "mean").evidence(n_evaluations)


@dataclass(frozen=True)
class _Pilot:
    """Chains with a name, which tells two of them apart."""

    log_weight: LogWeight = field(compare=False)
    settings: Settings
    root: int
    digests: tuple[str, str]

    def log_weights(self, n_steps: int) -> np.ndarray:
        rng = Stream(self.root, "steps over completions", *self.digests, n_steps).generator()
        temperatures = nonlinear_schedule(n_steps, self.settings.curvature)
        return np.array([self.log_weight(temperatures, rng) for _ in range(N_PILOT)])


@lru_cache(maxsize=1)  # the runs of a cell follow each other
def _tuned(pilot: _Pilot) -> tuple[int, int]:
    def stretched(n_steps: int) -> np.ndarray:
        weights = pilot.log_weights(n_steps)
        return weights.mean() + STRETCH * (weights - weights.mean())

    return tuned_steps(stretched, LEAST_STEPS, pilot.settings.max_steps)
