"""Ancestral draws follow the joint distribution, and a longer draw begins with the shorter one.

Source of truth: the joint probability of every state (reference/network.py); |z| < 4 for the frequency of each joint
state and Pearson's chi-square within 4 of its own standard deviations. ``OCKHAM_TEST_SEEDS`` sets how many seeds are
tried.
"""

import os
from itertools import product

import numpy as np
import pytest
from reference.network import joint_probability
from reference.network_cases import CASES, random_parameters

from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.discrete_network import DiscreteNetwork

SEEDS = range(int(os.environ.get("OCKHAM_TEST_SEEDS", "2")))
N = 20_000
NETWORKS = [
    "hidden chain",
    "hidden with observed parent",
    "declared in reverse",
    "four observed parents",
    "observed only",
]


def discrepancies(network, parameters, states):
    """The largest |z| over joint states, and the z of Pearson's chi-square; rare states are pooled."""
    n = len(states)
    every = list(product(*(range(r) for r in network.cardinalities)))
    p = np.array([joint_probability(network, parameters, state) for state in every])
    index = np.ravel_multi_index(states.T, network.cardinalities)
    seen = np.bincount(index, minlength=len(every))
    often = n * p >= 5
    seen, p = np.append(seen[often], seen[~often].sum()), np.append(p[often], p[~often].sum())
    seen, p = (seen, p) if n * p[-1] >= 5 else (seen[:-1], p[:-1] / p[:-1].sum())
    z = (seen - n * p) / np.sqrt(n * p * (1 - p))
    expected = seen.sum() * p
    freedom = len(p) - 1
    return np.abs(z).max(), (((seen - expected) ** 2 / expected).sum() - freedom) / np.sqrt(2 * freedom)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", NETWORKS)
def test_frequencies_of_joint_states(name, seed):
    network = CASES[name]
    parameters = random_parameters(network, seed)
    states = draw(network, parameters, N, np.random.default_rng(seed))
    largest, chi_square = discrepancies(network, parameters, states)
    assert largest < 4
    assert abs(chi_square) < 4


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", NETWORKS)
def test_the_check_notices_wrong_parameters(name, seed):
    """A tenth of one row's probability moved to its least likely value is found out."""
    network = CASES[name]
    parameters = random_parameters(network, seed)
    wrong = parameters.copy()
    row = network.family(network.topological_order[0], wrong)[0]
    row *= 0.9
    row[row.argmin()] += 0.1
    states = draw(network, wrong, N, np.random.default_rng(seed))
    _, chi_square = discrepancies(network, parameters, states)
    assert chi_square > 4


@pytest.mark.parametrize("network", CASES.values(), ids=CASES.keys())
def test_shape_type_and_range(network):
    states = draw(network, random_parameters(network, 1), 50, np.random.default_rng(1))
    assert states.shape == (50, network.n_variables)
    assert states.dtype == np.int64
    assert (states >= 0).all()
    assert (states < network.cardinalities).all()


@pytest.mark.parametrize("network", CASES.values(), ids=CASES.keys())
def test_a_longer_draw_begins_with_the_shorter(network):
    parameters = random_parameters(network, 2)
    longest = draw(network, parameters, 200, np.random.default_rng(7))
    for n in (0, 1, 10, 199):
        np.testing.assert_array_equal(draw(network, parameters, n, np.random.default_rng(7)), longest[:n])
    assert (draw(network, parameters, 200, np.random.default_rng(8)) != longest).any()


def test_degenerate_parameters_leave_nothing_to_chance():
    network = DiscreteNetwork.build({"b": 3, "a": 2}, {"b": ["a"]})
    parameters = np.array([0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0])
    states = draw(network, parameters, 100, np.random.default_rng(0))
    np.testing.assert_array_equal(states, np.tile([2, 1], (100, 1)))


def test_values_without_probability_never_occur():
    network = DiscreteNetwork.build({"a": 4}, {})
    states = draw(network, np.array([0.0, 0.5, 0.0, 0.5]), 2000, np.random.default_rng(0))
    assert set(states.ravel()) == {1, 3}
