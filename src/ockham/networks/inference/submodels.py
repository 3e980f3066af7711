"""The models that a network becomes where values of its hidden variables have no case, and how singular it is there."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod

import numpy as np

from ockham.errors import ModelError
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.effective_dimension import effective_dimension

__all__ = ["Submodel", "check_submodels", "learning_coefficients", "submodels"]

MOST_SUBMODELS = 256


@dataclass(frozen=True, eq=False)
class Submodel:
    """A network with fewer values of its hidden variables.

    Attributes
    ----------
    values : tuple of int
        How many of each hidden variable are left; a variable of one value is left out of the network.
    network : DiscreteNetwork
    """

    values: tuple[int, ...]
    network: DiscreteNetwork

    def within(self, other: "Submodel") -> bool:
        """Whether it is a submodel of another, or the same."""
        return all(mine <= others for mine, others in zip(self.values, other.values, strict=True))


def check_submodels(network: DiscreteNetwork) -> None:
    """Raise a ModelError for too many submodels."""
    if (n := prod(network.cardinalities[i] for i in network.hidden)) > MOST_SUBMODELS:
        raise ModelError(
            f"the singular BIC fits {n:,} submodels, {MOST_SUBMODELS} are allowed: take fewer hidden variables or "
            "values, or another score"
        )


@lru_cache(maxsize=256)  # the cells of a job share networks
def submodels(network: DiscreteNetwork) -> tuple[Submodel, ...]:
    """All of them, each after its own submodels; the last is the network itself.

    Raises
    ------
    ModelError
        For too many submodels.
    """
    check_submodels(network)
    choices = product(*(range(1, network.cardinalities[i] + 1) for i in network.hidden))
    found = []
    for values in choices:
        left = dict(zip(network.hidden, values, strict=True))
        whole = all(network.cardinalities[i] == k for i, k in left.items())
        found.append(Submodel(values, network if whole else _with_values(network, left)))
    return tuple(found)


@lru_cache(maxsize=256)
def learning_coefficients(network: DiscreteNetwork) -> np.ndarray:
    """Bounds on the learning coefficient of submodel i where the truth is a distribution of submodel j; NaN for others.

    Shape (n_submodels, n_submodels), in the order of ``submodels``.

    Raises
    ------
    ModelError
        As ``submodels`` and ``effective_dimension``.

    Notes
    -----
    Half of D(j) + sum_h (k_i(h) - k_j(h)) min(phi(h), m(h)), or of D(i) where that is less, with D the effective
    dimension. A value more of the hidden variable h either has no case, for which its hyperparameters, phi(h) in all
    rows of h, count as so many dimensions, or its m(h) parameters in the children are those of another value. Of latent
    classes whose D is the number of parameters it is the bound that [DrtonPlummer2017] take. Where nothing is hidden in
    j, with phi = 1 and two classes of three or more binary features, it is the coefficient itself, [RusakovGeiger2005].
    """
    models = submodels(network)
    dimensions = [effective_dimension(model.network) for model in models]
    costs = [_cost(network, i) for i in network.hidden]
    found = np.full((len(models), len(models)), np.nan)
    for i, larger in enumerate(models):
        for j, smaller in enumerate(models):
            if smaller.within(larger):
                fewer = np.subtract(larger.values, smaller.values)
                found[i, j] = min(dimensions[i], dimensions[j] + float(fewer @ costs)) / 2
    return found


def _cost(network: DiscreteNetwork, hidden: int) -> float:
    """What one value more costs at the most, in dimensions."""
    own = float(network.family(hidden, network.prior).max(axis=1).sum())
    parameters = sum(
        (network.cardinalities[c] - 1) * network.n_configurations[c] // network.cardinalities[hidden]
        for c in range(network.n_variables)
        if hidden in network.parents[c]
    )
    return min(own, float(parameters))


def _with_values(network: DiscreteNetwork, left: Mapping[int, int]) -> DiscreteNetwork:
    """The network with so many values of hidden variables, of which those with one are left out."""
    kept = [i for i in range(network.n_variables) if left.get(i) != 1]
    position = {i: k for k, i in enumerate(kept)}
    cardinalities = [left.get(i, r) for i, r in enumerate(network.cardinalities)]
    prior = []
    for i in kept:
        family = (*network.parents[i], i)
        table = network.family(i, network.prior).reshape([network.cardinalities[v] for v in family])
        prior.append(table[tuple(slice(cardinalities[v]) for v in family)].ravel())
    return DiscreteNetwork(
        tuple(network.names[i] for i in kept),
        tuple(cardinalities[i] for i in kept),
        tuple(tuple(position[p] for p in network.parents[i] if p in position) for i in kept),
        tuple(position[i] for i in network.hidden if i in position),
        np.concatenate(prior),
    )
