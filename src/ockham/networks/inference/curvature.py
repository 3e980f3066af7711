"""Laplace's method at a MAP fit, from the whole, a block-diagonal or a diagonal Hessian in the natural parameters."""

from math import log, nan, pi

import numpy as np
from pydantic import Field

from ockham.contracts import NO_DOUBT, Doubt, Evidence
from ockham.errors import ModelError
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import log_beta
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em
from ockham.networks.inference.fit_scores import log_alike
from ockham.networks.inference.information import ObservedInformation, check_completions, check_rows

__all__ = ["SearchWithHessian", "check", "check_data", "laplace_scores"]


class SearchWithHessian(em.Search):
    """Also how large a Hessian may be."""

    max_parameters: int = Field(
        default=5000,
        ge=1,
        le=20_000,
        description="free parameters at the most; the Hessian has the square of their number",
    )


def check(network: DiscreteNetwork, n: int, settings: SearchWithHessian) -> None:
    """Raise a ModelError for a Hessian, a fit or completions that would take more memory than allowed."""
    _check_parameters(network, settings)
    em.check(network, n, settings)
    check_rows(network, n)


def check_data(network: DiscreteNetwork, data: UniqueRows, settings: SearchWithHessian) -> None:
    """Raise an error for data that do not fit, and a ModelError for a Hessian or completions that are too large."""
    _check_parameters(network, settings)
    data.check_fits(network)
    check_completions(network, data)


def laplace_scores(network: DiscreteNetwork, data: UniqueRows, fit: em.State) -> dict[str, Evidence]:
    """The scores ``laplace``, ``laplace_block`` and ``laplace_diagonal`` of a MAP fit.

    A score is NaN where its determinant is not positive; its diagnostic ``positive_determinant`` is then 0. A
    determinant may be positive at a saddle: ``positive_definite`` is the check. Where it fails the scores are doubted.

    Notes
    -----
    Eq. (15) of [ChickeringHeckerman1997].
    """
    information = ObservedInformation(network, data, fit.log_parameters)
    whole = information.whole()
    peak = fit.objective - log_beta(network) + network.n_parameters / 2 * log(2 * pi)
    determinants: dict[str, list[tuple[float, float]]] = {
        "laplace": [np.linalg.slogdet(whole)],
        "laplace_block": [np.linalg.slogdet(block) for block in information.blocks()],
        "laplace_diagonal": [
            (np.sign(value), log(abs(value)) if value else -np.inf) for value in information.diagonal()
        ],
    }
    positive_definite = bool((np.linalg.eigvalsh(whole) > 0).all())
    return {
        name: _evidence(peak, parts, fit, positive_definite=positive_definite, log_alike=log_alike(network, fit))
        for name, parts in determinants.items()
    }


def _check_parameters(network: DiscreteNetwork, settings: SearchWithHessian) -> None:
    if network.n_parameters > settings.max_parameters:
        raise ModelError(
            f"the Hessian of {network.n_parameters} parameters takes {8 * network.n_parameters**2 / 1e6:.0f} MB; the "
            f"limit is {settings.max_parameters} parameters: raise the setting max_parameters, or use another score"
        )


def _evidence(peak: float, parts: list[tuple[float, float]], fit: em.State, **diagnostics: float) -> Evidence:
    """The score from the sign and the log of the determinant of every block."""
    positive = all(sign > 0 for sign, _ in parts)
    value = float(peak - sum(size for _, size in parts) / 2) if positive else nan
    diagnostics |= {
        "n_iterations": fit.n_iterations,
        "hit_cap": not fit.converged,
        "positive_determinant": positive,
    }
    doubt = NO_DOUBT if diagnostics["positive_definite"] else Doubt.NOT_A_MODE
    return Evidence(value, n_evaluations=fit.n_evaluations + 1, diagnostics=diagnostics, doubt=doubt | em.doubt(fit))
