"""Graphs from the posterior, and what they say of variables and of pairs of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ockham.contracts import NO_DOUBT, Doubt
from ockham.orders.estimates import arc_intervals, arc_posteriors, arcs_of

__all__ = ["Probabilities", "SampledGraphs", "between_nodes"]


class Probabilities(NamedTuple):
    """Posterior probabilities with the ends of their 95 % intervals.

    Attributes
    ----------
    probability, low, high : ndarray
        Of one shape; of pairs of variables (n_nodes, n_nodes), rows to columns. All are the same where the probability
        is exact, and NaN where it is unknown.
    """

    probability: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @classmethod
    def exact(cls, probability: np.ndarray) -> "Probabilities":
        return cls(probability, probability, probability)

    @classmethod
    def unknown(cls, *shape: int) -> "Probabilities":
        return cls.exact(np.full(shape, np.nan))

    @classmethod
    def sampled(cls, log_weights: np.ndarray, fractions: np.ndarray) -> "Probabilities":
        """By weights (n_samples,) from the fraction of each sample's graphs, (n_samples, rows, columns)."""
        weights, by_sample = log_weights[:, None], fractions[:, None]
        probability = np.minimum(arc_posteriors(weights, by_sample), 1.0)  # rounding may make it more
        return cls(probability, *arc_intervals(weights, by_sample, probability))

    def beside(self, known: np.ndarray) -> "Probabilities":
        """Of what is either this or something else, whose probability is known exactly."""
        return Probabilities(*(np.minimum(known + of, 1.0) for of in self))


def between_nodes(log_weights: np.ndarray, fractions: np.ndarray) -> Probabilities:
    """Of pairs of nodes, (n_nodes, n_nodes), as ``Probabilities.sampled`` has them: no node is related to itself."""
    found = Probabilities.sampled(log_weights, fractions)
    np.fill_diagonal(found.low, 0.0)
    np.fill_diagonal(found.high, 0.0)
    return found


@dataclass(frozen=True, eq=False)
class SampledGraphs:
    """Weighted graphs from the posterior under one prior; samples are independent, the graphs of one sample are not.

    Attributes
    ----------
    parents : ndarray of uint64, shape (n_samples, n_graphs, n_nodes)
        Mask of the parents of each node, bit u being node u.
    log_weights : ndarray, shape (n_samples,)
        Nats, up to a constant; 0 where graphs are from the exact posterior.
    source : {"exact posterior", "annealing"}
        What they were drawn from.
    doubt : Doubt
        Why nothing can be said by them.
    """

    parents: np.ndarray
    log_weights: np.ndarray
    source: str
    doubt: Doubt = NO_DOUBT

    @property
    def n_nodes(self) -> int:
        return self.parents.shape[-1]

    @property
    def weights(self) -> np.ndarray:
        """Of every graph, which sum to 1; shape (n_samples, n_graphs)."""
        weights = np.exp(self.log_weights - self.log_weights.max())
        shape = self.parents.shape[:2]
        return np.broadcast_to((weights / weights.sum() / shape[1])[:, None], shape)

    @property
    def effective_sample_size(self) -> float:
        """How many independent graphs of equal weight they are worth, at the least."""
        return float(1 / (self.weights.sum(axis=1) ** 2).sum())

    def pairwise(self, related: Callable[[np.ndarray], np.ndarray]) -> Probabilities:
        """How probable it is that nodes are related, by what makes masks of related nodes of masks of parents."""
        if self.doubt:
            return Probabilities.unknown(self.n_nodes, self.n_nodes)
        fractions = np.zeros((len(self.parents), self.n_nodes, self.n_nodes))
        for g in range(self.parents.shape[1]):
            fractions += arcs_of(related(self.parents[:, g]))
        return between_nodes(self.log_weights, fractions / self.parents.shape[1])

    def most_frequent(self, masks: np.ndarray) -> tuple[int, Probabilities]:
        """The most probable mask of those that graphs have, (n_samples, n_graphs), and its probability."""
        values, places = np.unique(masks, return_inverse=True)
        best = values[np.argmax(np.bincount(places.ravel(), weights=self.weights.ravel()))]
        fractions = (masks == best).mean(axis=1)[:, None, None]
        return int(best), Probabilities(*(of[0, 0] for of in Probabilities.sampled(self.log_weights, fractions)))
