"""Laplace's method at a MAP fit, from the whole, a block-diagonal or a diagonal Hessian in the natural parameters."""

from math import isnan, log, nan, pi

import numpy as np
from pydantic import Field

from ockham.contracts import NO_DOUBT, Doubt, Evidence
from ockham.errors import ModelError
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import log_beta
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em
from ockham.networks.inference.fit_scores import UNUSED, log_alike
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

    A score is NaN where what it takes of the Hessian is not positive definite, at a saddle too, where the determinant
    may be positive. Where the whole is not, which ``positive_definite`` tells, all are doubted. ``n_unused`` tells how
    many values of hidden variables have less than half an expected case.

    Notes
    -----
    Eq. (15) of [ChickeringHeckerman1997].
    """
    information = ObservedInformation(network, data, fit.log_parameters)
    whole = information.whole()
    peak = fit.objective - log_beta(network) + network.n_parameters / 2 * log(2 * pi)
    log_determinants = {
        "laplace": _log_determinant(whole),
        "laplace_block": sum(map(_log_determinant, information.blocks())),
        "laplace_diagonal": sum(log(value) if value > 0 else nan for value in information.diagonal()),
    }
    positive_definite = not isnan(log_determinants["laplace"])
    diagnostics = {
        "n_iterations": fit.n_iterations,
        "hit_cap": not fit.converged,
        "positive_definite": positive_definite,
        "log_alike": log_alike(network, fit),
        "n_unused": _n_unused(network, fit),
    }
    doubt = em.doubt(fit) | (NO_DOUBT if positive_definite else Doubt.NOT_A_MODE)
    return {
        name: Evidence(float(peak - of / 2), n_evaluations=fit.n_evaluations + 1, diagnostics=diagnostics, doubt=doubt)
        for name, of in log_determinants.items()
    }


def _n_unused(network: DiscreteNetwork, fit: em.State) -> int:
    """Values of hidden variables that hardly a case is in."""
    return sum(int((network.family(i, fit.counts).sum(axis=0) < UNUSED).sum()) for i in network.relevant_hidden)


def _check_parameters(network: DiscreteNetwork, settings: SearchWithHessian) -> None:
    if network.n_parameters > settings.max_parameters:
        raise ModelError(
            f"the Hessian of {network.n_parameters} parameters takes {8 * network.n_parameters**2 / 1e6:.0f} MB; the "
            f"limit is {settings.max_parameters} parameters: raise the setting max_parameters, or use another score"
        )


def _log_determinant(block: np.ndarray) -> float:
    """Of a symmetric matrix; NaN where it is not positive definite."""
    return float(np.linalg.slogdet(block)[1]) if (np.linalg.eigvalsh(block) > 0).all() else nan
