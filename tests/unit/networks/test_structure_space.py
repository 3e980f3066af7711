"""Spaces of structures: as many as there are graphs up to relabelling, each once, with the label that names it.

Sources of truth: 136 structures in section 4 of Beal & Ghahramani (2006), Burnside's lemma, and the orbits enumerated.
"""

from itertools import permutations, product
from math import comb

import numpy as np
import pytest

from ockham.errors import ModelError
from ockham.networks.structure_space import bipartite, bipartite_label, bipartite_network, listed, naive_bayes


def orbit_count(hidden, n_observed):
    """Burnside: the average over permutations of equal hidden variables of 2^(cycles x observed variables)."""
    total, size = 0, 0
    for image in permutations(range(len(hidden))):
        if all(hidden[i] == hidden[j] for i, j in enumerate(image)):
            unseen, cycles = set(range(len(hidden))), 0
            while unseen:
                cycles += 1
                i = unseen.pop()
                while (i := image[i]) in unseen:
                    unseen.remove(i)
            total += 2 ** (cycles * n_observed)
            size += 1
    return total // size


def graph_of(network):
    """The hidden parents of each observed variable, as a tuple of sets of hidden indices."""
    return tuple(frozenset(network.parents[i]) for i in network.observed)


def orbit(graph, hidden):
    return {
        tuple(frozenset(image[i] for i in parents) for parents in graph)
        for image in permutations(range(len(hidden)))
        if all(hidden[i] == hidden[j] for i, j in enumerate(image))
    }


def test_the_papers_space_has_136_structures():
    space = bipartite([2, 2], [5, 5, 5, 5])
    assert len(space) == 136
    assert "1-12-12-2" in space
    assert "2-12-12-1" not in space


@pytest.mark.parametrize(
    ("hidden", "n_observed", "expected"),
    [
        ([2, 2], 2, 10),
        ([2, 2], 3, 36),
        ([2, 2, 2], 2, comb(6, 3)),
        ([2], 3, 8),
        ([2, 3], 2, 16),
        ([2, 3], 3, 64),
        ([2, 2, 3], 2, 40),
        ([3, 2, 3], 2, 40),
    ],
)
def test_every_graph_up_to_relabelling_exactly_once(hidden, n_observed, expected):
    space = bipartite(hidden, [2] * n_observed)
    assert len(space) == expected == orbit_count(hidden, n_observed)
    orbits = [orbit(graph_of(network), hidden) for network in space.values()]
    assert sum(map(len, orbits)) == len(set().union(*orbits)) == 2 ** (len(hidden) * n_observed)


@pytest.mark.parametrize(("hidden", "observed"), [([2, 2], [5, 5, 5, 5]), ([2, 3], [2, 4, 3])])
def test_labels_name_the_parents(hidden, observed):
    for label, network in bipartite(hidden, observed, prior=0.5).items():
        parents = [[i + 1 for i in network.parents[y]] for y in network.observed]
        assert label == bipartite_label(parents)
        assert network.cardinalities == (*hidden, *observed)
        assert network.hidden == tuple(range(len(hidden)))
        assert network.names[: len(hidden)] == tuple(f"s{i + 1}" for i in range(len(hidden)))
        assert network.names[len(hidden) :] == tuple(f"y{j + 1}" for j in range(len(observed)))
        assert set(network.prior) == {0.5}
        assert not any(network.parents[h] for h in network.hidden)


def test_label_example():
    assert bipartite_label([[1], [1, 2], [], [2]]) == "1-12-0-2"


def test_bipartite_network_by_hand():
    network = bipartite_network([[2], [1, 2], []], [2, 3], [2, 2, 4], prior=2.0)
    assert network.parents == ((), (), (1,), (0, 1), ())
    assert network.n_configurations == (1, 1, 3, 6, 1)


@pytest.mark.parametrize("parents", [[[0]], [[3]]])
def test_a_hidden_parent_that_does_not_exist_is_refused(parents):
    with pytest.raises(ModelError, match=f"unknown variable 's{parents[0][0]}'"):
        bipartite_network(parents, [2, 2], [2])


def test_a_space_too_large_is_refused():
    with pytest.raises(ModelError, match=r"3 hidden and 6 observed variables have 2\^18 bipartite graphs.*list"):
        bipartite([2, 2, 2], [2] * 6)


def test_naive_bayes():
    space = naive_bayes([2, 3, 5], [2, 4], prior=0.1)
    assert list(space) == ["classes-2", "classes-3", "classes-5"]
    for classes, network in zip([2, 3, 5], space.values(), strict=True):
        assert network.names == ("s1", "y1", "y2")
        assert network.cardinalities == (classes, 2, 4)
        assert network.parents == ((), (0,), (0,))
        assert network.hidden == (0,)
        assert set(network.prior) == {0.1}
        assert network.n_parameters == classes - 1 + classes * (1 + 3)


def test_naive_bayes_with_one_class_has_independent_features():
    alone = naive_bayes([1, 2], [2, 3], 0.5)["classes-1"]
    assert (alone.names, alone.hidden, alone.parents) == (("y1", "y2"), (), ((), ()))
    assert (alone.prior == 0.5).all()
    with pytest.raises(ModelError, match="classes: 0 must be an integer of at least 1"):
        naive_bayes([0], [2])


def test_a_divided_prior_is_that_over_the_entries_of_each_variable():
    space = naive_bayes([1, 4], [2, 3], 0.6, divided=True)
    assert [*map(float, space["classes-1"].prior)] == pytest.approx([0.3] * 2 + [0.2] * 3)
    mixture = space["classes-4"]
    for i, each in enumerate([0.6 / 4, 0.6 / 8, 0.6 / 12]):
        np.testing.assert_allclose(mixture.family(i, mixture.prior), each)


def test_listed():
    chain = {"cardinalities": {"a": 2, "b": 3}, "parents": {"b": ["a"]}, "hidden": ["a"], "prior": 0.5}
    space = listed({"chain": chain, "apart": {"cardinalities": {"a": 2}, "parents": {}}})
    assert list(space) == ["chain", "apart"]
    assert space["chain"].parents == ((), (0,))
    assert space["chain"].hidden == (0,)
    assert set(space["chain"].prior) == {0.5}
    assert space["apart"].hidden == ()


def test_listed_names_the_structure_that_is_wrong():
    with pytest.raises(ModelError, match="structure 'loop': the parents form a cycle among a"):
        listed({"loop": {"cardinalities": {"a": 2}, "parents": {"a": ["a"]}}})


def test_every_mask_combination_has_a_representative():
    space = bipartite([2, 2], [2, 2])
    known = set().union(*(orbit(graph_of(network), [2, 2]) for network in space.values()))
    subsets = [frozenset(s) for s in ((), (0,), (1,), (0, 1))]
    assert known == set(product(subsets, repeat=2))
