"""Claim: parameters are taken to the nearest of all their relabellings, and the nearest ones are one copy in S.

Truth: the distance to every relabelling, one by one.
"""

from itertools import permutations

import numpy as np
import pytest
from scipy.special import gammaln

from ockham.networks.dirichlet import sample_log
from ockham.networks.inference.labelling import Labelling, log_n_relabellings
from ockham.networks.inference.relabellings import relabellings
from ockham.networks.structure_space import bipartite_network, naive_bayes

NETWORKS = {
    "two alike hidden variables": bipartite_network([[1, 2]] * 3, [2, 2], [3, 2, 3]),
    "four classes": naive_bayes([4], [2, 3])["classes-4"],
    "no hidden variable": naive_bayes([1], [2, 3])["classes-1"],
}


def draws(network, n, seed):
    rng = np.random.default_rng(seed)
    return np.array([sample_log(network, rng) for _ in range(n)])


def every_relabelling(same, parameters):
    """All copies of one point."""
    for alias in same.aliases:
        moved = parameters[alias]
        for order in permutations(range(len(same.classes))):
            copy = moved.copy()
            copy[same.classes] = moved[same.classes[list(order)]]
            yield copy


@pytest.mark.parametrize("name", NETWORKS)
def test_the_nearest_copy_is_found(name):
    network = NETWORKS[name]
    same, points = relabellings(network), draws(network, 30, 1)
    reference = np.exp(0.5 * draws(network, 1, 2)[0])
    found, unchanged = Labelling(same, reference).apply(points)
    for point, nearest, is_same in zip(points, found, unchanged, strict=True):
        copies = np.array(list(every_relabelling(same, point)))
        distances = ((np.exp(0.5 * copies) - reference) ** 2).sum(axis=1)
        np.testing.assert_array_equal(nearest, copies[distances.argmin()])
        assert is_same == (nearest == point).all()


@pytest.mark.parametrize("name", NETWORKS)
def test_one_copy_in_all_is_the_nearest(name):
    network = NETWORKS[name]
    same, points = relabellings(network), draws(network, 4000, 3)
    share = Labelling(same, np.exp(0.5 * points[0])).apply(points)[1].mean()
    n_copies = np.exp(log_n_relabellings(same))
    assert n_copies == pytest.approx(network.n_aliases)
    assert abs(share - 1 / n_copies) < 4 * np.sqrt(1 / n_copies / len(points))


def test_permutations_of_classes_are_counted():
    assert log_n_relabellings(relabellings(NETWORKS["four classes"])) == pytest.approx(gammaln(5))


def test_draws_of_several_copies_come_together():
    network = NETWORKS["four classes"]
    same, rng = relabellings(network), np.random.default_rng(4)
    centre = draws(network, 1, 5)[0]
    copies = list(every_relabelling(same, centre))
    scattered = np.array([copies[i] for i in rng.integers(len(copies), size=200)])
    found, _ = Labelling.of(same, scattered).apply(scattered)
    assert (found == found[0]).all()


@pytest.mark.parametrize("most_listed", [3, 4])
def test_relabellings_in_a_list_find_the_same_copies(most_listed):
    network = NETWORKS["four classes"]
    points, reference = draws(network, 200, 4), np.exp(0.5 * draws(network, 1, 5)[0])
    same, listed = relabellings(network), relabellings(network, most_listed)
    assert len(listed.aliases) == (24 if most_listed == 4 else 1)
    assert log_n_relabellings(listed) == pytest.approx(log_n_relabellings(same))
    for one, other in zip(
        Labelling(same, reference).apply(points), Labelling(listed, reference).apply(points), strict=True
    ):
        np.testing.assert_array_equal(one, other)
