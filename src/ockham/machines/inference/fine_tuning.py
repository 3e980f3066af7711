"""The way up to a maximum of a posterior density by L-BFGS, while its importance weights can be trusted."""

from dataclasses import dataclass

import numpy as np

from ockham.machines.inference.posterior import Posterior

__all__ = ["Peak", "climb"]


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
    posterior: Posterior, theta: np.ndarray, *, max_iterations: int, gradient_tolerance: float, least_effective: float
) -> Peak:
    """The last point of the climb whose effective sample size is at least ``least_effective`` of the samples.

    It stops where no entry of the gradient exceeds ``gradient_tolerance``, nats per unit of the parameter, and at an
    effective sample size below the least; [ChenWelling2013], sections 3.1.2 and 4.
    """
    from scipy.optimize import minimize  # slow to import, and only this scorer's processes need it

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

    options = {"maxiter": max_iterations, "maxfun": 10 * max_iterations, "gtol": gradient_tolerance, "ftol": 0.0}
    options["maxcor"] = 20  # twice the usual memory: posteriors of many rows are badly scaled
    found = minimize(objective, theta, method="L-BFGS-B", jac=True, callback=keep, options=options)
    return Peak(last, int(found.nfev), bool(found.success), degenerate)
