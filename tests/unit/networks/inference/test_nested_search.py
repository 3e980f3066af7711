"""Claim: a nested search is never below the next smaller model with one value empty, nor below what it is worth by.

Truth: the closed forms of one class and of classes that are empty, the entries by value as relabellings find them, and
plain searches. A search from random starts alone must fail the second.
"""

import numpy as np
import pytest
from reference.network_cases import CASES, observed_cardinalities, random_data
from scipy.special import xlogy

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em, nested_search
from ockham.networks.inference.fit_scores import cheeseman_stutz
from ockham.networks.inference.relabellings import exchangeable_values
from ockham.networks.structure_space import bipartite, naive_bayes
from ockham.streams import Stream

SETTINGS = em.Search(n_starts=1, tolerance=1e-10)
ROWS = np.random.default_rng(5).integers(0, 2, (30, 12))


def objective(network, fit):
    return fit.objective


def of_classes(k, n_features=12):
    return naive_bayes([k], [2] * n_features)[f"classes-{k}"]


def one_class(n_classes):
    """The MAP objective of independent features beside classes that no row is in; softmax basis."""
    features = np.stack([(ROWS == 0).sum(axis=0), (ROWS == 1).sum(axis=0)], axis=1) + 1.0
    sizes = np.array([len(ROWS) + 1.0] + [1.0] * (n_classes - 1))
    empty = 12 * (n_classes - 1) * 2 * np.log(0.5)
    return xlogy(features, features / features.sum(axis=1, keepdims=True)).sum() + xlogy(
        sizes, sizes / sizes.sum()
    ).sum() + empty  # fmt: skip


def searches(search, k, n=12):
    data = UniqueRows.of(ROWS, [2] * 12)
    return np.array([search(of_classes(k), data, Stream(seed)) for seed in range(n)])


@pytest.mark.parametrize("k", [2, 3, 4])
def test_no_model_is_below_one_class_and_empty_ones(k):
    nested = searches(lambda *given: nested_search.search(*given, SETTINGS, objective).objective, k)
    plain = searches(lambda *given: em.search(*given, SETTINGS).objective, k)
    assert (nested >= one_class(k) - 1e-6).all()
    assert (nested >= plain - 1e-9).all()


def test_random_starts_alone_may_be_worth_less():
    """At the boundary, by Cheeseman-Stutz, beside the closed form of two classes and an empty one."""
    rng = np.random.default_rng(7)
    shared = rng.uniform(size=64)
    parameters = np.where(rng.uniform(size=(2, 64)) < 0.2, rng.integers(0, 2, (2, 64)), shared)
    rows = (rng.uniform(size=(300, 64)) < parameters[rng.integers(0, 2, 300)]).astype(int)
    data = UniqueRows.of(rows, [2] * 64)

    def worth(search, k, *more):
        network = of_classes(k, 64)
        return np.array(
            [cheeseman_stutz(network, search(network, data, Stream(seed), SETTINGS, *more)) for seed in range(6)]
        )

    empty = np.log(2) - np.log(len(rows) + 2)
    nested = worth(nested_search.search, 3, cheeseman_stutz)
    assert (nested >= worth(nested_search.search, 2, cheeseman_stutz).min() + empty - 0.5).all()
    assert (worth(em.search, 3) < nested - 1).any()


def test_evaluations_are_those_of_all_models():
    data = UniqueRows.of(ROWS, [2] * 12)
    fit = nested_search.search(of_classes(3), data, Stream(2), SETTINGS, objective)
    assert fit.n_evaluations > em.search(of_classes(3), data, Stream(2), SETTINGS).n_evaluations + 10


def test_with_several_hidden_variables_it_is_the_plain_search():
    network = bipartite([2, 2], [2, 2, 2])["12-12-12"]
    data = UniqueRows.of(ROWS[:, :3], [2] * 3)
    found = nested_search.search(network, data, Stream(1), SETTINGS, objective)
    np.testing.assert_array_equal(found.parameters, em.search(network, data, Stream(1), SETTINGS).parameters)


def with_parents(k):
    return DiscreteNetwork.build(
        {"a": 2, "h": k, "b": 3, "c": 2}, {"h": ["a"], "b": ["a", "h"], "c": ["h", "b"]}, ["h"]
    )


def test_values_keep_their_entries():
    """Against the entries of each value as relabellings find them."""
    large, small = with_parents(4), with_parents(3)
    flat = np.random.default_rng(1).uniform(size=large.n_entries)
    found = nested_search._resized(large, flat, 3)
    ours, theirs = exchangeable_values(small, 1), exchangeable_values(large, 1)
    np.testing.assert_array_equal(found[ours], flat[theirs[:3]])
    shared = [
        np.setdiff1d(np.arange(net.n_entries), net_values) for net, net_values in ((small, ours), (large, theirs))
    ]
    np.testing.assert_array_equal(found[shared[0]], flat[shared[1]])
    back = nested_search._resized(large, found, 4)
    np.testing.assert_array_equal(back[theirs[:3]], flat[theirs[:3]])
    assert (back[theirs[3]] == 0).all()


@pytest.mark.parametrize("name", ["hidden with observed parent", "hidden chain", "observed only"])
def test_other_networks_are_searched_too(name):
    network = CASES[name]
    data = UniqueRows.of(random_data(network, 9, 5), observed_cardinalities(network))
    found = nested_search.search(network, data, Stream(1), SETTINGS, objective)
    assert found.objective >= em.search(network, data, Stream(1), SETTINGS).objective - 1e-9
