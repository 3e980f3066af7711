"""Slow twins of the kernels of mixtures: the steps of EM and of variational EM by the items' own formulas in NumPy."""

import numpy as np
from scipy.special import logsumexp

from ockham.mixtures.finite_mixture import Sums

__all__ = ["em_step", "expect", "variational_step"]


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
    mean = model.expected(posterior)
    log_normaliser, sums = expect(design, mean)
    divergence = model.log_joint(mean, posterior) - model.log_marginal(posterior)
    return log_normaliser - float(divergence), sums
