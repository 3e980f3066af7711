"""The variational bound from where Cheeseman-Stutz is taken ([BealGhahramani2006], corollary 6.2)."""

from ockham.contracts import Estimator, Evidence
from ockham.estimation.convergence import Convergence
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em, variational_em
from ockham.networks.inference.em import Search
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {
    "variational_bayes_from_cs": Estimator("Variational Bayes from Cheeseman-Stutz", bound="lower", local=True)
}


class Settings(Search):
    """Where EM starts, when it stops, and variational EM after it; with the settings of ``em``, EM is the same fit."""


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for a fit that would take more memory than allowed."""
    em.check(network, n, settings)


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """EM, the same fit as ``em``'s, and variational EM from the parameters that it finds.

    Notes
    -----
    The completion of theorem 6.1 is that of the E step at theta_MAP. The variational M step after it has a bound of at
    least the Cheeseman-Stutz score, and no iteration lowers it; corollary 6.2 of [BealGhahramani2006].
    """
    mode = em.search(network, data, stream, settings)
    fit = variational_em.run(network, data, mode.log_parameters, **Convergence.limits(settings, data.n))
    diagnostics = {"n_iterations": fit.n_iterations, "hit_cap": not fit.converged}
    n_evaluations = mode.n_evaluations + fit.n_iterations + 1
    return {"variational_bayes_from_cs": Evidence(fit.bound, n_evaluations=n_evaluations, diagnostics=diagnostics)}
