"""Slow and simple truth for restricted Boltzmann machines: sums over every state of both layers, one at a time."""

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
