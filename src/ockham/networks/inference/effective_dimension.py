"""How many dimensions the distributions of a network's observed variables have ([GeigerHeckermanMeek1996])."""

from functools import lru_cache
from math import prod

import numpy as np

from ockham.estimation.memory import check_memory
from ockham.networks.data import ancestral_sampling
from ockham.networks.data.unique_rows import MISSING, UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork, joint_states
from ockham.networks.inference.information import check_rows, completions, free_entries
from ockham.networks.inference.missing_cells import n_fillings
from ockham.streams import Stream

__all__ = ["check_states", "effective_dimension", "leaves_open"]

N_COPIES = 4
"""Of the numbers of every state and parameter: counts, scores, and the two of a decomposition."""
MOST_NUMBERS = 10**6
"""Of states times parameters, above which ``leaves_open`` looks at some states only."""
MOST_NUMBERS_DRAWN = 5 * 10**6
"""The same of these, and of the ways to complete them, above which it does not look; it takes about a second."""
ROWS_A_PARAMETER = 2
"""States that are drawn first, for each parameter."""
FEWEST_DRAWN = 256
"""Of these where cells are missing, as few of them may say what the others leave open."""
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


@lru_cache(maxsize=8)  # every chain of a run asks
def leaves_open(network: DiscreteNetwork, data: UniqueRows) -> bool:
    """Whether no number of rows like these identifies the parameters: with cells missing where they are in these.

    Where there are many joint states of the observed variables, or cells are missing, the rank is that of the scores of
    some rows, drawn from the network: ever more, until as many again add nothing. False where that is too much work to
    tell.
    """
    return _complete_rows_leave_open(network) or (bool(data.with_missing) and _drawn_rows_leave_open(network, data))


@lru_cache(maxsize=1024)  # the cells of a job share networks
def _complete_rows_leave_open(network: DiscreteNetwork) -> bool:
    n_states = prod(float(network.cardinalities[i]) for i in network.observed)
    if n_states * network.n_entries <= MOST_NUMBERS:
        return effective_dimension(network) < network.n_parameters
    return _drawn_rows_leave_open(network, None)


def _drawn_rows_leave_open(network: DiscreteNetwork, like: UniqueRows | None) -> bool:
    """By rows that are drawn from the network, each with cells missing as in some row of a data set, if one is given.

    What few rows alone can tell counts as open, as chains hardly move along it either.
    """
    rng = Stream(0, "leaves open", network.digest).generator()
    log_parameters = sample_log(network, rng, np.full(network.n_entries, HYPERPARAMETER))
    n_rows, rank = max(ROWS_A_PARAMETER * network.n_parameters, 0 if like is None else FEWEST_DRAWN), 0
    while n_rows * _numbers_a_row(network) <= MOST_NUMBERS_DRAWN:
        drawn = ancestral_sampling.draw(network, np.exp(log_parameters), n_rows, rng)[:, list(network.observed)]
        if like is not None:
            drawn[(like.rows == MISSING)[rng.choice(len(like.rows), n_rows, p=like.counts / like.n)]] = MISSING
        states = np.unique(drawn, axis=0)
        if like is not None and _numbers_to_fill(network, states) > MOST_NUMBERS_DRAWN:
            return False
        before, rank = rank, _rank(network, log_parameters, states)
        if rank in (before, network.n_parameters):
            return rank < network.n_parameters
        n_rows *= 2
    return False


def _numbers_a_row(network: DiscreteNetwork) -> int:
    return max(network.n_entries, network.n_hidden_configurations * network.n_variables)


def _numbers_to_fill(network: DiscreteNetwork, states: np.ndarray) -> float:
    n_ways = n_fillings(network, _once(states)).sum() * network.n_hidden_configurations
    return float(n_ways * network.n_variables)


def _once(states: np.ndarray) -> UniqueRows:
    return UniqueRows(states, np.ones(len(states), dtype=np.int64))


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
    n, m = len(states), network.n_entries + 1  # the last is of a cell that is left out
    flat = np.zeros(n * m)
    for rows, entries, posterior in completions(network, _once(states), log_parameters):
        cells = rows[:, None, None] * m + entries
        weights = np.repeat(posterior.ravel(), network.n_variables)
        flat += np.bincount(cells.ravel(), weights, n * m)
    counts = flat.reshape(n, m)[:, :-1]
    totals = np.add.reduceat(counts, network.row_starts[:-1], axis=1)[:, network.rows]
    scores = (counts - totals * np.exp(log_parameters))[:, free_entries(network)]
    values = np.linalg.svd(scores, compute_uv=False)
    return int((values > SMALLEST * values[0]).sum())
