"""The partition function of restricted Boltzmann machines by annealed importance sampling over visible states."""

from itertools import pairwise
from math import log

import numpy as np

from ockham.estimation.combining import combine
from ockham.machines.inference.contrastive_divergence import sweep
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, activations, log_sum, sigmoid, softplus

__all__ = ["annealed_log_partition"]


def annealed_log_partition(
    model: RestrictedBoltzmann, theta: np.ndarray, temperatures: np.ndarray, n_chains: int, rng: np.random.Generator
) -> tuple[float, float]:
    """ln Z in nats, the log of an unbiased estimate of Z, and its standard error.

    Parameters
    ----------
    temperatures : ndarray, shape (n_steps + 1,)
        Inverse temperatures from 0 to 1. At tau the weights and the hidden biases are multiplied by tau, so that units
        are independent at 0.

    Notes
    -----
    Every step is a sweep of Gibbs sampling; [Neal2001], and [ChenWelling2013], algorithm 1.
    """
    biases = model.unpack(theta)[1]
    visible = (rng.random((n_chains, model.n_visible)) < sigmoid(biases)).astype(np.float64)
    log_weights = np.full(n_chains, softplus(biases).sum() + model.n_hidden * log(2))
    for before, after in pairwise(temperatures):
        _, hidden = activations(model, theta, visible)
        log_weights += log_sum(0.0, after * hidden) - log_sum(0.0, before * hidden)
        tempered = after * theta
        model.unpack(tempered)[1][:] = biases
        visible = sweep(model, tempered, visible, rng)
    found = combine(log_weights, "mean")
    return float(found.value), float(found.standard_error)
