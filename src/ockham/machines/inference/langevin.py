"""Langevin sampling of the parameters of a restricted Boltzmann machine, with gradients by brief Gibbs sampling."""

from math import asin, exp, inf, sin, sqrt, tan

import numpy as np

from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference.contrastive_divergence import sweep
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, features_given

__all__ = ["BriefGradient", "independent_scale_reduction", "run"]

MEAN_OF_TRACY_WIDOM = -1.2065
"""Of its law for real matrices."""


class BriefGradient:
    """The gradient of the log posterior density by contrastive divergence.

    Parameters
    ----------
    model : RestrictedBoltzmann
    data : BinaryRows
    n_reconstructions : int
        A row that occurs more often is reconstructed this often, and its reconstructions count for more, so that the
        cost stops growing with the number of rows.

    Notes
    -----
    The features' means under the model are taken after one sweep of Gibbs sampling from the data
    ([MurrayGhahramani2004]; [ChenWelling2013], section 4), so the gradient is biased.
    """

    def __init__(self, model: RestrictedBoltzmann, data: BinaryRows, n_reconstructions: int) -> None:
        self.model = model
        self.data = data
        times = np.minimum(data.counts, n_reconstructions)
        self.rows = np.repeat(data.rows, times, axis=0)
        self.row_weights = np.repeat(data.counts / times, times)

    def __call__(self, theta: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """One estimate, nats per unit of the parameter; shape (n_parameters,)."""
        reconstructed = sweep(self.model, theta, self.rows, rng)
        features = features_given(self.model, theta, self.data.rows, self.data.counts)
        features -= features_given(self.model, theta, reconstructed, self.row_weights)
        return features - theta / self.model.deviation**2


def run(
    gradient: BriefGradient,
    start: np.ndarray,
    rng: np.random.Generator,
    *,
    step_size: float,
    n_burn_in: int,
    n_draws: int,
    interval: int,
) -> np.ndarray:
    """Draws of every chain, ``interval`` steps apart, shape (n_chains, n_draws, n_parameters).

    A step adds step_size^2 / 2 times the gradient and step_size times standard Gaussian noise, and is not followed by a
    test: that would take ratios of partition functions. ``start`` has shape (n_chains, n_parameters).
    """
    draws = np.empty((len(start), n_draws, start.shape[1]))
    for chain, theta in enumerate(start):
        for t in range(-n_burn_in, n_draws * interval):
            noise = rng.standard_normal(len(theta))
            theta = theta + 0.5 * step_size**2 * gradient(theta, rng) + step_size * noise
            if t >= 0 and (t + 1) % interval == 0:
                draws[chain, t // interval] = theta
    return draws


def independent_scale_reduction(n_chains: int, n_draws: int, n_parameters: int) -> float:
    """The multivariate potential scale reduction factor that independent Gaussian draws have, about.

    With many parameters it is far above 1, for of so many directions one is found in which the means of chains differ:
    ten chains of 500 draws of 1009 parameters have 1.36. inf where all draws do not span the parameters.

    Notes
    -----
    The largest root of the matrix that ``multivariate_scale_reduction`` takes, by its mean to second order
    ([Johnstone2008], theorem 1). With ten chains and more it is within .01 of what simulations have on average, and
    with two within .05.
    """
    within, between = n_chains * (n_draws - 1), n_chains - 1
    if within <= n_parameters:
        return inf
    total = within + between - 1
    gamma, phi = (2 * asin(sqrt((size - 0.5) / total)) for size in sorted((n_parameters, between)))
    spread = (16 / (total * sin(phi + gamma)) ** 2 / (sin(phi) * sin(gamma))) ** (1 / 3)
    root = tan((phi + gamma) / 2) ** 2 * exp(MEAN_OF_TRACY_WIDOM * spread)
    return (n_draws - 1) / n_draws + (n_chains + 1) / n_chains * root * within / (between * n_draws)
