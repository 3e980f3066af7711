"""The observed information of a mixture in the bases of its items, by the missing-information principle ([Louis1982]).

Coordinates are those of the weights, ln(pi_k / pi_0), then those of the items, class by class.
"""

import numpy as np

from ockham.estimation.memory import check_memory
from ockham.mixtures import dirichlet_basis
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference.design import Design

__all__ = ["check_information", "observed_information"]

N_COPIES = 3
"""Of the scores of rows, and of the information."""


def check_information(model: FiniteMixture, design: Design) -> None:
    """Raise a ModelError when the information would take more memory than allowed."""
    n_rows, n_parameters = len(design.counts), model.n_parameters
    check_memory(
        N_COPIES * n_parameters * (2 * n_rows + n_parameters),
        f"the information of {n_parameters:,} parameters over {n_rows:,} distinct rows",
        "take fewer rows, items or classes, or another score",
    )


def observed_information(model: FiniteMixture, design: Design, parameters: Parameters) -> np.ndarray:
    """Minus the Hessian of the log likelihood and the log prior density, shape (n_parameters, n_parameters).

    Notes
    -----
    It is the expected information of the completed rows and the prior, minus the covariance of the score of a completed
    row over the classes given the row, summed over rows. In class k that score is (e_k - pi, J_k^T t), with the
    statistics t and the derivatives J_k of phi.
    """
    n_classes, first = model.n_classes, model.n_classes - 1
    members = design.members(parameters)
    weighted = members * design.counts
    sums = Sums(weighted.sum(axis=1), weighted @ design.statistics)
    scores, of_items = _scores(model, design, parameters), _of_items(model, parameters, sums)
    n_each = scores.shape[2]
    found = np.zeros((model.n_parameters, model.n_parameters))
    of_weights = np.eye(n_classes)[:, 1:] - np.exp(parameters.log_weights)[1:]  # of a row in each class
    found[:first, :first] = dirichlet_basis.information(parameters.log_weights, model.weights_prior + sums.cases)
    found[:first, :first] -= np.einsum("k,ki,kj->ij", sums.cases, of_weights, of_weights)
    means = np.empty((len(design.counts), model.n_parameters))
    means[:, :first] = members.T @ of_weights
    for k in range(n_classes):
        at = slice(first + k * n_each, first + (k + 1) * n_each)
        of_rows = weighted[k][:, None] * scores[k]
        found[at, at] = of_items[k] - of_rows.T @ scores[k]
        found[:first, at] = -np.outer(of_weights[k], of_rows.sum(axis=0))
        found[at, :first] = found[:first, at].T
        means[:, at] = members[k][:, None] * scores[k]
    found += means.T @ (design.counts[:, None] * means)
    return found


def _scores(model: FiniteMixture, design: Design, parameters: Parameters) -> np.ndarray:
    """Those of the items of a row in each class, shape (n_classes, n_rows, n_parameters of a class)."""
    parts = [design.statistics[:, at] @ item.jacobian(parameters.natural[:, at]) for item, at in model.slices]
    return np.concatenate(parts, axis=2)


def _of_items(model: FiniteMixture, parameters: Parameters, sums: Sums) -> np.ndarray:
    """The information of completed rows and priors, shape (n_classes, n_parameters of a class, as many)."""
    n_each = sum(item.n_parameters for item in model.items.values())
    found, done = np.zeros((model.n_classes, n_each, n_each)), 0
    for item, at in model.slices:
        into = slice(done, done + item.n_parameters)
        found[:, into, into] = item.information(parameters.natural[:, at], sums.items[:, at])
        done += item.n_parameters
    return found
