"""A mixture of normal distributions that is fitted to points by EM ([Day1969])."""

from dataclasses import dataclass

import numpy as np

from ockham.estimation.covariances import shrunk_covariance

__all__ = ["NormalMixture"]

N_ITERATIONS = 10
MOST_POINTS = 4000
"""That it is fitted to; more are thinned."""


@dataclass(frozen=True, eq=False)
class NormalMixture:
    """The distribution.

    Attributes
    ----------
    log_weights : ndarray, shape (n_components,)
    means : ndarray, shape (n_components, n_dimensions)
    factors : ndarray, shape (n_components, n_dimensions, n_dimensions)
        Lower triangles of Cholesky of the covariances.
    """

    log_weights: np.ndarray
    means: np.ndarray
    factors: np.ndarray

    @classmethod
    def fit(cls, points: np.ndarray, n_components: int) -> "NormalMixture":
        """That of points, shape (n_points, n_dimensions); begun at equal shares along their longest axis."""
        points = points[:: -(-len(points) // MOST_POINTS)]
        around = points - points.mean(axis=0)
        along = around @ np.linalg.eigh(around.T @ around)[1][:, -1]
        first = np.empty(len(points), dtype=np.int64)
        first[along.argsort()] = np.arange(len(points)) * n_components // len(points)
        shares = (first[:, None] == np.arange(n_components)).astype(np.float64)
        for _ in range(N_ITERATIONS):
            mixture = cls._weighted(points, shares)
            by_component = mixture._by_component(points)
            shares = np.exp(by_component - np.logaddexp.reduce(by_component, axis=1, keepdims=True))
        return mixture

    @classmethod
    def _weighted(cls, points: np.ndarray, shares: np.ndarray) -> "NormalMixture":
        """The M step; covariances are shrunk, and a component with less than a point is left out."""
        shares = shares[:, shares.sum(axis=0) >= 1]
        sizes = shares.sum(axis=0)
        means = shares.T @ points / sizes[:, None]
        covariances = [shrunk_covariance(points - mean, own)[0] for mean, own in zip(means, shares.T, strict=True)]
        return cls(np.log(sizes / len(points)), means, np.linalg.cholesky(covariances))

    def log_density(self, points: np.ndarray) -> np.ndarray:
        """Nats, shape (n_points,)."""
        found: np.ndarray = np.logaddexp.reduce(self._by_component(points), axis=1)
        return found

    def _by_component(self, points: np.ndarray) -> np.ndarray:
        """Log densities times weights, shape (n_points, n_components)."""
        found = np.empty((len(points), len(self.means)))
        constant = 0.5 * points.shape[1] * np.log(2 * np.pi)
        for k, (mean, factor) in enumerate(zip(self.means, self.factors, strict=True)):
            normals = np.linalg.inv(factor) @ (points - mean).T
            found[:, k] = -0.5 * (normals**2).sum(axis=0) - np.log(np.diag(factor)).sum() - constant
        return found + self.log_weights

    def draw(self, rng: np.random.Generator, n_points: int) -> np.ndarray:
        """Independent points, shape (n_points, n_dimensions)."""
        weights = np.exp(self.log_weights)
        component = rng.choice(len(weights), n_points, p=weights / weights.sum())
        points = rng.standard_normal((n_points, self.means.shape[1]))
        for k, (mean, factor) in enumerate(zip(self.means, self.factors, strict=True)):
            points[component == k] = mean + points[component == k] @ factor.T
        return points
