"""The variational Bayesian lower bound on the evidence of a finite mixture ([BealGhahramani2003])."""

from ockham.contracts import Estimator, Evidence
from ockham.estimation.convergence import Search
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference import variational_em
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.starts import starts
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "score"]

ESTIMATES = {"variational_bayes": Estimator("Variational Bayes", bound="lower", local=True)}


class Settings(Search):
    """Where variational EM starts, and when it stops."""


def score(model: FiniteMixture, data: MixedRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """One fit, from the best of some starts by the bound; they are those that EM has.

    Its value is a bound wherever the fit stops.
    """
    design = Design.of(model, data)
    begin = starts(model, design, stream, settings.n_starts)
    found = variational_em.search(model, design, begin, settings, data.n)
    diagnostics = {"n_iterations": found.n_iterations, "hit_cap": not found.converged}
    bound = found.objective + design.log_base
    return {"variational_bayes": Evidence(bound, n_evaluations=found.n_evaluations, diagnostics=diagnostics)}
