"""The scores of one MAP EM fit: MAP, BIC, BICp and Cheeseman-Stutz ([BealGhahramani2006], sections 3.1 to 3.3)."""

from ockham.contracts import Estimator, Evidence
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em
from ockham.networks.inference.em import Search
from ockham.networks.inference.fit_scores import evidences, map_scores
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {
    "map": Estimator("Log likelihood at the MAP parameters", bound="none"),
    "bic": Estimator("Bayesian information criterion", local=True),
    "bicp": Estimator("Bayesian information criterion with the prior at the MAP parameters", local=True),
    "cheeseman_stutz": Estimator("Cheeseman-Stutz", bound="lower", local=True),
}


class Settings(Search):
    """Where EM starts, and when it stops."""


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for a fit that would take more memory than allowed."""
    em.check(network, n, settings)


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """One fit.

    MAP is in the softmax basis, where theta = (lambda + N) / sum; ln p(theta | m) in BICp is in the basis of theta.
    Cheeseman-Stutz takes its completed counts from the E step at the same parameters as its other two terms, so that
    it is a lower bound (theorem 6.1), even where the fit was stopped at its cap; the others are then doubted.

    Notes
    -----
    Eq. (22) for BIC without ln S, eq. (27) to (30) for Cheeseman-Stutz, of [BealGhahramani2006].
    """
    fit = em.search(network, data, stream, settings)
    return evidences(network, fit, map_scores(network, fit, data.n), ESTIMATES)
