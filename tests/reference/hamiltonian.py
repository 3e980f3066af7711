"""A slow Hamiltonian transition for restricted Boltzmann machines, which can be broken on purpose."""

import numpy as np

from ockham.machines.inference.likelihood import gradient, log_likelihood

SPREAD = 0.3
"""Of leapfrog steps about their size, on either side."""
FAULTS = ("last half step", "kinetic energy", "accept always")


def transition(model, data, theta, tau, step, n_leapfrog, rng, fault=None):
    """One transition that leaves prior * likelihood ** tau as it is, or by one of ``FAULTS`` does not.

    The fault "one size" leaves it, but takes steps of the same size always.
    """

    def slope(x):
        return tau * gradient(model, x, data) - x / model.deviation**2

    def log_density(x, momentum):
        kinetic = 0.0 if fault == "kinetic energy" else momentum @ momentum / 2
        return tau * log_likelihood(model, x, data) - x @ x / (2 * model.deviation**2) - kinetic

    step *= 1.0 if fault == "one size" else 1 + SPREAD * (1 - 2 * rng.random())
    momentum = rng.standard_normal(len(theta))
    before, x = log_density(theta, momentum), theta
    momentum = momentum + step / 2 * slope(x)
    for k in range(n_leapfrog):
        x = x + step * momentum
        last = 1.0 if fault == "last half step" else 0.5
        momentum = momentum + (step if k < n_leapfrog - 1 else last * step) * slope(x)
    log_ratio = log_density(x, momentum) - before
    accepted = np.log(1.0 - rng.random()) < log_ratio or fault == "accept always"
    return (x, True) if accepted else (theta, False)
