"""What items have whose natural parameters are logs of probabilities with a Dirichlet prior."""

from abc import abstractmethod

import numpy as np

from ockham.mixtures import dirichlet, dirichlet_basis
from ockham.mixtures.items.item import Item

__all__ = ["DirichletItem"]


class DirichletItem(Item):
    """Statistics are counts, and the prior's density is in the softmax basis, in which its mode is the mean."""

    @property
    @abstractmethod
    def prior(self) -> np.ndarray:
        """Hyperparameters, shape (n_statistics,)."""

    @property
    def smallest_hyperparameter(self) -> float:
        return float(self.prior.min())

    def log_marginal(self, sums: np.ndarray) -> np.ndarray:
        return dirichlet.log_marginal(self.prior, sums)

    def mode(self, sums: np.ndarray) -> np.ndarray:
        return dirichlet.mode(self.prior, sums)

    def log_prior(self, natural: np.ndarray) -> np.ndarray:
        return dirichlet.log_density(self.prior, natural)

    def jacobian(self, natural: np.ndarray) -> np.ndarray:
        return dirichlet_basis.jacobian(natural)

    def information(self, natural: np.ndarray, sums: np.ndarray) -> np.ndarray:
        return dirichlet_basis.information(natural, self.prior + sums)

    def sample(self, sums: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return dirichlet.sample(self.prior, sums, rng)
