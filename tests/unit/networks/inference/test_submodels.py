"""Submodels have fewer hidden values, and their learning coefficients are bounds on those that integrals show.

Sources of truth: the formula for latent classes of the R package sBIC by the authors of the criterion, and that of
Rusakov and Geiger for two classes; the slope of a Monte Carlo integral over the prior where the truth is independence.
BIC's penalty must miss that slope.
"""

import numpy as np
import pytest

from ockham.errors import ModelError
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.submodels import MOST_SUBMODELS, learning_coefficients, submodels
from ockham.networks.structure_space import bipartite, naive_bayes

build = DiscreteNetwork.build


def test_submodels_are_all_choices_of_fewer_values_the_network_last():
    network = bipartite([2, 3], [2, 3, 2])["1-12-2"]
    models = submodels(network)
    assert [model.values for model in models] == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]
    assert models[-1].network is network
    none, second, _, first, both, _ = (model.network for model in models)
    assert none.cardinalities == (2, 3, 2)
    assert none.hidden == ()
    assert none.n_parameters == 4
    assert second.names == ("s2", "y1", "y2", "y3")
    assert second.parents == ((), (), (0,), (0,))
    assert first.parents == ((), (0,), (0,), ())
    assert both.cardinalities == (2, 2, 2, 3, 2)
    assert both.parents == network.parents
    assert [models[4].within(model) for model in models] == [False] * 4 + [True, True]


def test_the_prior_is_that_of_the_values_that_are_left():
    table = np.arange(1.0, 7.0).reshape(3, 2)
    network = build({"h": 3, "y": 2}, {"y": ["h"]}, ["h"], {"h": [1.0, 2.0, 3.0], "y": table})
    one, two, whole = (model.network for model in submodels(network))
    np.testing.assert_array_equal(one.prior, [1, 2])
    np.testing.assert_array_equal(two.prior, [1, 2, 1, 2, 3, 4])
    assert whole is network


def of_the_r_package(larger, smaller, n_features, n_values, phi):
    first = smaller * ((n_values - 1) * n_features + 1) - 1 + (larger - smaller) * phi
    return min(first, n_features * (n_values - 1) * larger + smaller - 1) / 2


@pytest.mark.parametrize("phi", [0.3, 1.0, 4.0, 50.0])
@pytest.mark.parametrize(("n_features", "n_values"), [(5, 2), (4, 3)])
def test_of_latent_classes_they_are_those_of_the_authors(n_features, n_values, phi):
    features = {f"y{i}": n_values for i in range(n_features)}
    network = build({"h": 3} | features, {name: ["h"] for name in features}, ["h"], {"h": phi})
    found = learning_coefficients(network)
    for i in range(3):
        for j in range(3):
            if j > i:
                assert np.isnan(found[i, j])
            else:
                # with the dimension of the network, or less, as penalty where the formula has more
                expected = min(of_the_r_package(i + 1, j + 1, n_features, n_values, phi), found[i, i])
                assert found[i, j] == pytest.approx(expected)
    assert found[2, 2] == ((n_values - 1) * n_features * 3 + 2) / 2


@pytest.mark.parametrize("n_features", [3, 4, 6])
def test_of_two_classes_under_independence_they_are_those_of_rusakov_and_geiger(n_features):
    found = learning_coefficients(naive_bayes([2], [2] * n_features)["classes-2"])
    assert found[1, 0] == (n_features + 1) / 2
    assert found[1, 1] == (2 * n_features + 1) / 2


def test_they_never_exceed_the_effective_dimension_and_grow_with_the_truth():
    for label, network in list(bipartite([2, 2], [3, 3, 3]).items())[::3]:
        found = learning_coefficients(network.relevant)
        models = submodels(network.relevant)
        for i, larger in enumerate(models):
            for j, smaller in enumerate(models):
                assert np.isnan(found[i, j]) != smaller.within(larger), label
                if smaller.within(larger):
                    assert found[j, j] <= found[i, j] <= found[i, i], label


def slope(network, sizes=(300, 3000), n=4_000_000):
    """Minus the change of ln Z with ln n, and its error, with Z the mean of exp(-n KL) over the prior.

    The truth is independence of the features, with probabilities 1/2; all rows are uniform a priori.
    """
    rng, features = np.random.default_rng(3), len(network.observed)
    sums = np.zeros((2, 3))
    for _ in range(40):
        m = n // 40
        share, theta = rng.random(m), rng.random((m, 2, features))
        p = np.zeros((m, 2**features))
        for state in range(2**features):
            bits = np.array([(state >> f) & 1 for f in range(features)])
            each = np.where(bits, theta, 1 - theta).prod(axis=2)
            p[:, state] = share * each[:, 0] + (1 - share) * each[:, 1]
        distance = -np.log(p * 2**features).mean(axis=1)
        first, second = (np.exp(-size * distance) for size in sizes)
        sums[0] += first.sum(), second.sum(), 0.0
        sums[1] += (first**2).sum(), (second**2).sum(), 0.0
    ratio = np.log(sums[0, 0] / sums[0, 1]) / np.log(sizes[1] / sizes[0])
    error = np.hypot(*np.sqrt(sums[1, :2]) / sums[0, :2]) / np.log(sizes[1] / sizes[0])
    return ratio, error


def test_the_integral_falls_as_the_coefficient_says_and_not_as_bic_does():
    """Two classes of three binary features: n^(-2) where the features are independent, not n^(-7/2)."""
    network = naive_bayes([2], [2] * 3)["classes-2"]
    found = learning_coefficients(network)
    ratio, error = slope(network)
    assert error < 0.1
    assert abs(ratio - found[1, 0]) < 0.15 + 4 * error
    assert abs(ratio - network.n_parameters / 2) > 1


def test_a_value_without_a_case_counts_in_every_row_of_a_hidden_variable_with_parents():
    """By hand: a to h to b and c, with phi of .4 in both rows of h; b and c have 1 + 3 parameters a value."""
    network = build({"a": 2, "h": 2, "b": 2, "c": 4}, {"h": ["a"], "b": ["h"], "c": ["h"]}, ["h"], {"h": 0.4, "a": 3.0})
    assert submodels(network)[0].network.parents == ((), (), ())
    found = learning_coefficients(network)
    assert found[0, 0] == (1 + 1 + 3) / 2
    assert found[1, 0] == (1 + 1 + 3 + 2 * 0.4) / 2
    costly = build({"a": 2, "h": 2, "b": 2, "c": 4}, {"h": ["a"], "b": ["h"], "c": ["h"]}, ["h"], {"h": 2.5, "a": 3.0})
    assert learning_coefficients(costly)[1, 0] == (1 + 1 + 3 + min(2 * 2.5, 1 + 3)) / 2


def test_too_many_submodels_are_refused():
    names = {f"h{i}": 2 for i in range(9)}
    network = build(names | {"y": 2}, {"y": list(names)}, list(names))
    with pytest.raises(ModelError, match=f"fits 512 submodels, {MOST_SUBMODELS} are allowed"):
        learning_coefficients(network)
