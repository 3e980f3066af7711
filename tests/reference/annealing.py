"""Slow twin of annealed importance sampling over parameters: section 3.6 of Beal & Ghahramani (2006) read literally.

It draws what the kernel draws, in its order, from NumPy's own generator, so that both give the same weight. Densities
are scipy's or written out in logs. ``proposal_ratio=False`` is the mutant that forgets the proposal in eq. (67).
"""

import numpy as np
from reference.network import log_likelihood, rows_of_cells
from scipy.special import gammaln

__all__ = ["anneal", "draw_log_dirichlet"]


def draw_log_dirichlet(rng, rows, shape):
    """One draw of every row, in logs: Gamma(a) is Gamma(a + 1) U ** (1 / a) where a < 1."""
    logs = np.log([rng.standard_gamma(a if a >= 1 else a + 1) for a in shape])
    for e, a in enumerate(shape):
        if a < 1:
            logs[e] += np.log(1 - rng.random()) / a
    for row in rows:
        logs[row] -= np.logaddexp.reduce(logs[row])
    return logs


def log_dirichlet(rows, log_theta, shape):
    total = 0.0
    for row in rows:
        a = shape[row]
        total += gammaln(a.sum()) - gammaln(a).sum() + ((a - 1) * log_theta[row]).sum()
    return total


def anneal(network, data, log_theta, temperatures, strengths, rng, proposal_ratio=True):
    """Log weight, last state, and how many proposals were accepted."""
    rows, prior = rows_of_cells(network), np.asarray(network.prior)

    def log_posterior(state, temperature):
        likelihood = log_likelihood(network, np.exp(state), data)
        return temperature * likelihood + log_dirichlet(rows, state, prior)

    log_weight, n_accepted = 0.0, 0
    for k, strength in enumerate(strengths):
        new = draw_log_dirichlet(rng, rows, strength * np.exp(log_theta))
        log_ratio = log_posterior(new, temperatures[k]) - log_posterior(log_theta, temperatures[k])
        if proposal_ratio:
            log_ratio += log_dirichlet(rows, log_theta, strength * np.exp(new))
            log_ratio -= log_dirichlet(rows, new, strength * np.exp(log_theta))
        if np.log(1 - rng.random()) < log_ratio:
            log_theta, n_accepted = new, n_accepted + 1
        log_weight += (temperatures[k + 1] - temperatures[k]) * log_likelihood(network, np.exp(log_theta), data)
    return log_weight, log_theta, n_accepted
