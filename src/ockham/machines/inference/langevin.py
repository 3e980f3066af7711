"""Langevin sampling of the parameters of a restricted Boltzmann machine, with gradients by brief Gibbs sampling."""

import numpy as np

from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference.contrastive_divergence import sweep
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, features_given

__all__ = ["BriefGradient", "run"]


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
