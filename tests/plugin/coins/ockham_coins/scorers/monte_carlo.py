"""The evidence of coins as the mean likelihood over draws of the prior, with the log likelihoods beside it."""

from math import log, sqrt

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Array, Estimator, Evidence
from ockham.streams import Stream
from ockham_coins.coins import Coins, Tosses

__all__ = ["ARRAYS", "ESTIMATES", "Settings", "score"]

ESTIMATES = {"monte_carlo": Estimator("Mean likelihood over draws of the prior", over_runs="mean")}
ARRAYS = {"log_weight": Array(("sample",), "Log likelihood of a draw of the prior", "nats")}


class Settings(contracts.Settings):
    """How many draws of the prior."""

    n_samples: int = Field(default=1000, ge=2, le=10**7, description="draws of the prior")


def score(coins: Coins, data: Tosses, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """The mean, with the standard error of its logarithm by the delta method."""
    biases = coins.sample(stream.child("prior samples").generator(), settings.n_samples)
    heads, tails = coins.counts(data)
    log_weights = np.log(biases) @ heads + np.log1p(-biases) @ tails
    log_evidence = np.logaddexp.reduce(log_weights) - log(settings.n_samples)
    error = np.exp(log_weights - log_evidence).std(ddof=1) / sqrt(settings.n_samples)
    arrays = {"log_weight": log_weights}
    return {"monte_carlo": Evidence(float(log_evidence), float(error), settings.n_samples, arrays=arrays)}
