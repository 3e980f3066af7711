"""WBIC, the mean log likelihood at the inverse temperature 1 / ln n ([Watanabe2013])."""

from math import log, nan

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Doubt, Estimator, Evidence
from ockham.estimation import chain_agreement
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import check_starts, sample_starts
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import tempered_gibbs
from ockham.networks.inference.expectation import check_layout, check_rows
from ockham.networks.inference.sparse_priors import doubt_of_prior
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "doubted", "score"]

ESTIMATES = {
    "wbic": Estimator("Widely applicable Bayesian information criterion", over_runs="median_without_error"),
}


class Settings(contracts.Settings):
    """How long the chains are, and the error to reach."""

    n_chains: int = Field(default=4, ge=2, le=256, description="chains, each from its own draw of the prior")
    n_burn_in: int = Field(default=25, ge=0, le=10**6, description="steps of a chain that are thrown away")
    n_steps: int = Field(default=50, ge=10, le=10**6, description="steps of a chain, before the first estimate")
    max_steps: int = Field(
        default=3200, ge=10, le=10**6, description="steps of a chain, doubled until the error is reached"
    )
    n_states: int = Field(default=32, ge=2, le=10**5, description="states of a step, by Gibbs sweeps")
    error: float = Field(default=0.5, gt=0, le=100, description="Monte Carlo error of the mean to reach, in nats")


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for starts, states or an E step that would take more memory than allowed."""
    check_rows(network.relevant, n)
    _check_states(network.relevant, settings)


def doubted(network: DiscreteNetwork) -> Doubt:
    """What speaks against every estimate: under sparse priors hardly any chain visits the modes in corners."""
    return doubt_of_prior(network)


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """Minus WBIC, from chains of the tempered posterior that go on until their mean has an error of at most ``error``.

    It is an approximation of the log evidence, as BIC is, so it has no standard error: that of the mean says how far it
    may be from its own exact value, and nothing of how far that is from the evidence. A chain's draws say the same of
    every labelling, so ln S is in it. Hidden variables without observed descendants are left out. It is doubted where
    the chains differ in their log likelihoods, where they have few effective draws of these, and where hyperparameters
    are below .1. NaN for one row, for which there is no such temperature; 0 where no cell has a value.

    The diagnostics are the inverse temperature, the standard error of the mean (nats), split R-hat of the log
    likelihoods, the steps of a chain, and the effective share of the states of a step.

    Raises
    ------
    ModelError
        When the starts, the states of a step or the E step would take more memory than allowed.

    Notes
    -----
    The mean of ln p(y | theta) over p(theta) p(y | theta)^beta with beta = 1 / ln n; theorem 4 of [Watanabe2013], which
    holds for singular models, and for BIC's regular ones agrees with it to the same order.
    """
    network = network.relevant
    data.check_fits(network)
    check_layout(network, data)
    _check_states(network, settings)
    if data.n == 1 or not data.known.any():
        return {"wbic": Evidence(nan if data.n == 1 else 0.0)}
    inverse_temperature = 1 / log(data.n)
    rng = stream.child("tempered Gibbs").generator()
    states = list(sample_starts(network, stream, settings.n_chains))
    shares: list[float] = []

    def go_on(n_steps: int) -> np.ndarray:
        """Log likelihoods of further steps of every chain, nats, shape (n_chains, n_steps)."""
        ends = [
            tempered_gibbs.run(network, data, inverse_temperature, state, rng, n_steps, settings.n_states)
            for state in states
        ]
        states[:] = [end.log_parameters for end in ends]
        shares.append(float(np.mean([end.share for end in ends])))
        return np.array([end.log_likelihoods for end in ends])

    go_on(settings.n_burn_in)
    chains = go_on(settings.n_steps)
    while True:
        found = chain_agreement.verdict(chains[:, :, None, None], np.ones(1))
        size = float(found.effective_sample_size[0])
        error = float(chains.std(ddof=1) / np.sqrt(size))
        n_added = min(chains.shape[1], settings.max_steps - chains.shape[1])
        if (error <= settings.error and not found.doubt) or n_added <= 0:
            break
        chains = np.concatenate([chains, go_on(n_added)], axis=1)
    n_passes = settings.n_chains * (settings.n_burn_in + chains.shape[1]) * (3 * settings.n_states - 1)
    return {
        "wbic": Evidence(
            float(chains.mean()),
            n_evaluations=n_passes,
            diagnostics={
                "inverse_temperature": inverse_temperature,
                "monte_carlo_error": error,
                "scale_reduction": float(found.scale_reduction[0]),
                "n_steps": chains.shape[1],
                "share": shares[-1],
            },
            effective_sample_size=size,
            doubt=found.doubt | doubt_of_prior(network, data),
        )
    }


def _check_states(network: DiscreteNetwork, settings: Settings) -> None:
    check_starts(network, settings.n_chains)
    tempered_gibbs.check_states(network, settings.n_states)
