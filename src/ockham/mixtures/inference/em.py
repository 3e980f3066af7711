"""EM for the MAP parameters of a finite mixture ([BealGhahramani2006], section 3.1, for all its items)."""

from typing import NamedTuple

from ockham.estimation.convergence import Search
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference.climbing import Fit, search, starts
from ockham.mixtures.inference.design import Design
from ockham.streams import Stream

__all__ = ["State", "fit", "init", "step"]


class State(NamedTuple):
    """Where EM stands.

    Attributes
    ----------
    parameters : Parameters
    sums : Sums
        Expected sums of the E step at ``parameters``.
    log_likelihood : float
        But for base measures, nats.
    objective : float
        The log likelihood and the log prior density in the bases of the items, nats.
    """

    parameters: Parameters
    sums: Sums
    log_likelihood: float
    objective: float


def fit(model: FiniteMixture, design: Design, stream: Stream, settings: Search, n: int) -> Fit[State]:
    """The fit from the best of several draws of the prior."""
    begun = [init(model, design, start) for start in starts(model, stream, settings.n_starts)]
    return search(begun, lambda state: step(model, design, state), settings, n)


def init(model: FiniteMixture, design: Design, parameters: Parameters) -> State:
    """The E step at given parameters."""
    log_likelihood, sums = design.expect(parameters)
    return State(parameters, sums, log_likelihood, log_likelihood + float(model.log_prior(parameters)))


def step(model: FiniteMixture, design: Design, state: State) -> State:
    """One M step and the E step after it."""
    return init(model, design, model.mode(state.sums))
