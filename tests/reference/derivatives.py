"""Exact second derivatives by hyper-dual numbers (Fike and Alonso, 2011): automatic differentiation, slow and simple.

A number a + b e1 + c e2 + d e1 e2 with e1 ** 2 = e2 ** 2 = 0 carries a value, two first derivatives and a mixed second.
"""

import math
from dataclasses import dataclass

import numpy as np
from reference.network import cells, completions, rows_of_cells

__all__ = ["HyperDual", "log_posterior", "second_derivatives"]


@dataclass(frozen=True)
class HyperDual:
    a: float
    b: float = 0.0
    c: float = 0.0
    d: float = 0.0

    def __add__(self, other):
        other = other if isinstance(other, HyperDual) else HyperDual(other)
        return HyperDual(self.a + other.a, self.b + other.b, self.c + other.c, self.d + other.d)

    def __mul__(self, other):
        x, y = self, other if isinstance(other, HyperDual) else HyperDual(other)
        return HyperDual(
            x.a * y.a, x.a * y.b + x.b * y.a, x.a * y.c + x.c * y.a, x.a * y.d + x.b * y.c + x.c * y.b + x.d * y.a
        )

    __radd__, __rmul__ = __add__, __mul__

    def _chain(self, value, first, second):
        return HyperDual(value, first * self.b, first * self.c, first * self.d + second * self.b * self.c)

    def log(self):
        return self._chain(math.log(self.a), 1 / self.a, -1 / self.a**2)

    def exp(self):
        value = math.exp(self.a)
        return self._chain(value, value, value)

    def inverse(self):
        return self._chain(1 / self.a, -1 / self.a**2, 2 / self.a**3)


def log_posterior(network, phi, data):
    """ln p(y | phi) + sum(lambda ln theta), up to a constant; ``phi`` maps free entries to hyper-dual numbers."""
    theta = [None] * len(cells(network))
    for row in rows_of_cells(network):
        powers = [phi[e].exp() if e in phi else HyperDual(1.0) for e in row]
        inverse = sum(powers, HyperDual(0.0)).inverse()
        for e, power in zip(row, powers, strict=True):
            theta[e] = power * inverse
    total = sum((number.log() * prior for number, prior in zip(theta, network.prior, strict=True)), HyperDual(0.0))
    position = {cell: e for e, cell in enumerate(cells(network))}
    for row in data:
        probability = HyperDual(0.0)
        for state in completions(network, row):
            product = HyperDual(1.0)
            for i, family in enumerate(network.parents):
                if state[i] is None:
                    continue
                product = product * theta[position[i, tuple(int(state[p]) for p in family), int(state[i])]]
            probability = probability + product
        total = total + probability.log()
    return total


def second_derivatives(network, log_theta, data):
    """Hessian of ``log_posterior`` over the free entries, at given logs of parameters."""
    rows = rows_of_cells(network)
    at = {e: log_theta[e] - log_theta[row[0]] for row in rows for e in row[1:]}
    free = sorted(at)
    hessian = np.empty((len(free), len(free)))
    for i, first in enumerate(free):
        for j, second in enumerate(free[: i + 1]):
            phi = {e: HyperDual(at[e], float(e == first), float(e == second)) for e in free}
            hessian[i, j] = hessian[j, i] = log_posterior(network, phi, data).d
    return hessian
