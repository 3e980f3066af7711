"""The scores of one MAP EM fit: MAP, BIC and Cheeseman-Stutz ([BealGhahramani2006], sections 3.1 to 3.3)."""

from ockham.contracts import Estimator, Evidence
from ockham.estimation.convergence import Search
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference import em
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.fit_scores import bic, cheeseman_stutz, evidences, log_likelihood
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "score"]

ESTIMATES = {
    "map": Estimator("Log likelihood at the MAP parameters"),
    "bic": Estimator("Bayesian information criterion", local=True),
    "cheeseman_stutz": Estimator("Cheeseman-Stutz", bound="lower", local=True),
}


class Settings(Search):
    """Where EM starts, and when it stops."""


def score(model: FiniteMixture, data: MixedRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """One fit.

    MAP is in the bases that the items say, where there is always a mode: the prior keeps a Gaussian class off a single
    point. Cheeseman-Stutz takes its completed sums from the E step at the same parameters as its other two terms, so
    that it is a lower bound (theorem 6.1), even where the fit was stopped at its cap; the others are then doubted.

    Notes
    -----
    Eq. (22) for BIC without ln S, eq. (27) to (30) for Cheeseman-Stutz, of [BealGhahramani2006].
    """
    design = Design.of(model, data)
    fit = em.search(model, design, stream, settings, data.n)
    scores = {
        "map": log_likelihood(design, fit),
        "bic": bic(model, design, fit, data.n),
        "cheeseman_stutz": cheeseman_stutz(model, design, fit),
    }
    return evidences(fit, scores, ESTIMATES, em.doubt(fit))
