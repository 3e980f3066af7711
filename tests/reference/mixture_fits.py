"""Slow twins of the kernels of mixtures: the steps of EM and of variational EM by the items' own formulas in NumPy."""

import numpy as np
from scipy.special import logsumexp, psi

from ockham.mixtures.finite_mixture import Parameters, Sums
from ockham.mixtures.items import Gaussian, Ordered, Poisson

__all__ = ["em_step", "expect", "expected", "expected_of_item", "variational_step"]


def expected(model, sums):
    """Means of the log weights and natural parameters under the prior updated by the sums."""
    natural = np.empty(sums.items.shape)
    for item, at in model.slices:
        natural[..., at] = expected_of_item(item, sums.items[..., at])
    return Parameters(_of_logs(model.weights_prior + sums.cases), natural)


def expected_of_item(item, sums):
    """The same of one item's natural parameters."""
    if isinstance(item, Gaussian):
        weight = item.mean_weight + sums[..., 0]
        mean = sums[..., 1] / weight
        shape, rate = item.shape + sums[..., 0] / 2, item.shape + (sums[..., 2] - weight * mean**2) / 2
        precision = shape / rate
        first = psi(shape) - np.log(rate) - np.log(2 * np.pi) - mean**2 * precision - 1 / weight
        return np.stack([first / 2, mean * precision, -precision / 2], axis=-1)
    if isinstance(item, Poisson):
        shape, rate = item.shape + sums[..., 1], item.shape / item.mean + sums[..., 0]
        return np.stack([-shape / rate, psi(shape) - np.log(rate)], axis=-1)
    if not isinstance(item, Ordered):
        return _of_logs(item.prior + sums)
    beyond = np.cumsum(sums[..., ::-1], axis=-1)[..., ::-1][..., 1:]
    stop, go_on = np.moveaxis(_of_logs(item.prior + np.stack([sums[..., :-1], beyond], axis=-1)), -1, 0)
    nothing = np.zeros((*sums.shape[:-1], 1))
    return np.append(stop, nothing, axis=-1) + np.append(nothing, np.cumsum(go_on, axis=-1), axis=-1)


def _of_logs(shape):
    """Means of logs of probabilities that are Dirichlet distributed."""
    return psi(shape) - psi(shape.sum(axis=-1, keepdims=True))


def expect(design, parameters):
    """The log likelihood but for base measures, and the expected sums of the rows in each class."""
    log_joint = design.log_joint(parameters)
    log_rows = logsumexp(log_joint, axis=0)
    members = np.exp(log_joint - log_rows) * design.counts
    return float(log_rows @ design.counts), Sums(members.sum(axis=-1), members @ design.statistics)


def em_step(model, design, parameters):
    """The log likelihood, the log posterior density but for the evidence, and the parameters of the M step."""
    log_likelihood, sums = expect(design, parameters)
    return log_likelihood, log_likelihood + float(model.log_prior(parameters)), model.mode(sums)


def variational_step(model, design, posterior):
    """The bound where q(theta) is the prior updated by given sums, and the expected sums there."""
    mean = expected(model, posterior)
    log_normaliser, sums = expect(design, mean)
    divergence = model.log_joint(mean, posterior) - model.log_marginal(posterior)
    return log_normaliser - float(divergence), sums
