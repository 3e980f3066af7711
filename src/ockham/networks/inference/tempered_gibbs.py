"""Gibbs sampling of p(theta) p(y | theta)^beta, the posterior of a discrete network at another temperature.

Completing the data and tempering what is completed samples another distribution: a power of a sum over hidden states is
no sum of powers. But where every row y(u) occurs a whole number k(u) of times, Gibbs sampling is of p(theta) prod_u
p(y(u) | theta)^k(u). So a step rounds beta w(u) to whole numbers by chance, sweeps both ways from the present state on
these rows, and draws the next state among all of these by what the rounding left out, prod_u p(y(u) | theta)^(beta w(u)
- k(u)). The sweeps are reversible, and the present state is at a random place among the others; so this is a pool of
states as [NealBealRoweis2004] have it, and leaves the distribution as it is, exactly.
"""

from dataclasses import dataclass, replace
from math import nan

import numpy as np

from ockham.estimation.memory import check_memory
from ockham.estimation.row_layout import Layout, Terms
from ockham.kernels import gibbs as gibbs_kernel
from ockham.kernels import likelihoods as likelihoods_kernel
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.expectation import layout
from ockham.networks.inference.relabellings import Relabellings

__all__ = ["State", "check_states", "run"]

N_COPIES = 3
"""Of the states of a step: swept to either side, and together."""


@dataclass(frozen=True, slots=True)
class State:
    """Where a chain ended, and what it saw.

    Attributes
    ----------
    log_parameters : ndarray, shape (n_entries,)
        Logs of the last state.
    log_likelihoods : ndarray, shape (n_steps,)
        ln p(y | theta), nats: in each step the mean over its states, by their probabilities to be the next.
    share : float
        Effective sample size of these probabilities over the number of states, the mean over steps.
    """

    log_parameters: np.ndarray
    log_likelihoods: np.ndarray
    share: float


def check_states(network: DiscreteNetwork, n_states: int) -> None:
    """Raise a ModelError when the states of a step would take more memory than allowed."""
    check_memory(
        N_COPIES * n_states * network.n_entries,
        f"{n_states:,} states of {network.n_entries:,} parameters",
        "take fewer n_states, or fewer values",
    )


def run(
    network: DiscreteNetwork,
    data: UniqueRows,
    inverse_temperature: float,
    log_parameters: np.ndarray,
    rng: np.random.Generator,
    n_steps: int,
    n_states: int,
) -> State:
    """Take steps from given parameters, of so many states each.

    The mean of ``log_likelihoods`` estimates the mean of ln p(y | theta) over p(theta) p(y | theta)^beta: what is
    averaged in a step is the next state's expected value given the step's states.
    """
    plan = layout(network, data)
    tempered = inverse_temperature * plan.weights
    present = np.array(log_parameters, dtype=np.float64)
    log_likelihoods, shares = np.empty(n_steps), np.empty(n_steps)
    for step in range(n_steps):
        rounded = _with_weights(plan, _rounded(tempered, rng))
        n_before = int(rng.integers(n_states))
        before = _sweep(network, rounded, present, n_before, rng)[::-1]
        after = _sweep(network, rounded, present, n_states - 1 - n_before, rng)
        states = np.concatenate([before, present[None], after])
        found = _log_likelihoods(plan, states)
        probabilities = _probabilities(inverse_temperature * found - _log_likelihoods(rounded, states))
        log_likelihoods[step] = probabilities @ found
        shares[step] = 1 / (n_states * (probabilities @ probabilities))
        present = states[rng.choice(n_states, p=probabilities)]
    return State(present, log_likelihoods, float(shares.mean()) if n_steps else nan)


def _rounded(values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Whole numbers next to each value, of that expectation; the sum is next to the sum."""
    ends = np.floor(np.cumsum(values) + rng.random())
    counts: np.ndarray = np.diff(ends, prepend=0.0)
    return counts


def _with_weights(plan: Layout, weights: np.ndarray) -> Layout:
    """The same rows, that often."""
    terms = Terms(np.empty((0, 4), dtype=np.int32), np.arange(len(weights), dtype=np.int32), weights)
    return replace(plan, weights=weights, terms=terms)


def _sweep(
    network: DiscreteNetwork, plan: Layout, start: np.ndarray, n_sweeps: int, rng: np.random.Generator
) -> np.ndarray:
    """Logs of parameters after each sweep, shape (n_sweeps, n_entries)."""
    n_entries, alone = network.n_entries, Relabellings.none(network)
    draws = np.empty((n_sweeps, n_entries))
    gibbs_kernel.run(
        rng.bit_generator,
        plan,
        rows=network.rows,
        row_starts=network.row_starts,
        prior=network.prior,
        points=np.empty((0, n_entries)),
        classes=alone.classes,
        shared=alone.shared,
        log_theta=start.copy(),
        log_completed=np.empty(n_sweeps),
        log_density=np.empty(n_sweeps),
        best_counts=np.empty(n_entries),
        draws=draws,
        work=np.empty(gibbs_kernel.work_size(plan, n_entries, network.n_rows, 0, len(alone.classes))),
    )
    return draws


def _log_likelihoods(plan: Layout, log_parameters: np.ndarray) -> np.ndarray:
    """Of the rows as often as the plan says, nats, shape (n_states,)."""
    found = np.empty(len(log_parameters))
    likelihoods_kernel.run(
        plan,
        log_theta=log_parameters,
        log_likelihoods=found,
        work=np.empty(likelihoods_kernel.work_size(plan, log_parameters.shape[1])),
    )
    return found


def _probabilities(log_weights: np.ndarray) -> np.ndarray:
    """In proportion to weights of which these are the logs."""
    weights = np.exp(log_weights - log_weights.max())
    probabilities: np.ndarray = weights / weights.sum()
    return probabilities
