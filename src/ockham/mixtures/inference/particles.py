"""A finite mixture as sequential Monte Carlo takes it: a particle is a completion of the rows so far, by its sums.

Parameters are integrated out, so the weight of a row is its predictive probability, and a class without any row costs
nothing: from the prior, hardly any draw of its parameters would be near the first row in it ([KongEtAl1994]).
"""

from dataclasses import dataclass

import numpy as np

from ockham.estimation.posterior_parts import share_unseen
from ockham.estimation.waste_free import Unseen
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference import modes
from ockham.mixtures.inference.design import Design
from ockham.streams import Stream

__all__ = ["Target"]


@dataclass(frozen=True, eq=False)
class Target:
    """What ``estimation.waste_free`` takes, with the base measures of cells left out.

    Particles are the cases of every class, then the sums of the items class by class.
    """

    model: FiniteMixture
    design: Design

    def sample_prior(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """As ``waste_free.Target``: completions of no row."""
        return np.zeros((n, self.model.n_classes * (1 + self.model.n_statistics)))

    def extend(
        self, rows: np.ndarray, particles: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """As ``waste_free.Target``: every row has a weight, and then a class."""
        model, each = self.model, np.arange(len(particles))
        sums = self._sums(particles.copy())
        log_weights = np.zeros(len(particles))
        of_classes = model.log_marginal_of_class(*sums)
        for row in rows:
            n = sums.cases.sum(axis=-1)
            with_row = model.log_marginal_of_class(sums.cases + 1, sums.items + self.design.statistics[row])
            log_joint = with_row - of_classes + model.log_marginal_of_weights(n + 1)[:, None]
            log_joint -= model.log_marginal_of_weights(n)[:, None]
            log_predictive = np.logaddexp.reduce(log_joint, axis=-1)
            below = np.cumsum(np.exp(log_joint[:, :-1] - log_predictive[:, None]), axis=-1)
            chosen = (rng.random(len(particles))[:, None] > below).sum(axis=-1)
            log_weights += log_predictive
            sums.cases[each, chosen] += 1
            sums.items[each, chosen] += self.design.statistics[row]
            of_classes[each, chosen] = with_row[each, chosen]
        return log_weights, _flat(sums)

    def sweep(self, rows: np.ndarray, states: np.ndarray, n_sweeps: int, rng: np.random.Generator) -> np.ndarray:
        """As ``waste_free.Target``, by Gibbs sampling of all chains at once."""
        design, sums = self.design.part(rows), self._sums(states)
        found = np.empty((len(states), n_sweeps, states.shape[1]))
        for k in range(n_sweeps):
            sums = design.complete(self.model.sample(sums, rng), rng)
            found[:, k] = _flat(sums)
        return found.reshape(-1, states.shape[1])

    def unseen(self, seen: np.ndarray, stream: Stream, n_starts: int) -> Unseen:
        """What particles of passes, shape (n_passes, n_seen, n_entries), have not seen.

        Of the modes that variational EM finds from so many starts. A completion is as far from a mode as rows have
        other classes by its parameters at their mode.
        """
        search = modes.find(self.model, self.design, stream, n_starts, 1)
        of_modes = [self.design.members(Parameters(*own)) for own in zip(*search.parameters, strict=True)]
        distances = np.empty((len(of_modes), len(np.concatenate(seen))))
        for k, sums in enumerate(np.concatenate(seen)):
            members = self.design.members(self.model.mode(self._sums(sums)))
            distances[:, k] = [modes.moved(own, members, self.design.counts) for own in of_modes]
        bound = float(search.bounds[0]) + self.design.log_base
        return Unseen(share_unseen(search.shares, distances), bound, search.n_passes)

    def _sums(self, particles: np.ndarray) -> Sums:
        k = self.model.n_classes
        return Sums(particles[..., :k], particles[..., k:].reshape(*particles.shape[:-1], k, self.model.n_statistics))


def _flat(sums: Sums) -> np.ndarray:
    return np.concatenate([sums.cases, sums.items.reshape(len(sums.cases), -1)], axis=1)
