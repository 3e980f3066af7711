"""Corrections of Laplace's method: overlapping modes and equivalent modes ([ChenWelling2013], 3.1.3 and 3.1.4)."""

from collections.abc import Callable
from math import lgamma, log

import numpy as np

from ockham.machines.inference.posterior import Posterior
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann

__all__ = ["equivalent_groups", "log_modes", "log_width"]

N_HALVINGS = 20


def log_width(posterior: Posterior, theta: np.ndarray, direction: np.ndarray, least_effective: float) -> float:
    """Log of the integral along a unit direction over the density at theta, as a trapezoid's; section 3.1.3.

    The integral is the distance between the two points where the density is half of that at theta. A point is taken to
    be closer where the effective sample size falls below ``least_effective`` of the samples.
    """
    at = posterior.along(theta, direction)
    half = at(0.0)[0] - log(2)

    def inside(distance: float) -> bool:
        log_density, fraction = at(distance)
        return log_density > half and fraction >= least_effective

    scale = 0.1 / np.sqrt(posterior.precision_of_prior)

    def width(side: int) -> float:
        return _edge(lambda t: inside(side * t), scale)

    return log(sum(width(side) for side in (-1, 1)))


def _edge(inside: Callable[[float], bool], step: float) -> float:
    """The distance where one is inside no longer: doubled until outside, then by bisection from 0."""
    while inside(step):
        step *= 2
    low, high = 0.0, step
    for _ in range(N_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if inside(middle) else (low, middle)
    return 0.5 * (low + high)


def equivalent_groups(model: RestrictedBoltzmann, theta: np.ndarray, precision: np.ndarray) -> np.ndarray:
    """The group of every hidden unit, shape (n_hidden,): its lowest member; section 3.1.4.

    Two units are in one group if the Gaussian of this precision around theta, at the point halfway to where they are
    exchanged, is above half of its peak; and then the groups of both are one.
    """
    groups = np.arange(model.n_hidden)
    for first in range(model.n_hidden):
        for second in range(first):
            halfway = 0.5 * (theta - _exchanged(model, theta, first, second))
            if -0.5 * halfway @ precision @ halfway > log(0.5):
                low, high = sorted((groups[first], groups[second]))
                groups[groups == high] = low
    return groups


def _exchanged(model: RestrictedBoltzmann, theta: np.ndarray, first: int, second: int) -> np.ndarray:
    """The parameters with two hidden units exchanged."""
    moved = theta.copy()
    weights, _, hidden = model.unpack(moved)
    for part in (weights.T, hidden):
        part[[first, second]] = part[[second, first]]
    return moved


def log_modes(groups: np.ndarray) -> float:
    """ln of K! / prod_r K_r!, how many modes the exchange of hidden units in groups of K_r makes, nats."""
    sizes = np.bincount(groups)
    return lgamma(len(groups) + 1) - sum(lgamma(size + 1) for size in sizes)
