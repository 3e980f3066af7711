"""True parameters of naive-Bayes mixtures whose classes overlap ([ChickeringHeckerman1997], sections 4.2 to 4.5)."""

import numpy as np

from ockham.networks.discrete_network import DiscreteNetwork

__all__ = ["mixture_parameters"]


def mixture_parameters(
    network: DiscreteNetwork, rng: np.random.Generator, class_sizes: str, deviation: float | None, zeros: float
) -> np.ndarray:
    """One draw of the parameters of a mixture, shape (n_entries,).

    Parameters
    ----------
    network : DiscreteNetwork
        One hidden class, its only parent, for every feature.
    rng : numpy.random.Generator
    class_sizes : {"drawn", "equal"}
        Probabilities of the classes: uniformly distributed, or all the same.
    deviation : float or None
        eta: every class has the natural parameters of the first, ln theta_k / theta_1 for k > 1, plus normal noise of
        this standard deviation. None draws every class by itself, uniformly.
    zeros : float
        Probability that a parameter of a feature is then set to 0. The others of its row are normalised again; where
        all are 0, one of them is 1.
    """
    parameters = np.empty(network.n_entries)
    for i in range(network.n_variables):
        family = network.family(i, parameters)
        q, r = family.shape
        if i in network.hidden:
            family[0] = 1 / r if class_sizes == "equal" else rng.dirichlet(np.ones(r))
            continue
        family[:] = rng.dirichlet(np.ones(r), size=1 if deviation is not None else q)
        if deviation is not None:
            natural = np.log(family / family[:, :1])
            natural[1:, 1:] += rng.normal(0.0, deviation, (q - 1, r - 1))
            family[:] = np.exp(natural - natural.max(axis=1, keepdims=True))
        family[rng.random(family.shape) < zeros] = 0.0
        empty = np.flatnonzero((family == 0).all(axis=1))
        family[empty, rng.integers(r, size=len(empty))] = 1.0
        family /= family.sum(axis=1, keepdims=True)
    return parameters
