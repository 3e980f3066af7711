"""The way up to a maximum of a posterior density by L-BFGS, while its importance weights can be trusted, and Newton."""

from dataclasses import dataclass, replace

import numpy as np

from ockham.machines.inference.posterior import Posterior

__all__ = ["Peak", "climb"]

MOST_HALVINGS = 30
"""Of a Newton step that does not rise."""
ROUNDING = 1e-13
"""Of a log density, relative: no step is refused for less."""


@dataclass(frozen=True)
class Peak:
    """Where the climb ended.

    Attributes
    ----------
    theta : ndarray, shape (n_parameters,)
    n_evaluations : int
        Of the density and its gradient.
    converged : bool
        False where the effective sample size or the limit of iterations stopped it.
    degenerate : bool
        Whether the effective sample size stopped it.
    """

    theta: np.ndarray
    n_evaluations: int
    converged: bool
    degenerate: bool = False


def climb(
    posterior: Posterior,
    theta: np.ndarray,
    *,
    max_iterations: int,
    gradient_tolerance: float,
    least_effective: float,
    newton_after: int | None = None,
) -> Peak:
    """The last point of the climb whose effective sample size is at least ``least_effective`` of the samples.

    It stops where no entry of the gradient exceeds ``gradient_tolerance``, nats per unit of the parameter, and at an
    effective sample size below the least; [ChenWelling2013], sections 3.1.2 and 4. With ``newton_after``, for an
    exact density with its prior, a climb that as many iterations of L-BFGS have not finished goes on by Newton's.
    """
    from scipy.optimize import minimize  # of an extra, and slow to import

    last, degenerate = theta, False

    def keep(intermediate_result) -> None:
        nonlocal last, degenerate
        degenerate = posterior.partition.effective_fraction(intermediate_result.x) < least_effective
        if degenerate:
            raise StopIteration
        last = intermediate_result.x.copy()

    def objective(point: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = posterior.with_gradient(point)
        return -value, -gradient

    n_first = max_iterations if newton_after is None else min(newton_after, max_iterations)
    options = {"maxiter": n_first, "maxfun": 10 * n_first, "gtol": gradient_tolerance, "ftol": 0.0}
    options["maxcor"] = 20  # twice the usual memory: posteriors of many rows are badly scaled
    found = minimize(objective, theta, method="L-BFGS-B", jac=True, callback=keep, options=options)
    if newton_after is None or found.success:
        return Peak(last, int(found.nfev), bool(found.success), degenerate)
    peak = _newton(posterior, last, max_iterations - n_first, gradient_tolerance)
    return replace(peak, n_evaluations=peak.n_evaluations + int(found.nfev))


def _newton(posterior: Posterior, theta: np.ndarray, max_iterations: int, gradient_tolerance: float) -> Peak:
    """Where Newton's method with absolute curvatures, those of the prior at the least, ends from theta on.

    Of many rows, curvatures go from 1 to the number of rows, and L-BFGS takes thousands of iterations. Absolute values
    lead up, and past saddles; a step that does not rise is halved.
    """
    (value, gradient), n_evaluations = posterior.with_gradient(theta), 1
    for _ in range(max_iterations):
        if abs(gradient).max() <= gradient_tolerance:
            break
        curvatures, directions = np.linalg.eigh(posterior.precision(theta))
        along = gradient @ directions
        step = directions @ (along / np.maximum(abs(curvatures), posterior.precision_of_prior))
        slope, scale = float(step @ gradient), 1.0
        for _ in range(MOST_HALVINGS):
            there, gradient_there = posterior.with_gradient(theta + scale * step)
            n_evaluations += 1
            if there - value >= 1e-4 * scale * slope - ROUNDING * abs(value):
                break
            scale /= 2
        else:
            break
        theta, value, gradient = theta + scale * step, there, gradient_there
    return Peak(theta, n_evaluations, bool(abs(gradient).max() <= gradient_tolerance))
