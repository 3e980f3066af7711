"""Variational Bayesian EM for a discrete network with Dirichlet priors ([BealGhahramani2006], section 3.5)."""

from dataclasses import dataclass

import numpy as np

from ockham.kernels import variational_em as kernel
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.expectation import layout

__all__ = ["State", "run"]


@dataclass(frozen=True, slots=True)
class State:
    """Where variational EM stands.

    Attributes
    ----------
    posterior : ndarray, shape (n_entries,)
        Dirichlet parameters of q(theta): lambda + N of the last VBM step; eq. (56) of [BealGhahramani2006].
    counts : ndarray, shape (n_entries,)
        Expected counts of the VBE step after it.
    bound : float
        Lower bound on ln p(y | m), nats; eq. (52).
    n_iterations : int
    converged : bool
    history : ndarray
        The bound after each iteration, as far as it was asked for.
    """

    posterior: np.ndarray
    counts: np.ndarray
    bound: float
    n_iterations: int
    converged: bool
    history: np.ndarray

    @property
    def objective(self) -> float:
        """What it climbs: the bound."""
        return self.bound


def run(
    network: DiscreteNetwork,
    data: UniqueRows,
    log_parameters: np.ndarray,
    *,
    max_iterations: int,
    tolerance: float,
    n_history: int = 0,
) -> State:
    """Iterate until the bound changes by less than ``tolerance`` nats, or to the cap.

    The start is the paper's: a conventional E step at the given parameters, whose counts enter the first VBM step.
    """
    plan = layout(network, data)
    posterior, counts = np.empty(network.n_entries), np.empty(network.n_entries + 2)
    history = np.full(n_history, np.nan)
    bound, n_iterations, converged = kernel.run(
        plan,
        rows=network.rows,
        prior=network.prior,
        log_start=log_parameters,
        theta=np.empty(network.n_entries + 2),
        posterior=posterior,
        counts=counts,
        history=history,
        n_parameter_rows=network.n_rows,
        max_iterations=max_iterations,
        tolerance=tolerance,
        work=np.empty(kernel.work_size(plan, network.n_entries, network.n_rows)),
    )
    return State(posterior, counts[:-2], bound, n_iterations, converged, history)
