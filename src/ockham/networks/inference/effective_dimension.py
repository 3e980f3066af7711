"""How many dimensions the distributions of a network's observed variables have ([GeigerHeckermanMeek1996])."""

from functools import lru_cache
from math import prod

import numpy as np

from ockham.estimation.memory import check_memory
from ockham.networks.data import ancestral_sampling
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork, joint_states
from ockham.networks.inference.information import check_rows, completions, free_entries
from ockham.streams import Stream

__all__ = ["check_states", "effective_dimension", "leaves_open"]

N_COPIES = 4
"""Of the numbers of every state and parameter: counts, scores, and the two of a decomposition."""
MOST_NUMBERS = 10**6
"""Of states times parameters, above which ``leaves_open`` looks at some states only."""
MOST_NUMBERS_DRAWN = 5 * 10**6
"""The same of these, above which it does not look; the decomposition takes about a second."""
ROWS_A_PARAMETER = 2
"""States that are drawn first, for each parameter."""
N_POINTS = 2
"""Parameters at which the rank is taken; it is the largest, as almost everywhere."""
HYPERPARAMETER = 2.0
"""Of the distribution that these are drawn from, which keeps them off the boundary."""
SMALLEST = 1e-9
"""Singular value over the largest that counts. Those that are not 0 were found above 1e-4, rounding below 1e-14."""


def check_states(network: DiscreteNetwork) -> None:
    """Raise a ModelError when the joint states of the observed variables would take more memory than allowed."""
    n_states = prod(float(network.cardinalities[i]) for i in network.observed)
    check_memory(
        N_COPIES * n_states * network.n_entries,
        f"the effective dimension, of {n_states:,.6g} joint states of the observed variables",
        "take fewer or smaller variables, or another score",
    )
    check_rows(network, int(n_states))


@lru_cache(maxsize=1024)  # the cells of a job share networks
def leaves_open(network: DiscreteNetwork) -> bool:
    """Whether no amount of data identifies the parameters.

    Where there are many joint states of the observed variables, the rank is that of the scores of some, drawn from the
    network: ever more, until as many again add nothing. False where that is too much work to tell.
    """
    n_states = prod(float(network.cardinalities[i]) for i in network.observed)
    if n_states * network.n_entries <= MOST_NUMBERS:
        return effective_dimension(network) < network.n_parameters
    rng = Stream(0, "leaves open", network.digest).generator()
    log_parameters = sample_log(network, rng, np.full(network.n_entries, HYPERPARAMETER))
    n_rows, rank = ROWS_A_PARAMETER * network.n_parameters, 0
    while n_rows * _numbers_a_row(network) <= MOST_NUMBERS_DRAWN:
        drawn = ancestral_sampling.draw(network, np.exp(log_parameters), n_rows, rng)[:, list(network.observed)]
        before, rank = rank, _rank(network, log_parameters, np.unique(drawn, axis=0))
        if rank in (before, network.n_parameters):
            return rank < network.n_parameters
        n_rows *= 2
    return False


def _numbers_a_row(network: DiscreteNetwork) -> int:
    return max(network.n_entries, network.n_hidden_configurations * network.n_variables)


@lru_cache(maxsize=1024)  # the cells of a job share networks
def effective_dimension(network: DiscreteNetwork) -> int:
    """The rank of the Jacobian of the observed distribution by the parameters, at almost all of these.

    It is at most ``n_parameters``, and less where parameters can move without a change of the distribution.

    Raises
    ------
    ModelError
        When the joint states of the observed variables would take more memory than allowed.

    Notes
    -----
    The derivatives of ln p(y | theta) by the natural parameters are the expected scores of the completed row y, whose
    matrix over all y has the rank of the Jacobian; section 2 of [GeigerHeckermanMeek1996]. The points are the same
    for every study.
    """
    check_states(network)
    rng = Stream(0, "effective dimension", network.digest).generator()
    states = joint_states(network.cardinalities[i] for i in network.observed)
    hyperparameters = np.full(network.n_entries, HYPERPARAMETER)
    return max(_rank(network, sample_log(network, rng, hyperparameters), states) for _ in range(N_POINTS))


def _rank(network: DiscreteNetwork, log_parameters: np.ndarray, states: np.ndarray) -> int:
    """Of the scores of different states of the observed variables, shape (n_states, n_observed)."""
    every_state = UniqueRows(states, np.ones(len(states), dtype=np.int64))
    n, m = len(states), network.n_entries
    flat = np.zeros(n * m)
    for rows, entries, posterior in completions(network, every_state, log_parameters):
        cells = rows[:, None, None] * m + entries
        weights = np.repeat(posterior.ravel(), network.n_variables)
        flat += np.bincount(cells.ravel(), weights, n * m)
    counts = flat.reshape(n, m)
    totals = np.add.reduceat(counts, network.row_starts[:-1], axis=1)[:, network.rows]
    scores = (counts - totals * np.exp(log_parameters))[:, free_entries(network)]
    values = np.linalg.svd(scores, compute_uv=False)
    return int((values > SMALLEST * values[0]).sum())
