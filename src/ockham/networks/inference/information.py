"""The observed information of a discrete network in its natural parameters, by the missing-information principle.

Natural parameters are phi_ijk = ln(theta_ijk / theta_ij1), one for every entry but the first of its row; the log prior
density in them is sum(lambda ln theta) - ln B(lambda) ([ChickeringHeckerman1997], section 3.1).
"""

from collections.abc import Iterator

import numpy as np

from ockham.networks.data.unique_rows import MISSING, UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork

__all__ = ["ObservedInformation", "free_entries", "posterior_of_completions", "posteriors_by_row"]

CHUNK = 2_000_000
"""Numbers in the largest work array, but for one unique row's."""


def free_entries(network: DiscreteNetwork) -> np.ndarray:
    """The entries that have a natural parameter: all but the first of every row; shape (n_parameters,)."""
    return np.setdiff1d(np.arange(network.n_entries), network.row_starts[:-1])


class ObservedInformation:
    """Minus the Hessian of ln p(y | phi) + ln p(phi) at given parameters, as a whole or in part.

    Parameters
    ----------
    network : DiscreteNetwork
    data : UniqueRows
    log_parameters : ndarray, shape (n_entries,)
        ln theta, finite.

    Notes
    -----
    With s(x, h) the score of one completed row, N - n_row theta over the entries, it is the expected information of the
    completed data and the prior, (N_j + lambda_j) (diag(theta) - theta theta^T) in row j, minus the covariance of the
    score over p(h | x, theta), summed over the data: [Louis1982], for these networks [Thiesson1997].
    """

    def __init__(self, network: DiscreteNetwork, data: UniqueRows, log_parameters: np.ndarray) -> None:
        self._network, self._theta = network, np.exp(log_parameters)
        self._entries, self._posterior = posterior_of_completions(network, data, log_parameters)
        self._counts = data.counts
        each = np.repeat((data.counts[:, None] * self._posterior).ravel(), network.n_variables)
        counts = np.bincount(self._entries.ravel(), each, minlength=network.n_entries)[: network.n_entries]
        self._totals = np.bincount(network.rows, network.prior + counts)[network.rows]
        free = free_entries(network)
        owner = np.searchsorted(network.offsets, free, side="right") - 1
        self._free = [free[owner == i] for i in range(network.n_variables)]

    def whole(self) -> np.ndarray:
        """Over all natural parameters, shape (n_parameters, n_parameters)."""
        return self._among(range(self._network.n_variables))

    def blocks(self) -> list[np.ndarray]:
        """Over the parameters of each variable, without those between two variables."""
        return [self._among([i]) for i in range(self._network.n_variables)]

    def diagonal(self) -> np.ndarray:
        """Of each parameter with itself, shape (n_parameters,)."""
        parts = []
        for i, free in enumerate(self._free):
            theta = self._theta[free]
            information = self._totals[free] * theta * (1 - theta)
            for rows in self._parts(len(free)):
                score = self._scores(i, rows)
                weights = self._posterior[rows, :, None]
                spread = (weights * score**2).sum(axis=1) - (weights * score).sum(axis=1) ** 2
                information -= self._counts[rows] @ spread
            parts.append(information)
        return np.concatenate(parts)

    def _among(self, variables) -> np.ndarray:
        free = np.concatenate([self._free[i] for i in variables])
        theta, row = self._theta[free], self._network.rows[free]
        information = np.diag(self._totals[free] * theta)
        information -= np.where(row[:, None] == row, (self._totals[free] * theta)[:, None] * theta, 0.0)
        for rows in self._parts(len(free)):
            score = np.concatenate([self._scores(i, rows) for i in variables], axis=2)
            mean = np.einsum("uh,uhe->ue", self._posterior[rows], score)
            flat = score.reshape(-1, len(free))
            weights = self._counts[rows, None] * self._posterior[rows]
            information -= flat.T @ (weights.reshape(-1, 1) * flat)
            information += mean.T @ (self._counts[rows, None] * mean)
        return information

    def _parts(self, n_free: int) -> list[slice]:
        """The unique rows in parts whose scores are not too large at once."""
        step = max(1, CHUNK // (self._posterior.shape[1] * n_free))
        return [slice(first, first + step) for first in range(0, len(self._posterior), step)]

    def _scores(self, variable: int, rows: slice) -> np.ndarray:
        """Derivatives of ln p(x, h | phi) by the parameters of a variable; shape (n_rows, n_hidden, their number)."""
        free, entries = self._free[variable], self._entries[rows, :, variable, None]
        in_row = np.append(self._network.rows, self._network.n_rows)[entries] == self._network.rows[free]
        return (entries == free) - in_row * self._theta[free]


def posterior_of_completions(
    network: DiscreteNetwork, data: UniqueRows, log_parameters: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The entries of every completion, and its probability given its unique row.

    Shapes (n_rows, n_hidden, n_variables), where one after the last entry stands for that of a missing variable, and
    (n_rows, n_hidden).
    """
    entries = _entries(network, data)
    return entries, _posterior(entries, log_parameters)[0]


def posteriors_by_row(
    network: DiscreteNetwork, data: UniqueRows, log_parameters: np.ndarray
) -> Iterator[tuple[UniqueRows, np.ndarray, np.ndarray]]:
    """Parts of the unique rows, with p(hidden | row, theta) and ln p(row | theta) of each, nats.

    Shapes (n_rows, n_hidden) and (n_rows,).
    """
    step = max(1, CHUNK // (network.n_hidden_configurations * network.n_variables))
    for first in range(0, len(data.rows), step):
        part = UniqueRows(data.rows[first : first + step], data.counts[first : first + step])
        yield part, *_posterior(_entries(network, part), log_parameters)


def _posterior(entries: np.ndarray, log_parameters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    log_joint = np.append(log_parameters, 0.0)[entries].sum(axis=2)
    largest = log_joint.max(axis=1, keepdims=True)
    weights = np.exp(log_joint - largest)
    totals = weights.sum(axis=1, keepdims=True)
    return weights / totals, (largest + np.log(totals))[:, 0]


def _entries(network: DiscreteNetwork, data: UniqueRows) -> np.ndarray:
    """The entry of every variable in every completion of every unique row."""
    data.check_fits(network)
    observed = data.rows @ network.strides[:, list(network.observed)].T
    hidden = network.hidden_configurations @ network.strides[:, list(network.hidden)].T
    entries = np.array(network.offsets[:-1]) + observed[:, None, :] + hidden[None, :, :]
    for column in data.with_missing:
        entries[data.rows[:, column] == MISSING, :, network.observed[column]] = network.n_entries
    return entries
