"""A finite mixture as sequential Monte Carlo takes it: particles are log weights and natural parameters, end to end."""

from dataclasses import dataclass

import numpy as np

from ockham.mixtures.finite_mixture import FiniteMixture, Parameters
from ockham.mixtures.inference import gibbs
from ockham.mixtures.inference.design import Design

__all__ = ["Target", "flat"]


@dataclass(frozen=True, eq=False)
class Target:
    """What ``estimation.waste_free`` takes, with the base measures of cells left out."""

    model: FiniteMixture
    design: Design

    def sample_prior(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """As ``waste_free.Target``."""
        return flat(self.model.sample_prior(rng, n))

    def log_likelihoods(self, rows: np.ndarray, particles: np.ndarray) -> np.ndarray:
        """As ``waste_free.Target``."""
        return self.design.part(rows).log_likelihood(_unflat(self.model, particles))

    def sweep(self, rows: np.ndarray, states: np.ndarray, n_sweeps: int, rng: np.random.Generator) -> np.ndarray:
        """As ``waste_free.Target``, by Gibbs sampling of all chains at once."""
        found = np.empty((len(states), n_sweeps, states.shape[1]))
        chains = gibbs.sweeps(self.model, self.design.part(rows), _unflat(self.model, states), rng, n_sweeps)
        for k, sweep in enumerate(chains):
            found[:, k] = flat(sweep.parameters)
        return found.reshape(-1, states.shape[1])


def flat(parameters: Parameters) -> np.ndarray:
    """Log weights, then the natural parameters class by class, shape (..., n_entries)."""
    natural = parameters.natural.reshape(*parameters.log_weights.shape[:-1], -1)
    return np.concatenate([parameters.log_weights, natural], axis=-1)


def _unflat(model: FiniteMixture, entries: np.ndarray) -> Parameters:
    """The inverse of ``flat``."""
    k = model.n_classes
    return Parameters(entries[..., :k], entries[..., k:].reshape(*entries.shape[:-1], k, model.n_statistics))
