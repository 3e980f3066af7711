"""EM for a discrete network: MAP in the softmax basis, or maximum likelihood ([BealGhahramani2006], section 3.1)."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ockham.datasets.unique_rows import UniqueRows
from ockham.inference.convergence import Convergence
from ockham.inference.expectation import Terms, layout
from ockham.kernels import em as kernel
from ockham.models.dirichlet import sample_start
from ockham.models.discrete_network import DiscreteNetwork
from ockham.streams import Stream

__all__ = ["State", "init", "run", "run_from_prior", "step"]


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

    @property
    def log_parameters(self) -> np.ndarray:
        """Logs of the parameters, -inf for 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.parameters)


def run_from_prior(network: DiscreteNetwork, data: UniqueRows, stream: Stream, convergence: Convergence) -> State:
    """MAP from a draw of the prior, the same draw for all scorers of a cell."""
    return run(network, data, sample_start(network, stream), network.prior, **convergence.limits(data.n))


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
    plan = layout(network, data)
    theta = np.empty(network.n_entries + 2)
    counts = np.empty(network.n_entries + 2)
    history = np.full(n_history, np.nan)
    terms = _prior_terms(prior.tobytes())
    work = np.empty(plan.work_size + len(terms.weights))
    arrays = log_parameters, theta, counts, history
    log_likelihood, objective, n_iterations, converged = kernel.run(
        plan, network.row_starts, prior, terms, *arrays, max_iterations, tolerance, relative_tolerance, work
    )
    return State(theta[:-2], counts[:-2], log_likelihood, objective, n_iterations, converged, history)


@lru_cache(maxsize=256)
def _prior_terms(prior: bytes) -> Terms:
    """The terms of the log prior; the hyperparameters come as the bytes of a float64 array."""
    weights = np.frombuffer(prior)
    return Terms.of(weights, len(weights) + 1)
