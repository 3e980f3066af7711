"""The variational Bayesian lower bound on the evidence ([BealGhahramani2006], section 3.5)."""

from pydantic import Field

from ockham import contracts
from ockham.contracts import Estimate, Evidence
from ockham.datasets.unique_rows import UniqueRows
from ockham.inference import variational_em
from ockham.models.dirichlet import sample_log
from ockham.models.discrete_network import DiscreteNetwork
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "score"]

ESTIMATES = {"variational_bayes": Estimate("Variational Bayes", bound="lower", local=True)}


class Settings(contracts.Settings):
    """When variational EM stops; the defaults are section 4.1's."""

    max_iterations: int = Field(default=1000, ge=1, description="iterations at the most")
    tolerance: float = Field(default=1e-6, gt=0, description="change of the bound to stop at, nats per datum")


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """One fit from one draw of the prior, the same draw that EM starts from.

    Notes
    -----
    The bound is eq. (52) of [BealGhahramani2006] at the end of variational Bayesian EM, eq. (56) and (58).
    """
    start = sample_log(network, stream.child("initial parameters").generator())
    fit = variational_em.run(
        network, data, start, max_iterations=settings.max_iterations, tolerance=settings.tolerance * data.n
    )
    diagnostics = {"n_iterations": fit.n_iterations, "hit_cap": not fit.converged}
    return {"variational_bayes": Evidence(fit.bound, n_evaluations=fit.n_iterations + 1, diagnostics=diagnostics)}
