"""Metropolis-coupled chains of node orders at several temperatures, MC3 ([NiinimakiKoivisto2013], section 2.3)."""

from dataclasses import dataclass

import numpy as np

from ockham.kernels import orders as kernel
from ockham.orders.inference.sums import OrderSums

__all__ = ["Records", "State", "init", "log_ratios", "run"]


@dataclass(frozen=True, slots=True)
class State:
    """Where the chains stand.

    Attributes
    ----------
    orders : ndarray of int32, shape (n_chains, n_nodes)
        By temperature.
    accepted : ndarray of int64, shape (n_chains,)
        Moves that each chain has accepted so far.
    exchanged : ndarray of int64, shape (n_chains - 1,)
        Exchanges with the next chain so far.
    """

    orders: np.ndarray
    accepted: np.ndarray
    exchanged: np.ndarray


@dataclass(frozen=True, slots=True)
class Records:
    """What was seen after every so many sweeps.

    Attributes
    ----------
    log_likelihoods : ndarray, shape (n_records, n_chains)
        ln p(D, L) of every chain's order, nats.
    orders : ndarray of int32, shape (n_records, n_nodes)
        Of the last chain, whose target is the posterior.
    """

    log_likelihoods: np.ndarray
    orders: np.ndarray


def init(sums: OrderSums, n_chains: int, rng: np.random.Generator) -> State:
    """Chains at orders drawn uniformly."""
    orders = np.array([rng.permutation(sums.n_nodes) for _ in range(n_chains)], dtype=np.int32)
    return State(orders, np.zeros(n_chains, dtype=np.int64), np.zeros(n_chains - 1, dtype=np.int64))


def run(
    sums: OrderSums, temperatures: np.ndarray, state: State, rng: np.random.Generator, n_records: int, thin: int
) -> tuple[State, Records]:
    """Go on from a state, and record every ``thin``-th sweep, which moves every chain and proposes one exchange.

    ``temperatures`` are inverse, increasing to 1, shape (n_chains,).
    """
    state = State(state.orders.copy(), state.accepted.copy(), state.exchanged.copy())
    n_chains, n = state.orders.shape
    records = Records(np.empty((n_records, n_chains)), np.empty((n_records, n), dtype=np.int32))
    kernel.run_tempering(
        rng.bit_generator, sums, temperatures, thin, state.orders, records.log_likelihoods, records.orders,
        state.accepted, state.exchanged,
    )  # fmt: skip
    return state, records


def log_ratios(log_likelihoods: np.ndarray, temperatures: np.ndarray) -> np.ndarray:
    """ln Z_i / Z_(i-1) for neighbouring temperatures, shape (n_chains - 1,); nats. Their sum estimates ln Z_r / Z_0.

    From ``log_likelihoods`` of shape (n_records, n_chains); the telescoping product of [NiinimakiKoivisto2013], 2.3.
    """
    exponents = np.diff(temperatures) * log_likelihoods[:, :-1]
    return np.logaddexp.reduce(exponents, axis=0) - np.log(len(exponents))
