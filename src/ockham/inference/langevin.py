"""Langevin sampling of the parameters of a restricted Boltzmann machine, with gradients by brief Gibbs sampling."""

import numpy as np

from ockham.datasets.binary_rows import BinaryRows
from ockham.models.restricted_boltzmann import RestrictedBoltzmann, sigmoid

__all__ = ["BriefGradient", "run"]


class BriefGradient:
    """The gradient of the log posterior density, for several chains at once, by contrastive divergence.

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
        times = np.minimum(data.counts, n_reconstructions)
        self.rows = np.repeat(data.rows, times, axis=0)
        self.row_weights = np.repeat(data.counts / times, times)

    def __call__(self, thetas: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """One estimate for every chain, nats per unit of the parameter; shape (n_chains, n_parameters)."""
        n_weights = self.model.n_visible * self.model.n_hidden
        weights = thetas[:, :n_weights].reshape(-1, self.model.n_visible, self.model.n_hidden)
        visible = thetas[:, None, n_weights : n_weights + self.model.n_visible]
        hidden = thetas[:, None, n_weights + self.model.n_visible :]
        active = sigmoid(self.rows @ weights + hidden)
        states = (rng.random(active.shape) < active).astype(np.float64)
        back = sigmoid(states @ weights.transpose(0, 2, 1) + visible)
        rows = (rng.random(back.shape) < back).astype(np.float64)
        again = sigmoid(rows @ weights + hidden)
        active *= self.row_weights[:, None]
        again *= self.row_weights[:, None]
        change = self.rows.T @ active - rows.transpose(0, 2, 1) @ again
        return np.concatenate(
            [
                change.reshape(len(thetas), -1),
                self.row_weights @ self.rows - self.row_weights @ rows,
                active.sum(axis=1) - again.sum(axis=1),
            ],
            axis=1,
        ) - thetas / (self.model.deviation**2)


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
    thetas, draws = start.copy(), np.empty((len(start), n_draws, start.shape[1]))
    for t in range(-n_burn_in, n_draws * interval):
        thetas += 0.5 * step_size**2 * gradient(thetas, rng) + step_size * rng.standard_normal(thetas.shape)
        if t >= 0 and (t + 1) % interval == 0:
            draws[:, t // interval] = thetas
    return draws
