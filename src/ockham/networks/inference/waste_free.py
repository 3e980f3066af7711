"""Sequential Monte Carlo over growing data for a discrete network, with Gibbs sweeps ([DauChopin2022])."""

from dataclasses import dataclass

import numpy as np

from ockham.estimation import waste_free
from ockham.estimation.memory import check_memory
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import gibbs
from ockham.networks.inference.expectation import check_layout
from ockham.networks.inference.likelihoods import log_likelihoods

__all__ = ["Target", "check", "run_passes"]

N_COPIES = 2
"""Of the particles, old and new, and of the rows, in their order and in another."""


@dataclass(frozen=True, eq=False)
class Target:
    """A network and its distinct rows, in order, shape (n_rows, n_observed); particles are logs of parameters."""

    network: DiscreteNetwork
    distinct: np.ndarray

    def sample_prior(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """As ``waste_free.Target``."""
        return np.array([sample_log(self.network, rng) for _ in range(n)])

    def extend(
        self, rows: np.ndarray, particles: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """As ``waste_free.Target``, by their likelihoods; parameters are the same given any rows."""
        return log_likelihoods(self.network, self._counted(rows), particles), particles

    def sweep(self, rows: np.ndarray, states: np.ndarray, n_sweeps: int, rng: np.random.Generator) -> np.ndarray:
        """As ``waste_free.Target``, by Gibbs sampling."""
        data = self._counted(rows)
        return np.concatenate([gibbs.run(self.network, data, s, rng, n_sweeps, keep=True).draws for s in states])

    def _counted(self, rows: np.ndarray) -> UniqueRows:
        present, counts = np.unique(rows, return_counts=True)
        return UniqueRows(self.distinct[present], counts)


def check(network: DiscreteNetwork, n: int, n_chains: int, n_states: int) -> None:
    """Raise a ModelError when the particles, or n rows, would take more memory than allowed."""
    n_particles, n_observed = n_chains * n_states, len(network.observed)
    check_memory(
        N_COPIES * n_particles * network.n_entries,
        f"{n_particles:,} particles of {network.n_entries:,} parameters",
        "take fewer n_chains or n_states, or fewer values",
    )
    check_memory(N_COPIES * n * n_observed, f"{n:,} rows in an order of their own", "take fewer rows")


def run_passes(
    network: DiscreteNetwork,
    data: UniqueRows,
    rng: np.random.Generator,
    posterior_draw: np.ndarray | None = None,
    *,
    n_passes: int,
    n_chains: int,
    n_states: int,
    least_share: float,
) -> waste_free.Passes:
    """Passes over the rows, as ``waste_free.run_passes``.

    Raises
    ------
    ModelError
        When the particles, or the E step, would take more memory than allowed.
    """
    data.check_fits(network)
    check_layout(network, data)
    check(network, data.n, n_chains, n_states)
    return waste_free.run_passes(
        Target(network, data.rows),
        data.counts,
        rng,
        posterior_draw,
        n_passes=n_passes,
        n_chains=n_chains,
        n_states=n_states,
        least_share=least_share,
    )
