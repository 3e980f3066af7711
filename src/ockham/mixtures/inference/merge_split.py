"""Moves that put all cases of two classes anew: sequentially allocated merge-split ([Dahl2003]).

A Gibbs sweep moves one case at a time, each given parameters that were drawn with it in its class, so of few cases it
hardly ever leaves a completion with a class for one of them, or one with all in one class.
"""

import numpy as np

from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference.design import Design

__all__ = ["move", "sweeps_between"]

MOST_CASES = 64
"""Of more, modes that differ in a few cases matter little, and those that differ in many are hardly ever proposed."""
CASES_A_SWEEP = 10
"""That moves put anew in the mean of sweeps, for they take longer than sweeps do."""


def sweeps_between(model: FiniteMixture, design: Design) -> int:
    """After how many Gibbs sweeps there is a move; 0 where there is none."""
    n_cases = design.counts.sum()
    return 0 if model.n_classes == 1 or n_cases > MOST_CASES else int(np.ceil(n_cases / CASES_A_SWEEP))


def move(model: FiniteMixture, design: Design, classes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The classes of all cases after a Metropolis-Hastings step for each chain, which leaves their posterior as it is.

    Parameters
    ----------
    design : Design
        With one row a case.
    classes : ndarray of int64, shape (n_chains, n_cases)

    Notes
    -----
    Two labels and an order of the cases are drawn, whatever the classes are. The cases of the two classes are put into
    either in this order, with the probabilities that those before give. The same order shows how probable this was for
    the classes as they were, so the step can be taken back: it is accepted with probability
    min(1, p(new) q(old) / (p(old) q(new))), where p is the evidence of the completed rows.
    """
    n_chains, n_cases = classes.shape
    first = rng.integers(model.n_classes, size=(n_chains, 1))
    second = (first + rng.integers(1, model.n_classes, size=(n_chains, 1))) % model.n_classes
    moved = (classes == first) | (classes == second)
    order = np.argsort(np.where(moved, rng.random(classes.shape), np.inf), axis=1)  # those that move before all others
    n_moved = moved.sum(axis=1)
    old = (np.take_along_axis(classes, order, axis=1) == second).astype(np.int64)
    new, log_ratio = _allocate(model, design.statistics, order, n_moved, old, rng)
    accepted = -rng.exponential(size=n_chains) < log_ratio
    changed = accepted[:, None] & (np.arange(n_cases) < n_moved[:, None])
    found = classes.copy()
    ordered = np.where(changed, np.where(new == 1, second, first), np.take_along_axis(classes, order, axis=1))
    np.put_along_axis(found, order, ordered, axis=1)
    return found


def _allocate(
    model: FiniteMixture,
    statistics: np.ndarray,
    order: np.ndarray,
    n_moved: np.ndarray,
    old: np.ndarray,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Which of two classes every case goes to, 0 or 1 in the order, and ln p(new) q(old) / (p(old) q(new)), nats.

    Sums are kept of both paths at once, the new one of every chain and after these the old.
    """
    n_chains = len(order)
    paths = np.arange(2 * n_chains)
    cases, items = np.zeros((2 * n_chains, 2)), np.zeros((2 * n_chains, 2, statistics.shape[1]))
    log_evidence, log_path = model.log_marginal_of_class(cases, items), np.zeros(2 * n_chains)
    new = old.copy()
    for k in range(n_moved.max()):
        moving = paths[np.tile(k < n_moved, 2)]
        case = statistics[np.tile(order[:, k], 2)]
        with_case = model.log_marginal_of_class(cases + 1, items + case[:, None])
        log_odds = np.subtract(*(with_case - log_evidence).T)  # of the first class
        new[:, k] = rng.logistic(size=n_chains) > log_odds[:n_chains]
        chosen = np.concatenate([new[:, k], old[:, k]])
        log_path[moving] -= np.logaddexp(0, np.where(chosen == 1, log_odds, -log_odds))[moving]
        at = moving, chosen[moving]
        cases[at] += 1
        items[at] += case[moving]
        log_evidence[at] = with_case[at]
    log_weight = log_evidence.sum(axis=1) - log_path
    return new, log_weight[:n_chains] - log_weight[n_chains:]
