"""Laplace's method for finite mixtures, in the bases of the items ([ChickeringHeckerman1997], section 3.1)."""

from math import log, nan, pi

import numpy as np
from pydantic import Field

from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence
from ockham.errors import ModelError
from ockham.estimation.convergence import Search
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference import em
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.fit_scores import evidences
from ockham.mixtures.inference.information import check_information, observed_information
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {"laplace": Estimator("Laplace", local=True)}


class Settings(Search):
    """Where EM starts, when it stops, and how large a Hessian may be."""

    max_parameters: int = Field(
        default=5000,
        ge=1,
        le=20_000,
        description="free parameters at the most; the Hessian has the square of their number",
    )


def check(model: FiniteMixture, n: int, settings: Settings) -> None:
    """Raise a ModelError for more than ``max_parameters`` free parameters."""
    if model.n_parameters > settings.max_parameters:
        raise ModelError(
            f"the Hessian of {model.n_parameters} parameters takes {8 * model.n_parameters**2 / 1e6:.0f} MB; the limit "
            f"is {settings.max_parameters} parameters: raise the setting max_parameters, or use another score"
        )


def score(model: FiniteMixture, data: MixedRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """One MAP fit, the same as ``em``'s, and the observed information there.

    The bases are ln(p_k / p_0) of probabilities, the logits of ordered decisions, mean and log variance, and the log
    rate. The score is that of one mode, without ln S. It is NaN where the information is not positive definite, and
    then doubted.

    Raises
    ------
    ModelError
        When the mixture has more than ``max_parameters`` free parameters, or the information would take more memory
        than allowed.

    Notes
    -----
    Eq. (15) of [ChickeringHeckerman1997].
    """
    check(model, data.n, settings)
    design = Design.of(model, data)
    check_information(model, design)
    fit = em.search(model, design, stream, settings, data.n)
    eigenvalues = np.linalg.eigvalsh(observed_information(model, design, fit.parameters))
    positive_definite = bool((eigenvalues > 0).all())
    value = nan
    if positive_definite:
        peak = fit.objective + design.log_base + model.n_parameters / 2 * log(2 * pi)
        value = float(peak - np.log(eigenvalues).sum() / 2)
    doubt = em.doubt(fit) | (NO_DOUBT if positive_definite else Doubt.NOT_A_MODE)
    return evidences(fit, {"laplace": value}, ESTIMATES, doubt, positive_definite=positive_definite)
