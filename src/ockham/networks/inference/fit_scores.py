"""Scores of the evidence from one fit of the parameters, MAP or ML ([BealGhahramani2006], sections 3.2 and 3.3)."""

from collections.abc import Mapping
from math import lgamma, log

import numpy as np

from ockham.contracts import NO_DOUBT, Estimator, Evidence
from ockham.kernels import complete_data
from ockham.networks.dirichlet import log_density
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.em import State, doubt
from ockham.networks.inference.relabellings import exchangeable_values

__all__ = ["UNUSED", "bic", "cheeseman_stutz", "evidences", "log_alike", "map_scores"]

UNUSED = 0.5
"""Expected cases below which a value of a hidden variable is not in use."""


def bic(network: DiscreteNetwork, fit: State, n: int) -> float:
    """Log likelihood minus d / 2 ln n, nats; eq. (22) of [BealGhahramani2006] without ln S."""
    return fit.log_likelihood - network.n_parameters / 2 * log(n)


def cheeseman_stutz(network: DiscreteNetwork, fit: State) -> float:
    """Evidence of the expected complete data, corrected by the likelihoods at the fit, nats; eq. (27) to (30).

    The counts are those of the E step at the fitted parameters, which makes it a lower bound whatever these are
    (theorem 6.1).
    """
    completed = complete_data.log_evidence(network.rows, network.prior, fit.counts, network.n_rows)
    return completed + fit.log_likelihood - complete_data.log_joint(fit.counts, fit.parameters)


def map_scores(network: DiscreteNetwork, fit: State, n: int) -> dict[str, float]:
    """MAP, BIC, BICp and Cheeseman-Stutz of a MAP fit to n rows, nats; the estimates of ``em``."""
    criterion = bic(network, fit, n)
    return {
        "map": fit.log_likelihood,
        "bic": criterion,
        "bicp": criterion + log_density(network, fit.parameters),
        "cheeseman_stutz": cheeseman_stutz(network, fit),
    }


def log_alike(network: DiscreteNetwork, fit: State) -> float:
    """Log number of the relabellings that leave a fit as it is, nats: permutations of hidden values that no case is in.

    Such values have the parameters that the prior gives them, all the same, so the fit has S aliases divided by this
    many: it is degenerate in the words of section 3.5 of [ChickeringHeckerman1997].
    """
    total = 0.0
    for i in network.relevant_hidden:
        n_unused = np.count_nonzero(network.family(i, fit.counts).sum(axis=0) < UNUSED)
        if n_unused > 1 and exchangeable_values(network, i) is not None:
            total += lgamma(1 + n_unused)
    return total


def evidences(
    network: DiscreteNetwork, fit: State, scores: Mapping[str, float], estimates: Mapping[str, Estimator]
) -> dict[str, Evidence]:
    """The scores of a fit; one that is no bound, whatever the parameters, is doubted unless the fit is a maximum."""
    diagnostics = {
        "n_iterations": fit.n_iterations,
        "hit_cap": not fit.converged,
        "log_alike": log_alike(network, fit),
    }
    return {
        name: Evidence(
            scores[name],
            n_evaluations=fit.n_evaluations,
            diagnostics=diagnostics,
            doubt=doubt(fit) if about.bound == "none" else NO_DOUBT,
        )
        for name, about in estimates.items()
    }
