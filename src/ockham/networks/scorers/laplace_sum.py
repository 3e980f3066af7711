"""Laplace's method around many local maxima, summed ([ChickeringHeckerman1997], section 4.2)."""

from dataclasses import replace
from math import isnan, nan

import numpy as np
from pydantic import Field

from ockham.contracts import Doubt, Estimator, Evidence
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import check_starts, sample_starts
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import curvature, em
from ockham.networks.inference.curvature import SearchWithHessian
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

LAPLACES = {
    "laplace": "Laplace",
    "laplace_block": "Laplace with a block-diagonal Hessian",
    "laplace_diagonal": "Laplace with a diagonal Hessian",
}
ESTIMATES = {
    f"{name}_sum": Estimator(f"{label} summed over local maxima", local=True) for name, label in LAPLACES.items()
}
ESTIMATES |= {f"{name}_highest": Estimator(f"{label}, the highest", local=True) for name, label in LAPLACES.items()}
ALIKE = 1e-2
"""Nats by which the objectives of fits to one maximum may differ."""


class Settings(SearchWithHessian):
    """Also how many starts are followed to a maximum."""

    n_maxima: int = Field(
        default=200, ge=1, le=4096, description="random starts that are followed to their maxima, besides the fit"
    )


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for a Hessian, fits or completions that would take more memory than allowed."""
    curvature.check(network, n, settings)
    check_starts(network, settings.n_maxima)


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """The sum of exp(Laplace) over the maxima of the MAP fit and of many starts, and the highest of its terms alone.

    Fits whose objectives agree to .01 nats are one maximum, or its relabellings, which the alias correction counts. A
    maximum adds nothing to a score that it does not have, or where its Hessian is not positive definite; without any
    both are NaN. The highest term need not be of the highest maximum. Diagnostic: ``n_maxima``, those that were found.

    Raises
    ------
    ModelError
        As in ``laplace``.
    """
    curvature.check_data(network, data, settings)
    starts = sample_starts(network, stream.child("maxima"), settings.n_maxima)
    limits = settings.limits(data.n)
    fits = [em.search(network, data, stream, settings)]
    fits += [em.run(network, data, start, network.prior, **limits) for start in starts]
    n_evaluations = sum(fit.n_evaluations for fit in fits)
    found = [curvature.laplace_scores(network, data, fit) for fit in _maxima(fits)]
    about = {"n_maxima": float(len(found))}
    evidences: dict[str, Evidence] = {}
    for name in LAPLACES:
        highest = _highest([of[name] for of in found])
        highest = replace(highest, n_evaluations=n_evaluations, diagnostics=about)
        terms = [of[name].log_evidence for of in found if _counts(of[name])]
        total = float(np.logaddexp.reduce(terms)) if terms else highest.log_evidence
        evidences |= {f"{name}_sum": replace(highest, log_evidence=total), f"{name}_highest": highest}
    return evidences


def _maxima(fits: list[em.State]) -> list[em.State]:
    """The first fit to each maximum, the highest first."""
    found: list[em.State] = []
    for fit in sorted(fits, key=lambda fit: -fit.objective):
        if not found or found[-1].objective - fit.objective > ALIKE:
            found.append(fit)
    return found


def _highest(found: list[Evidence]) -> Evidence:
    """The term that is the highest, with its doubts."""
    return max(
        (evidence for evidence in found if _counts(evidence)),
        key=lambda evidence: evidence.log_evidence,
        default=Evidence(nan, doubt=Doubt.NOT_A_MODE),
    )


def _counts(evidence: Evidence) -> bool:
    return Doubt.NOT_A_MODE not in evidence.doubt and not isnan(evidence.log_evidence)
