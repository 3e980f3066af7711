"""A distribution of the parameters of a discrete network that is fitted to draws of one copy of its posterior."""

from dataclasses import dataclass, replace

import numpy as np

from ockham.estimation.beta_copula import BetaCopula
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.labelling import Labelling
from ockham.networks.inference.likelihoods import log_joints
from ockham.networks.inference.relabellings import Relabellings

__all__ = ["Proposal", "log_ratios"]

MOST_COMPONENTS, DRAWS_A_DIMENSION = 4, 10
"""Of a mixture, and draws for each component and dimension. 16 components made errors hardly smaller than 4."""


@dataclass(frozen=True, eq=False)
class Proposal:
    """A copula with Beta margins, fitted to relabelled draws.

    Attributes
    ----------
    labelling : Labelling
        That of the draws' mean.
    copula : BetaCopula
    """

    labelling: Labelling
    copula: BetaCopula

    @classmethod
    def fit(cls, network: DiscreteNetwork, same: Relabellings, draws: np.ndarray, n_components: int = 1) -> "Proposal":
        """That of draws, logs of shape (n_draws, n_entries); a mixture, where it has several components."""
        labelling = Labelling.of(same, draws)
        return cls(labelling, BetaCopula.fit(network.row_starts, labelling.apply(draws)[0], n_components))

    @classmethod
    def fit_mixture(cls, network: DiscreteNetwork, same: Relabellings, draws: np.ndarray) -> "Proposal":
        """That of draws, as a mixture of as many components as they allow."""
        most = len(draws) // (DRAWS_A_DIMENSION * network.n_parameters)
        return cls.fit(network, same, draws, min(MOST_COMPONENTS, max(1, most)))

    @property
    def n_fractions(self) -> int:
        """Normal variates that it takes."""
        return len(self.copula.mean)

    def draw(self, rng: np.random.Generator, n_draws: int) -> np.ndarray:
        """Those of so many draws that are nearest to the reference as they are, logs of shape (n, n_entries)."""
        drawn = self.copula.draw(rng, n_draws)
        nearest: np.ndarray = drawn[self.labelling.apply(drawn)[1]]
        return nearest

    def relabelled(self, log_parameters: np.ndarray) -> np.ndarray:
        """In its labelling, shape (n_draws, n_entries)."""
        return self.labelling.apply(log_parameters)[0]

    def log_density_of_relabelled(self, log_parameters: np.ndarray) -> np.ndarray:
        """Of the copula at parameters in its labelling, nats, shape (n_draws,)."""
        return self.copula.log_density(log_parameters)

    def widened(self) -> "Proposal":
        """Wider in all directions, by so much that its divergence from the fit is about a nat.

        What a reference of sequential Monte Carlo lacks in its tails is not found; what it has too much costs little.
        """
        return replace(self, copula=self.copula.widened(1 + self.n_fractions**-0.5))

    def log_ratios(self, network: DiscreteNetwork, data: UniqueRows, normals: np.ndarray) -> np.ndarray:
        """ln p(y, theta) - ln q(theta), nats, at what normal variates of shape (n_draws, n_fractions) are carried to.

        -inf where another relabelling of theta is nearer to the reference.
        """
        log_parameters, own = self.copula.at(normals)
        return log_ratios(network, data, log_parameters, own, self.labelling.apply(log_parameters)[1])

    def normals(self, log_parameters: np.ndarray) -> np.ndarray:
        """That are carried to the relabelled parameters, shape (n_draws, n_fractions)."""
        return self.copula.normals(self.labelling.apply(log_parameters)[0])

    def log_density(self, log_parameters: np.ndarray) -> np.ndarray:
        """Of the copula at the relabelled parameters, nats, shape (n_draws,)."""
        return self.copula.log_density(self.relabelled(log_parameters))


def log_ratios(
    network: DiscreteNetwork, data: UniqueRows, log_parameters: np.ndarray, own: np.ndarray, inside: np.ndarray
) -> np.ndarray:
    """ln p(y, theta) minus the own log density, nats, shape (n_draws,); -inf outside."""
    found = np.full(len(own), -np.inf)
    if inside.any():
        found[inside] = log_joints(network, data, log_parameters[inside]) - own[inside]
    return found
