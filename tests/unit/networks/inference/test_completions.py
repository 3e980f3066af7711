"""Claim: the sum over completions is the exact evidence of any discrete network.

Truth: the twin that visits every completion of every row; the evidences of all data sets of one size, which sum to 1;
and at sizes that the twin cannot reach, p(D, y = 0) + p(D, y = 1) = p(D).
"""

from dataclasses import replace
from itertools import product
from math import comb, fsum

import numpy as np
import pytest
from reference.enumeration import completed_data
from reference.enumeration import log_evidence as twin
from reference.network import relabelled

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.completions import log_evidence, predicted_completions
from ockham.networks.structure_space import bipartite_network, naive_bayes

NETWORKS = {
    "bipartite": bipartite_network([[1], [1, 2], [2]], [2, 2], [2, 3, 2]),
    "two components": bipartite_network([[1], [2], []], [2, 3], [3, 2, 2]),
    "childless hidden variable": bipartite_network([[1], [], [1]], [2, 2], [2, 3, 2]),
    "naive Bayes": naive_bayes([3], [2, 3])["classes-3"],
    "hidden parent of a hidden variable": DiscreteNetwork.build(
        {"a": 2, "b": 2, "y": 3, "z": 2}, {"b": ["a"], "y": ["b"], "z": ["a", "b"]}, ["a", "b"]
    ),
    "observed parent of a hidden variable": DiscreteNetwork.build(
        {"x": 2, "h": 3, "y": 2}, {"h": ["x"], "y": ["x", "h"]}, ["h"]
    ),
    "observed variable between hidden ones": DiscreteNetwork.build(
        {"y": 2, "h": 2, "x": 3, "g": 2}, {"x": ["g"], "h": ["x"], "y": ["h"]}, ["g", "h"]
    ),
    "hidden chain that ends unobserved": DiscreteNetwork.build(
        {"y": 3, "h": 2, "g": 2}, {"h": ["y"], "g": ["h"]}, ["h", "g"]
    ),
    "nothing hidden": DiscreteNetwork.build({"x": 2, "y": 3}, {"y": ["x"]}),
}
PRIORS = {
    "flat": lambda n: np.ones(n),
    "small": lambda n: np.full(n, 1e-3),
    "asymmetric": lambda n: np.random.default_rng(7).gamma(1.0, size=n),
}
TINY = [
    "two components",
    "naive Bayes",
    "observed parent of a hidden variable",
    "observed variable between hidden ones",
]


def network_of(name, prior="asymmetric"):
    return replace(NETWORKS[name], prior=PRIORS[prior](NETWORKS[name].n_entries))


def cardinalities(network):
    return [network.cardinalities[i] for i in network.observed]


def unique(network, data):
    return UniqueRows.of(data, cardinalities(network))


def repeated_rows(network, order=(0, 1, 0, 0, 2)):
    distinct = np.random.default_rng(3).integers(0, cardinalities(network), size=(3, len(network.observed)))
    distinct[1] = (distinct[0] + 1) % cardinalities(network)
    return distinct[list(order)]


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("name", NETWORKS)
def test_equals_the_twin(name, prior):
    network = network_of(name, prior)
    data = repeated_rows(network)
    assert log_evidence(network, unique(network, data)) == pytest.approx(twin(network, data), abs=1e-10)


def test_a_twin_without_multiplicity_differs():
    network = network_of("bipartite")
    data = repeated_rows(network)
    wrong = twin(network, data, ignore_multiplicity=True)
    assert abs(log_evidence(network, unique(network, data)) - wrong) > 0.1


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("name", TINY)
def test_all_data_sets_of_one_size_have_probability_one(name, n):
    network = network_of(name)
    rows = list(product(*(range(r) for r in cardinalities(network))))
    total = fsum(np.exp(log_evidence(network, unique(network, data))) for data in product(rows, repeat=n))
    assert total == pytest.approx(1.0, abs=1e-12)


def test_one_more_datum_at_a_size_whose_evidence_underflows():
    network = replace(naive_bayes([2], [2])["classes-2"], prior=np.array([0.5, 1.5, 1.0, 3.0, 0.2, 0.7]))
    data = np.repeat([[0], [1]], [600, 700], axis=0)
    before = log_evidence(network, unique(network, data))
    after = [log_evidence(network, unique(network, np.vstack([data, [[y]]]))) for y in (0, 1)]
    assert before < -800
    assert np.logaddexp(*after) == pytest.approx(before, abs=1e-9)


@pytest.mark.parametrize("name", NETWORKS)
def test_order_of_rows_does_not_matter(name):
    network = network_of(name)
    first, second = (repeated_rows(network, order) for order in [(0, 1, 0, 0, 2), (2, 0, 0, 1, 0)])
    assert log_evidence(network, unique(network, first)) == log_evidence(network, unique(network, second))


@pytest.mark.parametrize("name", ["bipartite", "hidden parent of a hidden variable", "naive Bayes"])
def test_labels_of_hidden_states_do_not_matter(name):
    network = network_of(name)
    data = unique(network, repeated_rows(network))
    reversals = {i: range(network.cardinalities[i])[::-1] for i in network.hidden}
    renamed = replace(network, prior=relabelled(network, network.prior, values=reversals))
    assert not np.array_equal(renamed.prior, network.prior)
    assert log_evidence(renamed, data) == pytest.approx(log_evidence(network, data), abs=1e-12)


@pytest.mark.parametrize("name", ["bipartite", "naive Bayes", "hidden parent of a hidden variable"])
def test_prediction_counts_the_distinct_completions(name):
    network = network_of(name)
    data = repeated_rows(network)
    distinct = {tuple(sorted(states)) for states in completed_data(network, data)}
    assert predicted_completions(network, unique(network, data)) == len(distinct)


def test_prediction_leaves_out_what_sums_in_closed_form():
    data = np.array([[0, 0, 0], [0, 1, 0], [1, 1, 1], [1, 1, 0]])
    two, childless = NETWORKS["two components"], NETWORKS["childless hidden variable"]
    assert predicted_completions(two, unique(two, data)) == comb(3, 1) ** 2 + comb(3, 2) * comb(5, 2)
    assert predicted_completions(childless, unique(childless, data)) == comb(3, 1) * 2 * 2
    for name in ("nothing hidden", "hidden chain that ends unobserved"):
        network = NETWORKS[name]
        assert predicted_completions(network, unique(network, repeated_rows(network))) == 0
