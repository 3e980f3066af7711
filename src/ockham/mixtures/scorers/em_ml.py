"""The scores of one maximum likelihood fit of a mixture: BIC and Cheeseman-Stutz ([ChickeringHeckerman1997])."""

import numpy as np
from pydantic import Field

from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence
from ockham.estimation.convergence import Search
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference import em
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.fit_scores import bic, cheeseman_stutz, evidences, log_likelihood
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "score"]

ESTIMATES = {
    "maximum_likelihood": Estimator("Log likelihood at the ML parameters", uses_prior=False),
    "bic_ml": Estimator("Bayesian information criterion at the ML parameters", local=True, uses_prior=False),
    "cheeseman_stutz_ml": Estimator("Cheeseman-Stutz at the ML parameters", bound="lower", local=True),
}
FEWEST_CELLS = 1e-3
"""Expected cells of an item in a class, below which its deviation there says nothing."""


class Settings(Search):
    """Where EM starts, when it stops, and how narrow a class may be."""

    least_deviation: float = Field(
        default=0.01,
        ge=1e-6,
        le=1,
        description="of a Gaussian item in a class, in units of the deviation that the prior expects",
    )


def score(model: FiniteMixture, data: MixedRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """One fit, from the starts of ``em``; the prior enters the completed-data evidence of Cheeseman-Stutz only.

    The likelihood of Gaussian items has no maximum: it grows without bound as a class narrows around equal cells
    ([Day1969]). EM looks for one among the deviations of at least ``least_deviation``. Where a class ends with that
    deviation, which the diagnostic ``n_at_bound`` counts by items, the fit is the bound's, and the log likelihood and
    BIC are doubted. Cheeseman-Stutz is a lower bound at any parameters (theorem 6.1 of [BealGhahramani2006]).

    Notes
    -----
    Eq. (16) and section 3.3 of [ChickeringHeckerman1997].
    """
    design, largest_precision = Design.of(model, data), settings.least_deviation**-2
    fit = em.search(model, design, stream, settings, data.n, largest_precision)
    scores = {
        "maximum_likelihood": log_likelihood(design, fit),
        "bic_ml": bic(model, design, fit, data.n),
        "cheeseman_stutz_ml": cheeseman_stutz(model, design, fit),
    }
    n_at_bound = _n_at_bound(model, fit, largest_precision)
    doubt = em.doubt(fit) | (Doubt.NOT_A_MODE if n_at_bound else NO_DOUBT)
    return evidences(fit, scores, ESTIMATES, doubt, n_at_bound=n_at_bound)


def _n_at_bound(model: FiniteMixture, fit: em.State, largest_precision: float) -> int:
    """Gaussian items times classes whose deviation is the least that is allowed."""
    total = 0
    for item, at in model.slices:
        if item.kind == "gaussian":
            precision, n_cells = -2 * fit.parameters.natural[:, at][:, 2], fit.sums.items[:, at][:, 0]
            total += int(np.count_nonzero((precision > 0.999 * largest_precision) & (n_cells > FEWEST_CELLS)))
    return total
