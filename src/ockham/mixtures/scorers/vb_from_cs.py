"""The variational bound from where Cheeseman-Stutz is taken ([BealGhahramani2006], corollary 6.2)."""

from ockham.contracts import Estimator, Evidence
from ockham.estimation.convergence import Search
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference import em, variational_em
from ockham.mixtures.inference.design import Design
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "score"]

ESTIMATES = {
    "variational_bayes_from_cs": Estimator("Variational Bayes from Cheeseman-Stutz", bound="lower", local=True)
}


class Settings(Search):
    """Where EM starts, when it stops, and variational EM after it; with the settings of ``em``, EM is the same fit."""


def score(model: FiniteMixture, data: MixedRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """EM, the same fit as ``em``'s, and variational EM from the parameters that it finds.

    The sums of the E step there make a bound of at least the Cheeseman-Stutz score, and no iteration lowers it.
    """
    design = Design.of(model, data)
    mode = em.search(model, design, stream, settings, data.n)
    found = variational_em.search(model, design, [mode.parameters], settings, data.n)
    diagnostics = {"n_iterations": found.n_iterations, "hit_cap": not found.converged}
    n_evaluations = mode.n_evaluations + found.n_evaluations
    bound = found.objective + design.log_base
    return {"variational_bayes_from_cs": Evidence(bound, n_evaluations=n_evaluations, diagnostics=diagnostics)}
