"""Laplace's method for restricted Boltzmann machines, with its corrections one by one; [ChenWelling2013]."""

from math import log, nan, pi

import numpy as np
from pydantic import Field

from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence
from ockham.estimation.memory import check_memory
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference.fit import Fitting, check_fit, n_states, search
from ockham.machines.inference.likelihood import check_fits
from ockham.machines.inference.posterior_modes import equivalent_groups, log_modes, log_width
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

N_SQUARES = 6
"""Matrices of the Hessian's size that are there at one time, those of its decomposition included."""

ESTIMATES = {
    "laplace": Estimator("Laplace", over_runs="median_without_error"),
    "laplace_0": Estimator("Laplace without corrections", over_runs="median_without_error"),
    "laplace_overlapping": Estimator("Laplace corrected for overlapping modes", over_runs="median_without_error"),
    "laplace_equivalent": Estimator("Laplace corrected for equivalent modes", over_runs="median_without_error"),
    "map": Estimator("Log posterior density at the MAP parameters", over_runs="median_without_error"),
    "bic_map": Estimator("Bayesian information criterion at the MAP parameters", over_runs="median_without_error"),
}


class Settings(Fitting):
    """The fit, and which directions are corrected."""

    weak_below: float = Field(
        default=1.0,
        gt=0,
        le=1e9,
        description="S_thresh in units of the prior's precision: directions of less are integrated as trapezoids",
    )


def check(model: RestrictedBoltzmann, n: int, settings: Settings) -> None:
    """Raise a ModelError for a fit, or a Hessian, the square of the number of parameters, that would cost too much."""
    n_parameters = float(model.n_parameters)
    check_fit(model, n, settings)
    check_memory(
        N_SQUARES * n_parameters**2 + 2 * n_states(model, settings) * n_parameters,
        f"the Hessian of {model.n_parameters:,} parameters",
        "take fewer units, or bic with partition: annealed, which needs none",
    )


def score(model: RestrictedBoltzmann, data: BinaryRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """One MAP fit, and the Hessian there.

    Where the Hessian is not positive definite the scores are doubted, and ``laplace_0`` and ``laplace_equivalent`` are
    NaN. They are approximations, so they have no standard error. The diagnostics are the numbers of directions
    integrated as trapezoids and of those with a negative eigenvalue, the log of the number of equivalent modes, and,
    with an annealed partition function, the error of the log likelihood (nats); above .5 the scores are doubted.

    Notes
    -----
    Eq. (5) of [ChenWelling2013], whose -F/2 ln N and N inside the determinant cancel: ln p(D | theta) + ln p(theta) +
    F/2 ln 2 pi - 1/2 ln det Sigma^-1. ``map`` is its first three terms.
    """
    check_fits(model, data)
    check(model, data.n, settings)
    fit = search(model, data, settings, stream)
    precision = fit.posterior.precision(fit.theta)
    eigenvalues, directions = np.linalg.eigh(precision)
    log_joint = fit.log_likelihood + model.log_prior(fit.theta)
    weak = eigenvalues < settings.weak_below * fit.posterior.precision_of_prior
    trapezoids = sum(log_width(fit.posterior, fit.theta, v, settings.least_effective) for v in directions.T[weak])
    modes = log_modes(equivalent_groups(model, fit.theta, precision))
    gaussian = log_joint + _log_integral(eigenvalues)
    corrected = log_joint + _log_integral(eigenvalues[~weak]) + trapezoids
    values = {
        "laplace": corrected + modes,
        "laplace_0": gaussian,
        "laplace_overlapping": corrected,
        "laplace_equivalent": gaussian + modes,
        "map": log_joint,
        "bic_map": fit.log_likelihood - model.n_parameters / 2 * log(data.n),
    }
    doubt = fit.doubt | (Doubt.NOT_A_MODE if (eigenvalues <= 0).any() else NO_DOUBT)
    diagnostics = fit.diagnostics | {
        "n_weak": int(weak.sum()),
        "n_negative": int((eigenvalues <= 0).sum()),
        "log_modes": modes,
    }
    return {
        name: Evidence(float(value), n_evaluations=fit.n_evaluations, diagnostics=diagnostics, doubt=doubt)
        for name, value in values.items()
    }


def _log_integral(precisions: np.ndarray) -> float:
    """Log of the integral of exp(-x^2 precision / 2) over every direction; NaN where one is not positive."""
    return float(0.5 * np.log(2 * pi / precisions).sum()) if (precisions > 0).all() else nan
