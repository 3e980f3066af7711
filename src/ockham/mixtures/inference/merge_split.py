"""Moves that put all cases of two classes anew: sequentially allocated merge-split ([Dahl2003]).

A Gibbs sweep moves one case at a time, each given parameters that were drawn with it in its class, so of few cases it
hardly ever leaves a completion with a class for one of them, or one with all in one class.
"""

import numpy as np

from ockham.kernels import merge_split as kernel
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.layout import conjugates

__all__ = ["move", "sweeps_between"]

MOST_CASES = 64
"""Of more, modes that differ in a few cases matter little, and those that differ in many are hardly ever proposed."""
CASES_A_SWEEP = 10
"""That moves put anew in the mean of sweeps, at the most: what a move takes grows with them."""


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
    new, log_ratio = np.empty_like(old), np.empty(n_chains)
    kernel.run(
        *conjugates(tuple(model.items.values())),
        weights_prior=model.concentration,
        statistics=design.statistics,
        order=order,
        n_moved=n_moved,
        old=old,
        logistic=rng.logistic(size=(n_moved.max(initial=0), n_chains)),
        new=new,
        log_ratio=log_ratio,
        work=np.empty((2, model.n_statistics)),
    )
    accepted = -rng.exponential(size=n_chains) < log_ratio
    changed = accepted[:, None] & (np.arange(n_cases) < n_moved[:, None])
    found = classes.copy()
    ordered = np.where(changed, np.where(new == 1, second, first), np.take_along_axis(classes, order, axis=1))
    np.put_along_axis(found, order, ordered, axis=1)
    return found
