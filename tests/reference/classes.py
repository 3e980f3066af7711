"""Slow twin of latent class models: every assignment of the rows to classes, one by one, and loops over rows.

A data set is a list of rows, -1 where a cell is missing; of the network only its prior is read, by item and class.
"""

from itertools import product
from math import lgamma, log

import numpy as np

from ockham.estimation.autocorrelation import autocorrelation_time

__all__ = ["Posterior", "coverage_z", "discrepancies", "enumerate_posterior", "row_probability", "simulate", "z_scores"]


class Posterior:
    """Sums over every assignment, with its exact probability."""

    def __init__(self, prior_sizes, prior_items, rows):
        self.prior_sizes, self.n_classes = np.asarray(prior_sizes, float), len(prior_sizes)
        self.assignments = list(product(range(self.n_classes), repeat=len(rows)))
        logs = np.array([self._log_weight(prior_items, rows, assignment) for assignment in self.assignments])
        self.weights = np.exp(logs - logs.max())
        self.weights /= self.weights.sum()

    def _log_weight(self, prior_items, rows, assignment):
        counts = np.bincount(assignment, minlength=self.n_classes)
        total = _log_dirichlet_multinomial(self.prior_sizes, counts)
        for item, prior in enumerate(prior_items):
            for k in range(self.n_classes):
                seen = [row[item] for row, own in zip(rows, assignment, strict=True) if own == k and row[item] >= 0]
                total += _log_dirichlet_multinomial(
                    prior[k], np.bincount(seen or [0], minlength=len(prior[k])) * bool(seen)
                )
        return total

    def mean(self, function):
        """The posterior mean of what is a function of one assignment's class counts."""
        values = [function(np.bincount(a, minlength=self.n_classes)) for a in self.assignments]
        return np.tensordot(self.weights, np.array(values), axes=1)

    def mean_sizes(self):
        return self.mean(lambda counts: (self.prior_sizes + counts) / (self.prior_sizes + counts).sum())

    def memberships(self):
        """p(class of row i | data), shape (n_rows, n_classes)."""
        own = np.array(self.assignments)[:, :, None] == np.arange(self.n_classes)
        return np.tensordot(self.weights, own, axes=1)

    def together(self):
        """Probability that two rows are of one class, shape (n_rows, n_rows)."""
        own = np.array(self.assignments)
        return np.tensordot(self.weights, own[:, :, None] == own[:, None, :], axes=1)


def enumerate_posterior(network, rows):
    """Of a network whose first variable is the class."""
    items = [network.family(i, network.prior) for i in range(1, network.n_variables)]
    return Posterior(network.family(0, network.prior)[0], items, rows)


def _log_dirichlet_multinomial(prior, counts):
    prior, counts = np.asarray(prior, float), np.asarray(counts, float)
    found = lgamma(prior.sum()) - lgamma(prior.sum() + counts.sum())
    return found + sum(lgamma(a + n) - lgamma(a) for a, n in zip(prior, counts, strict=True))


def row_probability(sizes, profiles, row):
    """p(row, class) for every class; ``profiles`` is a list over items of (n_classes, n_values)."""
    found = []
    for k, size in enumerate(sizes):
        p = size
        for item, value in enumerate(row):
            if value >= 0:
                p *= profiles[item][k][value]
        found.append(p)
    return np.array(found)


def discrepancies(sizes, profiles, rows):
    """G^2, number of distinct rows, margins of the items, and bivariate residuals by pair."""
    rows = [tuple(map(int, row)) for row in rows]
    g2 = 0.0
    for row in set(rows):
        pattern = [value < 0 for value in row]
        n_alike = sum([value < 0 for value in other] == pattern for other in rows)
        n = rows.count(row)
        g2 += 2 * n * log(n / (n_alike * row_probability(sizes, profiles, row).sum()))
    margins = []
    for item, profile in enumerate(profiles):
        seen = [row[item] for row in rows if row[item] >= 0]
        expected = [
            len(seen) * sum(s * p[v] for s, p in zip(sizes, profile, strict=True)) for v in range(len(profile[0]))
        ]
        margins.append(sum((seen.count(v) - e) ** 2 / e for v, e in enumerate(expected)) / (len(expected) - 1))
    residuals = {}
    for i in range(len(profiles)):
        for j in range(i + 1, len(profiles)):
            seen = [(row[i], row[j]) for row in rows if row[i] >= 0 and row[j] >= 0]
            n_i, n_j, total = len(profiles[i][0]), len(profiles[j][0]), 0.0
            for v, w in product(range(n_i), range(n_j)):
                p = sum(s * a[v] * b[w] for s, a, b in zip(sizes, profiles[i], profiles[j], strict=True))
                total += (seen.count((v, w)) - len(seen) * p) ** 2 / (len(seen) * p)
            residuals[i, j] = total / ((n_i - 1) * (n_j - 1))
    return g2, len(set(rows)), margins, residuals


def simulate(sizes, profiles, n, rng):
    """Rows and their classes; ``profiles`` has the probability of 1 of every binary item, (n_classes, n_items)."""
    classes = rng.choice(len(sizes), n, p=sizes)
    return (rng.random((n, np.shape(profiles)[1])) < np.asarray(profiles)[classes]).astype(int), classes


def z_scores(draws, truth):
    """Of means over draws of shape (n_chains, n_draws, ...), by the autocorrelation of each."""
    flat = draws.reshape(*draws.shape[:2], -1)
    times = np.array([autocorrelation_time(list(flat[:, :, i])) for i in range(flat.shape[2])])
    error = flat.std(axis=(0, 1)) * np.sqrt(times / (flat.shape[0] * flat.shape[1]))
    return (flat.mean(axis=(0, 1)) - np.ravel(truth)) / error


def coverage_z(distances, width=1.0):
    """Of the share of intervals of 95 % that have the truth, from its distances in half widths, an array a data set."""
    shares = np.array([(away <= width).mean() for away in distances])
    return (shares.mean() - 0.95) / (shares.std(ddof=1) / np.sqrt(len(shares)))
