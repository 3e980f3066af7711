"""Tempered sequential Monte Carlo from a normal reference, waste-free ([DelMoralDoucetJasra2006], [DauChopin2022]).

The integral is of the weight w(z) over independent standard normal variates z. Particles go from the reference through
the densities in proportion to N(z) w(z)^t, for rising t, to N(z) w(z). Between two temperatures they move by the
preconditioned Crank-Nicolson proposal ([CotterRobertsStuartWhite2013]), z' = sqrt(1 - b^2) z + b xi with xi normal,
which leaves N(z) as it is: so z' is accepted with probability min(1, (w(z') / w(z))^t).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ockham.estimation.resampling import effective_share, systematic

__all__ = ["Pass", "PassBack", "Size", "Stage", "run", "run_back"]

FIRST_STEP = 0.5
ACCEPTED = 0.25
"""Share of proposals that the steps are tuned to."""
HALVINGS = 50
"""Of the interval that the next temperature is in."""


class Stage(NamedTuple):
    """A temperature, and the step b of the moves that follow there; none follow the last, 1."""

    temperature: float
    step: float


class Size(NamedTuple):
    """Walks at a temperature, and states of each; all are particles."""

    n_walks: int
    n_states: int


class Pass(NamedTuple):
    """One pass from the reference to temperature 1.

    Attributes
    ----------
    log_normaliser : float
        Log of the mean weight, nats; -inf where no particle has any.
    stages : tuple of Stage
    inside : float
        Share of the reference's draws that have any weight.
    n_evaluations : int
        Points whose weight was computed.
    """

    log_normaliser: float
    stages: tuple[Stage, ...]
    inside: float
    n_evaluations: int


class PassBack(NamedTuple):
    """One pass from temperature 1 to the reference.

    Attributes
    ----------
    log_normaliser : float
        Log of the mean inverse weight, nats; NaN where no point has any weight.
    n_evaluations : int
        Points whose weight was computed.
    """

    log_normaliser: float
    n_evaluations: int


def run(
    log_weights: Callable[[np.ndarray], np.ndarray],
    n_dimensions: int,
    size: Size,
    rng: np.random.Generator,
    *,
    least_share: float = 0.5,
    stages: tuple[Stage, ...] | None = None,
) -> Pass:
    """The log of the mean weight under the reference, from one pass.

    Parameters
    ----------
    log_weights : callable
        ln w, nats, shape (n,), of points of shape (n, n_dimensions); -inf where w is 0.
    size : Size
    least_share : float
        The effective sample size that the weights between two temperatures must have, as a share of the particles.
    stages : tuple of Stage, optional
        Those of another pass, in place of temperatures and steps that are chosen by the particles.

    Notes
    -----
    With given ``stages`` the exponential of the value is an unbiased estimate; where the particles choose them it is a
    consistent one.
    """
    points = rng.standard_normal((size.n_walks * size.n_states, n_dimensions))
    logs = log_weights(points)
    inside = float((logs > -np.inf).mean())
    total, temperature, step = 0.0, 0.0, FIRST_STEP
    passed: list[Stage] = []
    n_evaluations = len(points)
    while True:
        given = None if stages is None else stages[len(passed)]
        following = _next_temperature(logs, temperature, least_share) if given is None else given.temperature
        increments = (following - temperature) * logs
        highest = float(increments.max())
        if highest == -np.inf:
            return Pass(-np.inf, stages or (Stage(1.0, step),), 0.0, n_evaluations)
        weights, temperature = np.exp(increments - highest), following
        total += highest + float(np.log(weights.mean()))
        if temperature == 1:
            return Pass(total, (*passed, Stage(temperature, step)), inside, n_evaluations)
        at = systematic(weights, size.n_walks, rng)
        moves = Stage(temperature, step) if given is None else given
        points, logs, step = _walk(log_weights, points[at], logs[at], moves, size.n_states, rng, tuned=given is None)
        passed.append(Stage(temperature, step))
        n_evaluations += size.n_walks * (size.n_states - 1)


def run_back(
    log_weights: Callable[[np.ndarray], np.ndarray],
    points: np.ndarray,
    size: Size,
    stages: tuple[Stage, ...],
    rng: np.random.Generator,
) -> PassBack:
    """The log of the mean inverse weight at temperature 1, from one pass through the stages back to the reference.

    Parameters
    ----------
    points : ndarray, shape (n, n_dimensions)
        Draws of the density at temperature 1; those that have no weight, by rounding, are left out.

    Notes
    -----
    Where the points are exact draws, the exponential of the value is an unbiased estimate of the share of the reference
    that has any weight, over the mean weight.
    """
    logs, n_evaluations = log_weights(points), len(points)
    points, logs = points[logs > -np.inf], logs[logs > -np.inf]
    if not len(points):
        return PassBack(np.nan, n_evaluations)
    total = 0.0
    for k in reversed(range(len(stages))):
        following = stages[k - 1].temperature if k else 0.0
        increments = (following - stages[k].temperature) * logs
        highest = float(increments.max())
        weights = np.exp(increments - highest)
        total += highest + float(np.log(weights.mean()))
        if k:
            at = systematic(weights, size.n_walks, rng)
            points, logs, _ = _walk(log_weights, points[at], logs[at], stages[k - 1], size.n_states, rng, tuned=False)
            n_evaluations += size.n_walks * (size.n_states - 1)
    return PassBack(total, n_evaluations)


def _next_temperature(logs: np.ndarray, temperature: float, least_share: float) -> float:
    """The highest, up to 1, at which the weights have the effective sample size, of the particles that have any."""
    some = logs[logs > -np.inf]
    if not len(some):
        return 1.0

    def share(following: float) -> float:
        increments = (following - temperature) * some
        return effective_share(np.exp(increments - increments.max()))

    if share(1.0) >= least_share:
        return 1.0
    low, high = temperature, 1.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if share(middle) >= least_share else (low, middle)
    return high


def _walk(
    log_weights: Callable[[np.ndarray], np.ndarray],
    points: np.ndarray,
    logs: np.ndarray,
    stage: Stage,
    n_states: int,
    rng: np.random.Generator,
    *,
    tuned: bool,
) -> tuple[np.ndarray, np.ndarray, float]:
    """All states of walks from the points, their log weights, and the step, tuned to the share that is accepted."""
    step = stage.step
    all_points, all_logs = [points], [logs]
    for _ in range(n_states - 1):
        proposed = _contraction(step) * points + step * rng.standard_normal(points.shape)
        proposed_logs = log_weights(proposed)
        accepted = np.log(rng.random(len(points))) < stage.temperature * (proposed_logs - logs)
        points = np.where(accepted[:, None], proposed, points)
        logs = np.where(accepted, proposed_logs, logs)
        if tuned:
            step = min(1.0, step * float(np.exp(accepted.mean() - ACCEPTED)))
        all_points.append(points)
        all_logs.append(logs)
    return np.concatenate(all_points), np.concatenate(all_logs), step


def _contraction(step: float) -> float:
    """Of the points, so that the step leaves the reference as it is."""
    return float(np.sqrt(1 - step**2))
