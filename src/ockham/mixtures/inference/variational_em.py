"""Variational Bayesian EM for a finite mixture of conjugate-exponential items ([BealGhahramani2003])."""

from typing import NamedTuple

from ockham.estimation.convergence import Search
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference.climbing import Fit, search
from ockham.mixtures.inference.design import Design

__all__ = ["State", "fit", "init", "step"]


class State(NamedTuple):
    """Where variational EM stands.

    Attributes
    ----------
    posterior : Sums
        What q(theta) is updated by.
    sums : Sums
        Expected sums of the rows under q(classes), which follows from q(theta).
    objective : float
        Lower bound on the log evidence but for base measures, nats.
    """

    posterior: Sums
    sums: Sums
    objective: float


def fit(model: FiniteMixture, design: Design, begin: list[Parameters], settings: Search, n: int) -> Fit[State]:
    """The fit from the best of given parameters, each by a conventional E step, whose sums enter the first VBM step."""
    begun = [init(model, design, design.expect(parameters)[1]) for parameters in begin]
    return search(begun, lambda state: step(model, design, state), settings, n)


def init(model: FiniteMixture, design: Design, posterior: Sums) -> State:
    """The VBE step where q(theta) is the prior updated by given sums.

    Notes
    -----
    The bound is ln Z(q) - KL(q(theta) || p(theta)), where ln Z is the log likelihood at the mean natural parameters.
    As q(theta) is p(theta) exp(sums . phi) / m(sums), the divergence is sums . <phi> - ln m(sums).
    """
    mean = model.expected(posterior)
    log_normaliser, sums = design.expect(mean)
    divergence = model.log_joint(mean, posterior) - model.log_marginal(posterior)
    return State(posterior, sums, log_normaliser - float(divergence))


def step(model: FiniteMixture, design: Design, state: State) -> State:
    """One VBM step and the VBE step after it."""
    return init(model, design, state.sums)
