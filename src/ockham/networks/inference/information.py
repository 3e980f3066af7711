"""The observed information of a discrete network in its natural parameters, by the missing-information principle.

Natural parameters are phi_ijk = ln(theta_ijk / theta_ij1), one for every entry but the first of its row; the log prior
density in them is sum(lambda ln theta) - ln B(lambda) ([ChickeringHeckerman1997], section 3.1).
"""

from collections.abc import Iterator
from math import prod
from typing import NamedTuple

import numpy as np

from ockham.estimation.memory import check_memory
from ockham.networks.data.unique_rows import MISSING, UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.missing_cells import expand, n_fillings, to_fill

__all__ = ["Completions", "ObservedInformation", "check_completions", "check_rows", "completions", "free_entries"]

CHUNK = 2_000_000
"""Numbers in the largest work array, but for one unique row's."""
N_COPIES = 3
"""Numbers of each variable in a completion."""


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
        self._completions = completions(network, data, log_parameters)
        self._counts = data.counts
        counts = np.zeros(network.n_entries)
        for rows, entries, posterior in self._completions:
            each = np.repeat((data.counts[rows, None] * posterior).ravel(), network.n_variables)
            counts += np.bincount(entries.ravel(), each, minlength=network.n_entries)[: network.n_entries]
        self._totals = np.bincount(network.rows, network.prior + counts)[network.rows]
        free = free_entries(network)
        owner = np.searchsorted(network.offsets, free, side="right") - 1
        self._free = [free[owner == i] for i in range(network.n_variables)]

    def whole(self) -> np.ndarray:
        """Over all natural parameters, shape (n_parameters, n_parameters)."""
        return self._among(range(self._network.n_variables))

    def blocks(self) -> list[np.ndarray]:
        """Over the parameters of each variable, without those between two variables."""
        blocks = []
        for i, free in enumerate(self._free):
            theta, total, row = self._theta[free], self._totals[free], self._network.rows[free]
            block = np.diag(total * theta) - np.where(row[:, None] == row, (total * theta)[:, None] * theta, 0.0)
            for counts, used, visited in self._expected(i):
                mean, used, visited = used - visited * theta, counts @ used, counts @ visited
                within = theta[:, None] * (visited * theta - used) - used[:, None] * theta
                block += mean.T @ (counts[:, None] * mean) - np.diag(used) - np.where(row[:, None] == row, within, 0.0)
            blocks.append(block)
        return blocks

    def diagonal(self) -> np.ndarray:
        """Of each parameter with itself, shape (n_parameters,)."""
        parts = []
        for i, free in enumerate(self._free):
            theta = self._theta[free]
            part = self._totals[free] * theta * (1 - theta)
            for counts, used, visited in self._expected(i):
                part += counts @ ((used - visited * theta) ** 2 - used * (1 - 2 * theta) - visited * theta**2)
            parts.append(part)
        return np.concatenate(parts)

    def _among(self, variables) -> np.ndarray:
        free = np.concatenate([self._free[i] for i in variables])
        theta, row = self._theta[free], self._network.rows[free]
        information = np.diag(self._totals[free] * theta)
        information -= np.where(row[:, None] == row, (self._totals[free] * theta)[:, None] * theta, 0.0)
        for rows, entries, posterior in self._parts(len(free)):
            score = np.concatenate([self._scores(i, entries) for i in variables], axis=2)
            mean = np.einsum("uh,uhe->ue", posterior, score)
            flat = score.reshape(-1, len(free))
            weights = self._counts[rows, None] * posterior
            information -= flat.T @ (weights.reshape(-1, 1) * flat)
            information += mean.T @ (self._counts[rows, None] * mean)
        return information

    def _expected(self, variable: int) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """How often unique rows occur, and the probabilities that their completions use each entry and its row.

        In parts; over (n_rows,), and over (n_rows, n_free) twice. All moments of the score of one variable follow from
        these, for a completion uses one row of it.
        """
        first, last = self._network.offsets[variable : variable + 2]
        starts = self._network.row_starts[:-1]
        starts, free = starts[(starts >= first) & (starts < last)], self._free[variable]
        width, row = last - first + 1, np.searchsorted(starts, free, side="right") - 1
        for rows, entries, posterior in self._parts(len(free)):
            place = np.minimum(entries[:, :, variable] - first, width - 1) + width * np.arange(len(rows))[:, None]
            used = np.bincount(place.ravel(), posterior.ravel(), minlength=width * len(rows)).reshape(-1, width)
            visited = np.add.reduceat(used[:, :-1], starts - first, axis=1)
            yield self._counts[rows], used[:, free - first], visited[:, row]

    def _parts(self, n_free: int) -> Iterator["Completions"]:
        """The completions in parts whose scores are not too large at once."""
        for rows, entries, posterior in self._completions:
            step = max(1, CHUNK // (posterior.shape[1] * n_free))
            for first in range(0, len(rows), step):
                part = slice(first, first + step)
                yield Completions(rows[part], entries[part], posterior[part])

    def _scores(self, variable: int, entries: np.ndarray) -> np.ndarray:
        """Derivatives of ln p(x, h | phi) by the parameters of a variable; shape (n_rows, n_completions, n_free)."""
        free, entries = self._free[variable], entries[:, :, variable, None]
        in_row = np.append(self._network.rows, self._network.n_rows)[entries] == self._network.rows[free]
        return (entries == free) - in_row * self._theta[free]


class Completions(NamedTuple):
    """All ways to complete some unique rows, as many for each, in hidden variables and missing cells.

    Attributes
    ----------
    rows : ndarray of int64, shape (n_rows,)
        Their indices.
    entries : ndarray of int64, shape (n_rows, n_completions, n_variables)
        The entry of every variable; ``n_entries`` for one whose cell is left out. Missing cells vary slower than hidden
        variables.
    posterior : ndarray, shape (n_rows, n_completions)
        Probability of each completion given its row.
    """

    rows: np.ndarray
    entries: np.ndarray
    posterior: np.ndarray


def completions(network: DiscreteNetwork, data: UniqueRows, log_parameters: np.ndarray) -> list[Completions]:
    """Those of the unique rows that have a value, together where there are as many."""
    data.check_fits(network)
    free, number = to_fill(network, data), n_fillings(network, data)
    cardinalities = [network.cardinalities[i] for i in network.observed]
    found = []
    for n in np.unique(number):
        rows = np.flatnonzero((number == n) & data.known)
        if not len(rows):
            continue
        filled, _ = expand(data.rows[rows], free[rows], cardinalities)
        entries = _entries(network, filled).reshape(len(rows), -1, network.n_variables)
        log_joint = np.append(log_parameters, 0.0)[entries].sum(axis=2)
        posterior = np.exp(log_joint - log_joint.max(axis=1, keepdims=True))
        found.append(Completions(rows, entries, posterior / posterior.sum(axis=1, keepdims=True)))
    return found


def _entries(network: DiscreteNetwork, rows: np.ndarray) -> np.ndarray:
    """The entry of every variable at every hidden configuration of rows that are filled in."""
    observed = rows @ network.strides[:, list(network.observed)].T
    hidden = network.hidden_configurations @ network.strides[:, list(network.hidden)].T
    entries = np.array(network.offsets[:-1]) + observed[:, None, :] + hidden[None, :, :]
    for column, i in enumerate(network.observed):
        entries[rows[:, column] == MISSING, :, i] = network.n_entries
    return entries


def check_completions(network: DiscreteNetwork, data: UniqueRows) -> None:
    """Raise a ModelError when the completions would take more memory than allowed."""
    ways = n_fillings(network, data) * network.n_hidden_configurations
    _check_ways(network, len(data.rows), float(ways.sum()), float(ways.max()))


def check_rows(network: DiscreteNetwork, n: int) -> None:
    """The same for n rows, before they are known: all different, as far as the network allows, and complete."""
    n_rows = min(n, prod(float(network.cardinalities[i]) for i in network.observed))
    _check_ways(network, n_rows, n_rows * network.n_hidden_configurations, network.n_hidden_configurations)


def _check_ways(network: DiscreteNetwork, n_rows: float, n_ways: float, most_ways: float) -> None:
    check_memory(
        N_COPIES * n_ways * network.n_variables,
        f"the information of {n_rows:,.0f} distinct rows, with up to {most_ways:,.0f} ways to complete one",
        "take fewer hidden variables or values, fewer rows or missing cells, or another score",
    )
