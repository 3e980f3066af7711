"""Cases put into two classes one after another, in NumPy, by evidences of completed rows."""

import numpy as np

__all__ = ["allocate"]


def allocate(model, statistics, order, n_moved, old, logistic):
    """Which of two classes every case goes to, 0 or 1 in the order, and ln p(new) q(old) / (p(old) q(new)), nats.

    Sums are kept of both paths at once, the new one of every chain and after these the old.
    """
    n_chains = len(order)
    paths = np.arange(2 * n_chains)
    cases, items = np.zeros((2 * n_chains, 2)), np.zeros((2 * n_chains, 2, statistics.shape[1]))
    log_evidence, log_path = model.log_marginal_of_class(cases, items), np.zeros(2 * n_chains)
    new = old.copy()
    for k in range(n_moved.max(initial=0)):
        moving = paths[np.tile(k < n_moved, 2)]
        case = statistics[np.tile(order[:, k], 2)]
        with_case = model.log_marginal_of_class(cases + 1, items + case[:, None])
        log_odds = np.subtract(*(with_case - log_evidence).T)  # of the first class
        put = logistic[k] > log_odds[:n_chains]
        new[k < n_moved, k] = put[k < n_moved]
        chosen = np.concatenate([new[:, k], old[:, k]])
        log_path[moving] -= np.logaddexp(0, np.where(chosen == 1, log_odds, -log_odds))[moving]
        at = moving, chosen[moving]
        cases[at] += 1
        items[at] += case[moving]
        log_evidence[at] = with_case[at]
    log_weight = log_evidence.sum(axis=1) - log_path
    return new, log_weight[:n_chains] - log_weight[n_chains:]
