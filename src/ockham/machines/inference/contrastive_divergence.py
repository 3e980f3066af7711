"""Persistent contrastive divergence for restricted Boltzmann machines, and Gibbs sampling of their states."""

import numpy as np

from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, features_given, sigmoid

__all__ = ["draw_states", "fit", "sample_start", "sweep"]


def sample_start(
    model: RestrictedBoltzmann, data: BinaryRows, deviation: float, rng: np.random.Generator
) -> np.ndarray:
    """Parameters to start from: independent visible units as in the data, the rest small and Gaussian."""
    theta = rng.normal(0.0, deviation, model.n_parameters)
    ones = data.counts @ data.rows
    model.unpack(theta)[1][:] = np.log((ones + 0.5) / (data.n - ones + 0.5))
    return theta


def sweep(model: RestrictedBoltzmann, theta: np.ndarray, visible: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Hidden states given the visible ones, then visible ones given those; shape (n_chains, n_visible)."""
    weights, visible_biases, hidden_biases = model.unpack(theta)
    hidden = rng.random((len(visible), model.n_hidden)) < sigmoid(visible @ weights + hidden_biases)
    return (rng.random(visible.shape) < sigmoid(hidden @ weights.T + visible_biases)).astype(np.float64)


def fit(
    model: RestrictedBoltzmann,
    data: BinaryRows,
    theta: np.ndarray,
    rng: np.random.Generator,
    *,
    n_steps: int,
    n_particles: int,
    step_size: float,
    decay_after: float,
    precision_of_prior: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Parameters near a maximum of the posterior density, and the visible states of the chains there.

    Step t moves by step_size / (1 + t / decay_after) times the gradient per datum, in which the chains, one sweep
    further every step, stand for the model; [Tieleman2008]. No step goes beyond the maximum of the prior.
    ``precision_of_prior``, sigma^-2, is 0 for a maximum of the likelihood.
    """
    theta = theta.copy()
    chains = (rng.random((n_particles, model.n_visible)) < data.counts @ data.rows / data.n).astype(np.float64)
    shares, equal = data.counts / data.n, np.full(n_particles, 1 / n_particles)
    farthest = data.n / precision_of_prior if precision_of_prior > 0 else np.inf
    for t in range(n_steps):
        chains = sweep(model, theta, chains, rng)
        gradient = features_given(model, theta, data.rows, shares) - features_given(model, theta, chains, equal)
        gradient -= precision_of_prior / data.n * theta
        theta += min(step_size / (1 + t / decay_after), farthest) * gradient
    return theta, chains


def draw_states(
    model: RestrictedBoltzmann,
    theta: np.ndarray,
    chains: np.ndarray,
    rng: np.random.Generator,
    *,
    n_samples: int,
    n_sweeps: int,
) -> tuple[BinaryRows, np.ndarray]:
    """At least n_samples visible states of chains that go on from given ones, ``n_sweeps`` sweeps apart.

    And where the chains then are.
    """
    drawn = []
    for _ in range(-(-n_samples // len(chains))):
        for _ in range(n_sweeps):
            chains = sweep(model, theta, chains, rng)
        drawn.append(chains)
    return BinaryRows.of(np.concatenate(drawn)), chains
