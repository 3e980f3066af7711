"""EM for a discrete network: MAP in the softmax basis, or maximum likelihood ([BealGhahramani2006], section 3.1)."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from pydantic import Field

from ockham.contracts import NO_DOUBT, Doubt
from ockham.estimation import convergence
from ockham.estimation.row_layout import Terms
from ockham.estimation.successive_halving import halved
from ockham.kernels import em as kernel
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import check_starts, sample_starts
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.expectation import check_rows, layout
from ockham.streams import Stream

__all__ = ["Search", "State", "check", "doubt", "init", "run", "search", "step"]


class Search(convergence.Search):
    """Also what it starts from."""

    starts: Literal["prior", "uniform"] = Field(
        default="prior", description="what starts are drawn from: the prior, or with all its hyperparameters 1"
    )


@dataclass(frozen=True, slots=True)
class State:
    """Where EM stands.

    Attributes
    ----------
    parameters : ndarray, shape (n_entries,)
        theta of the last M step (the starting point before any).
    counts : ndarray, shape (n_entries,)
        Expected counts N of the E step at ``parameters``; eq. (19) of [BealGhahramani2006].
    log_likelihood : float
        ln p(y | theta), nats.
    objective : float
        What EM climbs, nats: the log likelihood, plus sum(lambda ln theta) for MAP in the softmax basis.
    n_iterations : int
    converged : bool
    n_evaluations_before : int
        E steps that went into the choice of the start.
    history : ndarray
        The objective before the first iteration and after each, as far as it was asked for.
    """

    parameters: np.ndarray
    counts: np.ndarray
    log_likelihood: float
    objective: float
    n_iterations: int
    converged: bool
    history: np.ndarray
    n_evaluations_before: int = 0

    @property
    def n_evaluations(self) -> int:
        """E steps in all."""
        return self.n_evaluations_before + self.n_iterations + 1

    @property
    def log_parameters(self) -> np.ndarray:
        """Logs of the parameters, -inf for 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.parameters)


def check(network: DiscreteNetwork, n: int, settings: Search) -> None:
    """Raise a ModelError when a search on n rows would take more memory than allowed."""
    check_rows(network, n)
    check_starts(network, settings.n_starts)


def search(
    network: DiscreteNetwork, data: UniqueRows, stream: Stream, settings: Search, prior: np.ndarray | None = None
) -> State:
    """The fit from one random start, or from the best of many; the same starts for all scorers of a cell.

    MAP by default; ``prior`` may hold the hyperparameters of another objective, zeros for maximum likelihood.
    """
    prior = network.prior if prior is None else prior
    width = network.prior if settings.starts == "prior" else np.ones(network.n_entries)
    starts = list(sample_starts(network, stream, settings.n_starts, width))

    def climb(start: np.ndarray, n_steps: int) -> State:
        return run(network, data, start, prior, max_iterations=n_steps, tolerance=0.0)

    (start,), n_before = halved(starts, climb, lambda _, state: state.log_parameters)
    return replace(run(network, data, start, prior, **settings.limits(data.n)), n_evaluations_before=n_before)


def doubt(fit: State) -> Doubt:
    """What speaks against scores that take a fit for a maximum."""
    return NO_DOUBT if fit.converged else Doubt.NOT_CONVERGED


def init(network: DiscreteNetwork, data: UniqueRows, log_parameters: np.ndarray, prior: np.ndarray) -> State:
    """The E step at given parameters, in logs so that a draw from a sparse prior is not rounded to 0.

    ``prior`` holds the hyperparameters of the MAP objective, ``network.prior`` or zeros for maximum likelihood.
    """
    return run(network, data, log_parameters, prior, max_iterations=0, tolerance=0.0)


def step(network: DiscreteNetwork, data: UniqueRows, state: State, prior: np.ndarray) -> State:
    """One M step and the E step after it."""
    return run(network, data, state.log_parameters, prior, max_iterations=1, tolerance=0.0)


def run(
    network: DiscreteNetwork,
    data: UniqueRows,
    log_parameters: np.ndarray,
    prior: np.ndarray,
    *,
    max_iterations: int,
    tolerance: float,
    relative_tolerance: float = 0.0,
    n_history: int = 0,
) -> State:
    """Iterate from given parameters until the objective changes by less than ``tolerance`` nats, or to the cap.

    ``relative_tolerance``, in units of the objective, is added to it.
    """
    plan, terms = layout(network, data), _prior_terms(prior.tobytes())
    theta, counts = np.empty(network.n_entries + 2), np.empty(network.n_entries + 2)
    history = np.full(n_history, np.nan)
    log_likelihood, objective, n_iterations, converged = kernel.run(
        plan,
        row_starts=network.row_starts,
        prior=prior,
        terms=terms,
        log_start=log_parameters,
        theta=theta,
        counts=counts,
        history=history,
        max_iterations=max_iterations,
        tolerance=tolerance,
        relative_tolerance=relative_tolerance,
        work=np.empty(kernel.work_size(plan, terms)),
    )
    return State(theta[:-2], counts[:-2], log_likelihood, objective, n_iterations, converged, history)


@lru_cache(maxsize=256)
def _prior_terms(prior: bytes) -> Terms:
    """The terms of the log prior; the hyperparameters come as the bytes of a float64 array."""
    weights = np.frombuffer(prior)
    return Terms.of(weights, len(weights) + 1)
