"""The scores of one maximum likelihood fit: BIC and Cheeseman-Stutz as [ChickeringHeckerman1997] also take them."""

import numpy as np

from ockham.contracts import Estimator, Evidence
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em
from ockham.networks.inference.em import Search
from ockham.networks.inference.fit_scores import bic, cheeseman_stutz, evidences
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {
    "maximum_likelihood": Estimator("Log likelihood at the ML parameters", uses_prior=False),
    "bic_ml": Estimator("Bayesian information criterion at the ML parameters", local=True, uses_prior=False),
    "cheeseman_stutz_ml": Estimator("Cheeseman-Stutz at the ML parameters", bound="lower", local=True),
}


class Settings(Search):
    """Where EM starts, and when it stops."""


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for a fit that would take more memory than allowed."""
    em.check(network, n, settings)


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """One fit, from the starts of ``em``; the prior enters the completed-data evidence of Cheeseman-Stutz only.

    Notes
    -----
    Eq. (16) and section 3.3 of [ChickeringHeckerman1997]. Theorem 6.1 of [BealGhahramani2006] holds at any parameters,
    so Cheeseman-Stutz is a lower bound here too, even where the fit was stopped at its cap; the others are then
    doubted.
    """
    fit = em.search(network, data, stream, settings, np.zeros(network.n_entries))
    scores = {
        "maximum_likelihood": fit.log_likelihood,
        "bic_ml": bic(network, fit, data.n),
        "cheeseman_stutz_ml": cheeseman_stutz(network, fit),
    }
    return evidences(network, fit, scores, ESTIMATES)
