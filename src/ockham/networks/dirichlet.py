"""Products of Dirichlet distributions over the rows of a discrete network, in logs throughout."""

import numpy as np

from ockham.estimation.memory import check_memory
from ockham.kernels import complete_data
from ockham.kernels import dirichlet as kernel
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.streams import Stream

__all__ = ["check_starts", "log_beta", "log_density", "sample_log", "sample_start", "sample_starts"]

N_COPIES = 4
"""Numbers of each parameter of a start that fits go on from: its log, and the fit's value, its log and its count."""


def log_beta(network: DiscreteNetwork) -> float:
    """ln B(lambda) summed over the rows of the prior, nats: minus the log of its normaliser."""
    work = np.empty(complete_data.work_size(network.n_entries, network.n_rows))
    return complete_data.log_beta(network.rows, network.prior, network.n_rows, work)


def log_density(network: DiscreteNetwork, parameters: np.ndarray) -> float:
    """Log prior density at the parameters, in the basis of theta, in nats; eq. (3) of [BealGhahramani2006].

    -inf or +inf where an entry is 0 and its hyperparameter is not 1.
    """
    return complete_data.log_joint(network.prior - 1, parameters) - log_beta(network)


def sample_log(
    network: DiscreteNetwork, rng: np.random.Generator, hyperparameters: np.ndarray | None = None
) -> np.ndarray:
    """Logs of one draw of every row from the prior, shape (n_entries,), normalised row by row.

    The logs exist also where a small hyperparameter makes a draw underflow to 0. Other ``hyperparameters``, shape
    (n_entries,), may stand for those of the prior.
    """
    log_parameters = np.empty(network.n_entries)
    kernel.sample_log(
        rng.bit_generator,
        row_starts=network.row_starts,
        shape=network.prior if hyperparameters is None else hyperparameters,
        log_theta=log_parameters,
        work=np.empty(kernel.work_size(network.n_entries)),
    )
    return log_parameters


def check_starts(network: DiscreteNetwork, n: int) -> None:
    """Raise a ModelError when fits from so many starts would take more memory than allowed."""
    check_memory(
        N_COPIES * n * network.n_entries,
        f"{n:,} starts of {network.n_entries:,} parameters",
        "take fewer n_starts, or fewer values",
    )


def sample_starts(
    network: DiscreteNetwork, stream: Stream, n: int = 1, hyperparameters: np.ndarray | None = None
) -> np.ndarray:
    """Draws, in logs, that the fits of a cell start from; shape (n, n_entries). More of them begin with the fewer."""
    check_starts(network, n)
    rng = stream.child("initial parameters").generator()
    return np.array([sample_log(network, rng, hyperparameters) for _ in range(n)])


def sample_start(network: DiscreteNetwork, stream: Stream) -> np.ndarray:
    """The draw of the prior, in logs, that every scorer of a cell starts from."""
    return sample_starts(network, stream)[0]
