"""Annealing schedules: inverse temperatures from the prior, 0, to the posterior, 1."""

import numpy as np

__all__ = ["linear_schedule", "nonlinear_schedule", "schedule", "steps_by_quarter"]


def linear_schedule(n_steps: int) -> np.ndarray:
    """Inverse temperatures k / K, shape (n_steps + 1,); that of [NiinimakiKoivisto2013], section 3.5."""
    return np.arange(n_steps + 1) / n_steps


def nonlinear_schedule(n_steps: int, curvature: float) -> np.ndarray:
    """Inverse temperatures tau(0) = 0 to tau(K) = 1, shape (n_steps + 1,); eq. (69) of [BealGhahramani2006].

    A small ``curvature`` e_tau > 0 lingers near the prior, a large one makes the schedule linear.
    """
    fraction = linear_schedule(n_steps)
    return curvature * fraction / (1 - fraction + curvature)


def schedule(n_steps: int, curvature: float | None) -> np.ndarray:
    """The nonlinear schedule of a curvature, or the linear one without."""
    return linear_schedule(n_steps) if curvature is None else nonlinear_schedule(n_steps, curvature)


def steps_by_quarter(n_steps: int) -> np.ndarray:
    """How many steps are in each quarter of a schedule, as kernels count what they accept; shape (4,)."""
    return np.diff(-(-np.arange(5) * n_steps // 4))
