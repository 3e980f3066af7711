"""Small networks, data and starting points that the unit tests share, and a generator of random ones."""

import numpy as np
from hypothesis import strategies as st
from reference.network import cells, normalise

from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.structure_space import bipartite_network

__all__ = ["CASES", "observed_cardinalities", "random_data", "random_networks", "random_parameters"]

_build = DiscreteNetwork.build


def _asymmetric(cardinalities, parents, hidden, seed, low=0.2, high=3.0):
    """The same graph with a different hyperparameter in every cell."""
    flat = _build(cardinalities, parents, hidden)
    prior = np.random.default_rng(seed).uniform(low, high, len(cells(flat)))
    return DiscreteNetwork(flat.names, flat.cardinalities, flat.parents, flat.hidden, prior)


CASES = {
    "bipartite 1-12-12-2": bipartite_network([[1], [1, 2], [1, 2], [2]], [2, 2], [5, 5, 5, 5]),
    "bipartite 12-12-12-12": bipartite_network([[1, 2]] * 4, [2, 2], [5, 5, 5, 5]),
    "bipartite 0-0-1-0, s2 childless": bipartite_network([[], [], [1], []], [2, 2], [3, 2, 4, 2]),
    "bipartite, 12 hidden configurations": bipartite_network([[1], [1, 2], [2]], [3, 4], [2, 3, 2]),
    "naive Bayes, 3 classes": bipartite_network([[1]] * 3, [3], [2, 3, 2]),
    "naive Bayes, 2 features": bipartite_network([[1]] * 2, [3], [2, 3]),
    "naive Bayes, 1 feature": bipartite_network([[1]], [3], [4]),
    "naive Bayes, 6 classes, small prior": bipartite_network([[1]] * 4, [6], [2, 2, 3, 2], prior=1e-3),
    "hidden chain": _build(
        {"h1": 2, "h2": 3, "y1": 2, "y2": 4}, {"h2": ["h1"], "y1": ["h2"], "y2": ["h2"]}, ["h1", "h2"]
    ),
    "hidden with observed parent": _build(
        {"y1": 3, "h": 2, "y2": 2, "y3": 3}, {"h": ["y1"], "y2": ["h"], "y3": ["h", "y1"]}, ["h"]
    ),
    "hidden leaf": _build({"y1": 2, "h": 3, "y2": 2}, {"h": ["y1", "y2"]}, ["h"], prior=0.5),
    "declared in reverse": _build(
        {"y2": 3, "y1": 2, "h": 3}, {"y1": ["h"], "y2": ["y1", "h"]}, ["h"], prior={"y1": 0.3, "h": 2.0}
    ),
    "observed only": _build({"a": 2, "b": 3, "c": 2}, {"b": ["a"], "c": ["b", "a"]}, prior=0.7),
    "one observed variable": _build({"a": 5}, {}, prior=0.25),
    "four observed parents": _build(
        {"a": 2, "b": 2, "c": 2, "h": 2, "d": 3}, {"d": ["a", "h", "b", "c"], "a": ["h"]}, ["h"]
    ),
    "asymmetric prior": _asymmetric(
        {"h1": 2, "h2": 2, "y1": 3, "y2": 2, "y3": 2},
        {"y1": ["h1", "h2"], "y2": ["h2"], "y3": ["y2", "h1"]},
        ["h1", "h2"],
        seed=5,
    ),
    "asymmetric small prior": _asymmetric(
        {"h": 3, "y1": 3, "y2": 2}, {"y1": ["h"], "y2": ["h", "y1"]}, ["h"], seed=6, low=1e-3, high=1e-2
    ),
}


def observed_cardinalities(network):
    return tuple(r for i, r in enumerate(network.cardinalities) if i not in network.hidden)


def random_data(network, n, seed):
    """Rows, uniform over the observed states, the later half a copy of the earlier one so that rows repeat."""
    width = observed_cardinalities(network)
    rows = np.random.default_rng(seed).integers(0, width, (-(-n // 2), len(width)))
    return np.concatenate([rows, rows])[:n]


def random_parameters(network, seed):
    """Rows from a uniform Dirichlet, kept off zero."""
    return normalise(network, np.random.default_rng(seed).exponential(size=len(cells(network))) + 1e-3)


@st.composite
def random_networks(draw, max_variables=5, need_observed=True):
    """A random graph on at most five variables with 2 or 3 values, any of them hidden, any prior per cell."""
    n = draw(st.integers(1, max_variables))
    order = draw(st.permutations(range(n)))
    names = [f"v{i}" for i in range(n)]
    parents = {}
    for place, i in enumerate(order):
        chosen = draw(st.lists(st.sampled_from(order[:place]), unique=True, max_size=3)) if place else []
        parents[names[i]] = [names[p] for p in chosen]
    cardinalities = {name: draw(st.integers(2, 3)) for name in names}
    hidden = draw(st.lists(st.sampled_from(names), unique=True, max_size=n - 1 if need_observed else n))
    scale = draw(st.sampled_from([1e-2, 0.5, 1.0, 4.0]))
    if draw(st.booleans()):
        return _build(cardinalities, parents, hidden, scale)
    seed = draw(st.integers(0, 1000))
    return _asymmetric(cardinalities, parents, hidden, seed, scale / 2, scale * 2)


def logs(parameters):
    """ln theta, with -inf for an entry of 0."""
    with np.errstate(divide="ignore"):
        return np.log(parameters)
