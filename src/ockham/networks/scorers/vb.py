"""The variational Bayesian lower bound on the evidence ([BealGhahramani2006], section 3.5)."""

from ockham.contracts import Estimator, Evidence
from ockham.estimation.convergence import Convergence
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_start
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import variational_em
from ockham.networks.inference.expectation import check_rows
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {"variational_bayes": Estimator("Variational Bayes", bound="lower", local=True)}


class Settings(Convergence):
    """When variational EM stops."""


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for an E step that would take more memory than allowed."""
    check_rows(network, n)


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """One fit from one draw of the prior, the same draw that EM starts from.

    Notes
    -----
    The bound is eq. (52) of [BealGhahramani2006] at the end of variational Bayesian EM, eq. (56) and (58).
    """
    fit = variational_em.run(network, data, sample_start(network, stream), **settings.limits(data.n))
    diagnostics = {"n_iterations": fit.n_iterations, "hit_cap": not fit.converged}
    return {"variational_bayes": Evidence(fit.bound, n_evaluations=fit.n_iterations + 1, diagnostics=diagnostics)}
