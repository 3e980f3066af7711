"""Slow twin of the exact evidence: every completion of every row, one data set at a time.

The n rows of the data have H ** n completions by H joint hidden states each. All of them are visited, whatever they
have in common, and each contributes the closed form of complete data in gamma functions.
"""

from collections import Counter
from itertools import product

import numpy as np
from reference.network import cells, completions, rows_of_cells
from scipy.special import gammaln, logsumexp

__all__ = ["complete_log_evidence", "completed_data", "log_evidence"]


def complete_log_evidence(network, counts):
    """Log evidence ln p(z | m) of complete data from its counts N_ijk; eq. (5) of Beal & Ghahramani (2006)."""
    total = 0.0
    for row in rows_of_cells(network):
        prior, posterior = network.prior[row], network.prior[row] + np.asarray(counts)[row]
        total += gammaln(prior.sum()) - gammaln(posterior.sum()) + (gammaln(posterior) - gammaln(prior)).sum()
    return total


def completed_data(network, data):
    """Every data set of joint states that agrees with the observed one: a tuple of n states each."""
    return product(*(list(completions(network, row)) for row in data))


def log_evidence(network, data, *, ignore_multiplicity=False):
    """Log evidence ln p(y | m); eq. (9).

    ``ignore_multiplicity`` makes it wrong: completions that differ only in which of several equal rows has which hidden
    state are then visited once, as if the multinomial coefficient of a sum over counts had been forgotten.
    """
    visited = completed_data(network, data)
    if ignore_multiplicity:
        visited = {tuple(sorted(states)) for states in visited}
    return logsumexp([complete_log_evidence(network, _counts(network, states)) for states in visited])


def _counts(network, states):
    counted = Counter(
        (i, tuple(state[p] for p in family), state[i]) for state in states for i, family in enumerate(network.parents)
    )
    return np.array([counted[cell] for cell in cells(network)], dtype=float)
