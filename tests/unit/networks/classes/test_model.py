"""Claim: a latent class model is told from other networks, and its probabilities of rows are those of its definition.

Truth: products over the cells of one row at a time.
"""

import numpy as np
import pytest
from reference.classes import row_probability

from ockham.errors import ConfigError, DataError, ModelError
from ockham.networks.classes.model import LatentClassModel
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.structure_space import bipartite_network, naive_bayes

LAST = DiscreteNetwork.build({"y": 2, "z": 3, "class": 2}, {"y": ["class"], "z": ["class"]}, ["class"])
NETWORKS = {
    "three classes": naive_bayes([3], [2, 4, 3])["classes-3"],
    "one class": naive_bayes([1], [2, 4, 3])["classes-1"],
    "the class is named last": LAST,
}
OTHERS = {
    "two hidden variables": bipartite_network([[1, 2]] * 2, [2, 2], [2, 2]),
    "an item without the class": bipartite_network([[1], []], [2], [2, 2]),
    "an item with an item": DiscreteNetwork.build({"c": 2, "y": 2, "z": 2}, {"y": ["c"], "z": ["c", "y"]}, ["c"]),
    "a class with a parent": DiscreteNetwork.build({"c": 2, "y": 2, "z": 2}, {"y": ["c"], "c": ["z"]}, ["c"]),
    "no hidden class": DiscreteNetwork.build({"c": 2, "y": 2}, {"y": ["c"]}),
    "no item": DiscreteNetwork.build({"c": 2}, {}, ["c"]),
    "no network": "naive Bayes",
}


@pytest.mark.parametrize("name", OTHERS)
def test_another_network_is_refused(name):
    with pytest.raises(ModelError, match=r"network: .*is no|model: .* is neither"):
        LatentClassModel.of(OTHERS[name])


@pytest.mark.parametrize("name", NETWORKS)
def test_probabilities_of_rows_are_products_over_their_cells(name):
    model, rng = LatentClassModel.of(NETWORKS[name]), np.random.default_rng(1)
    points = np.array([sample_log(model.network, rng) for _ in range(3)])
    rows = np.stack([rng.integers(-1, r, 20) for r in model.cardinalities], axis=1)
    found = np.exp(model.log_joint(rows, points))
    for point, theta in zip(found, np.exp(points), strict=True):
        sizes = model.network.family(model.network.hidden[0], theta)[0] if model.network.hidden else [1.0]
        profiles = [model.network.family(i, theta) for i in model.network.observed]
        np.testing.assert_allclose(point, [row_probability(sizes, profiles, row) for row in rows], rtol=1e-12)


def test_exchanged_classes_exchange_probabilities():
    model, rng = LatentClassModel.of(NETWORKS["three classes"]), np.random.default_rng(2)
    points = np.array([sample_log(model.network, rng)])
    rows = np.stack([rng.integers(0, r, 9) for r in model.cardinalities], axis=1)
    swapped = model.log_joint(rows, points[:, model.swapped(0, 2)])
    # To rounding: matrix products may add in another order in another place.
    np.testing.assert_allclose(swapped, model.log_joint(rows, points)[:, :, [2, 1, 0]], rtol=1e-14)


def test_rows_keep_their_order_and_may_miss_cells():
    model = LatentClassModel.of(NETWORKS["three classes"])
    given = [[1, 3, 0], [0, np.nan, 2], [1, 3, 0], [np.nan, np.nan, np.nan]]
    for data in (given, np.ma.masked_invalid(given), np.nan_to_num(given, nan=-1).astype(int)):
        unique, rows = model.read(data)
        np.testing.assert_array_equal(unique.rows[rows.which], np.nan_to_num(given, nan=-1))
        assert rows.counts.tolist() == [1, 1, 1, 1]
        assert unique.n == 4
    distinct = UniqueRows.of([[1, 3, 0], [1, 3, 0]], [2, 4, 3])
    assert [found.tolist() for found in model.read(distinct)[1]] == [[0], [2]]


def test_data_that_do_not_fit_are_refused_with_their_place():
    model = LatentClassModel.of(NETWORKS["three classes"])
    with pytest.raises(DataError, match="the data: row 1, column 2 holds state 3"):
        model.read([[0, 0, 0], [0, 0, 3]])
    with pytest.raises(DataError, match="observes 3 variables"):
        model.read(UniqueRows.of([[0, 0]], [2, 2]))


def test_labels_are_given_by_item_or_in_order():
    network = NETWORKS["three classes"]
    expected = (("no", "yes"), ("0", "1", "2", "3"), ("a", "b", "c"))
    assert LatentClassModel.of(network, {"y1": ["no", "yes"], "y3": list("abc")}).labels == expected
    assert LatentClassModel.of(network, [["no", "yes"], list("0123"), list("abc")]).labels == expected


@pytest.mark.parametrize(
    "labels",
    [{"y9": ["a", "b"]}, {"y1": ["a"]}, {"y1": ["a", "a"]}, {"y1": "ab"}, {"y1": [0, 1]}, [["a", "b"]], 3, "ab"],
)
def test_labels_that_are_not_one_for_each_value_are_refused(labels):
    with pytest.raises(ConfigError, match="labels"):
        LatentClassModel.of(NETWORKS["three classes"], labels)
