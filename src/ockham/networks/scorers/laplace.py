"""Laplace's method in the natural parameters, and its cheaper relatives ([ChickeringHeckerman1997], section 3.1)."""

from math import log, nan, pi

import numpy as np
from pydantic import Field

from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence
from ockham.errors import ModelError
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import log_beta
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em
from ockham.networks.inference.em import Search
from ockham.networks.inference.fit_scores import log_alike
from ockham.networks.inference.information import ObservedInformation, check_completions, check_rows
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {
    "laplace": Estimator("Laplace", local=True),
    "laplace_block": Estimator("Laplace with a block-diagonal Hessian", local=True),
    "laplace_diagonal": Estimator("Laplace with a diagonal Hessian", local=True),
}


class Settings(Search):
    """Where EM starts, when it stops, and how large a Hessian may be."""

    max_parameters: int = Field(
        default=5000,
        ge=1,
        le=20_000,
        description="free parameters at the most; the Hessian has the square of their number",
    )


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for a Hessian, a fit or completions that would take more memory than allowed."""
    _check_parameters(network, settings)
    em.check(network, n, settings)
    check_rows(network, n)


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """One MAP fit, the same as ``em``'s, and the observed information there.

    A score is NaN where its determinant is not positive, which the paper prints as "?"; its diagnostic
    ``positive_determinant`` is then 0. A determinant may be positive at a saddle: ``positive_definite`` is the check.
    Where it fails the scores are doubted, and of several runs the highest is that of the others.

    Raises
    ------
    ModelError
        When the network has more than ``max_parameters`` free parameters, or the completions of the rows would take
        more memory than allowed.

    Notes
    -----
    Eq. (15) of [ChickeringHeckerman1997]; the block version leaves out second derivatives between parameters of two
    variables, the diagonal version all but the diagonal.
    """
    _check_parameters(network, settings)
    data.check_fits(network)
    check_completions(network, data)
    fit = em.search(network, data, stream, settings)
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


def _check_parameters(network: DiscreteNetwork, settings: Settings) -> None:
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
