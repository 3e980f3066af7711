"""The observed information of a discrete network in its natural parameters, by the missing-information principle.

Natural parameters are phi_ijk = ln(theta_ijk / theta_ij1), one for every entry but the first of its row; the log prior
density in them is sum(lambda ln theta) - ln B(lambda) ([ChickeringHeckerman1997], section 3.1).
"""

import numpy as np

from ockham.datasets.unique_rows import MISSING, UniqueRows
from ockham.models.discrete_network import DiscreteNetwork

__all__ = ["free_entries", "observed_information", "posterior_of_completions"]

CHUNK = 2_000_000
"""Numbers in the largest work array, but for one unique row's."""


def free_entries(network: DiscreteNetwork) -> np.ndarray:
    """The entries that have a natural parameter: all but the first of every row; shape (n_parameters,)."""
    return np.setdiff1d(np.arange(network.n_entries), network.row_starts[:-1])


def observed_information(network: DiscreteNetwork, data: UniqueRows, log_parameters: np.ndarray) -> np.ndarray:
    """Minus the Hessian of ln p(y | phi) + ln p(phi) at given parameters; shape (n_parameters, n_parameters).

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
    theta, rows, free = np.exp(log_parameters), network.rows, free_entries(network)
    entries, posterior = posterior_of_completions(network, data, log_parameters)
    weights = data.counts[:, None] * posterior
    each = np.repeat(weights.ravel(), network.n_variables)
    counts = np.bincount(entries.ravel(), each, minlength=network.n_entries)[: network.n_entries]
    totals = np.bincount(rows, network.prior + counts)[rows]
    information = np.diag(totals * theta)
    same_row = rows[:, None] == rows[None, :]
    information -= np.where(same_row, totals[:, None] * theta[:, None] * theta[None, :], 0.0)
    information = information[np.ix_(free, free)]
    n_hidden = entries.shape[1]
    step = max(1, CHUNK // (n_hidden * network.n_entries))
    for first in range(0, len(entries), step):
        part = slice(first, first + step)
        score = _scores(network, entries[part], theta)[..., free]
        mean = np.einsum("uh,uhe->ue", posterior[part], score)
        flat = score.reshape(-1, len(free))
        information -= flat.T @ (weights[part].reshape(-1, 1) * flat)
        information += mean.T @ (data.counts[part, None] * mean)
    return information


def posterior_of_completions(
    network: DiscreteNetwork, data: UniqueRows, log_parameters: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The entries of every completion, and its probability given its unique row.

    Shapes (n_rows, n_hidden, n_variables), where one after the last entry stands for that of a missing variable, and
    (n_rows, n_hidden).
    """
    entries = _entries(network, data)
    log_joint = np.append(log_parameters, 0.0)[entries].sum(axis=2)
    posterior = np.exp(log_joint - log_joint.max(axis=1, keepdims=True))
    return entries, posterior / posterior.sum(axis=1, keepdims=True)


def _entries(network: DiscreteNetwork, data: UniqueRows) -> np.ndarray:
    """The entry of every variable in every completion of every unique row."""
    data.check_fits(network)
    observed = data.rows @ network.strides[:, list(network.observed)].T
    hidden = network.hidden_configurations @ network.strides[:, list(network.hidden)].T
    entries = np.array(network.offsets[:-1]) + observed[:, None, :] + hidden[None, :, :]
    for column in data.with_missing:
        entries[data.rows[:, column] == MISSING, :, network.observed[column]] = network.n_entries
    return entries


def _scores(network: DiscreteNetwork, entries: np.ndarray, theta: np.ndarray) -> np.ndarray:
    """Derivatives of ln p(x, h | phi) by phi, over all entries; shape (n_rows, n_hidden, n_entries)."""
    n_rows, n_hidden, _ = entries.shape
    counts = np.zeros((n_rows, n_hidden, network.n_entries + 1))
    np.put_along_axis(counts, entries, 1.0, axis=2)
    in_row = np.zeros((n_rows, n_hidden, network.n_rows + 1))
    np.put_along_axis(in_row, np.append(network.rows, network.n_rows)[entries], 1.0, axis=2)
    return counts[..., :-1] - in_row[..., network.rows] * theta
