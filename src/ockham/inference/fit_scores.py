"""Scores of the evidence from one fit of the parameters, MAP or ML ([BealGhahramani2006], sections 3.2 and 3.3)."""

from math import log

from ockham.inference.em import State
from ockham.kernels import complete_data
from ockham.models.discrete_network import DiscreteNetwork

__all__ = ["bic", "cheeseman_stutz"]


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
