"""The evidence of a network as the mean likelihood over draws of the prior."""

from math import log, sqrt

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Estimator, Evidence
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "score"]

ESTIMATES = {"importance_sampling": Estimator("Importance sampling from the prior", over_runs="mean")}


class Settings(contracts.Settings):
    """How many draws of the prior."""

    n_samples: int = Field(default=1000, ge=2, le=10**7, description="draws of the prior")


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """The mean, with the standard error of its logarithm by the delta method."""
    rng = stream.child("prior samples").generator()
    log_weights = np.array([_log_likelihood(network, data, rng) for _ in range(settings.n_samples)])
    log_evidence = np.logaddexp.reduce(log_weights) - log(settings.n_samples)
    error = np.exp(log_weights - log_evidence).std(ddof=1) / sqrt(settings.n_samples)
    return {"importance_sampling": Evidence(float(log_evidence), float(error), n_evaluations=settings.n_samples)}


def _log_likelihood(network: DiscreteNetwork, data: UniqueRows, rng: np.random.Generator) -> float:
    return em.init(network, data, sample_log(network, rng), network.prior).log_likelihood
