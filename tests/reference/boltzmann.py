"""Slow and simple truth for restricted Boltzmann machines: sums over every state of both layers, one at a time.

And the evidence of tiny ones by draws of the prior.
"""

from itertools import product
from math import exp, log

import numpy as np


def features(x, z):
    """x_i z_k row by row, then x_i, then z_k."""
    return np.array([xi * zk for xi in x for zk in z] + [*x, *z], dtype=float)


def joint_states(n_visible, n_hidden):
    """Every (x, z)."""
    return [(x, z) for x in product((0, 1), repeat=n_visible) for z in product((0, 1), repeat=n_hidden)]


def log_partition(n_visible, n_hidden, theta):
    return log(sum(exp(float(theta @ features(x, z))) for x, z in joint_states(n_visible, n_hidden)))


def moments(n_visible, n_hidden, theta):
    """Mean and covariance of the features under the model."""
    vectors = np.array([features(x, z) for x, z in joint_states(n_visible, n_hidden)])
    weights = np.exp(vectors @ theta)
    weights /= weights.sum()
    mean = weights @ vectors
    return mean, (vectors - mean).T @ (weights[:, None] * (vectors - mean))


def log_likelihood(n_visible, n_hidden, theta, data):
    """ln p(D | theta), row by row."""
    hidden = list(product((0, 1), repeat=n_hidden))
    terms = [log(sum(exp(float(theta @ features(x, z))) for z in hidden)) for x in np.asarray(data).astype(int)]
    return sum(terms) - len(terms) * log_partition(n_visible, n_hidden, theta)


def differences(function, theta, step=1e-5):
    """Central differences of a function of theta, along a new last axis."""
    columns = []
    for j in range(len(theta)):
        up, down = theta.copy(), theta.copy()
        up[j] += step
        down[j] -= step
        columns.append((np.asarray(function(up)) - np.asarray(function(down))) / (2 * step))
    return np.stack(columns, axis=-1)


def log_evidence(n_visible, n_hidden, deviation, data, rng, n_draws=100_000):
    """ln of the mean likelihood over draws of the prior, by a table of all visible states, and its standard error."""
    thetas = rng.normal(0.0, deviation, (n_draws, n_visible * n_hidden + n_visible + n_hidden))
    weights, visible, hidden = np.split(thetas, [n_visible * n_hidden, n_visible * n_hidden + n_visible], axis=1)
    rows = list(product((0, 1), repeat=n_visible))
    counts = np.array([sum(tuple(row) == other for row in np.asarray(data).astype(int)) for other in rows])
    active = np.einsum("si,dik->dsk", np.array(rows), weights.reshape(-1, n_visible, n_hidden)) + hidden[:, None]
    table = visible @ np.array(rows).T + np.logaddexp(0, active).sum(axis=2)
    logs = table @ counts - counts.sum() * np.logaddexp.reduce(table, axis=1)
    ratios = np.exp(logs - logs.max())
    return float(logs.max() + np.log(ratios.mean())), float(ratios.std() / ratios.mean() / np.sqrt(n_draws))
