"""True parameters of mixtures, by the description in section 4 of Chickering & Heckerman (1997)."""

import numpy as np
import pytest
from scipy.stats import kstest, norm

from ockham.networks.data.mixtures import mixture_parameters
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference.separation import separation
from ockham.networks.structure_space import naive_bayes

NETWORK = naive_bayes([4], [2] * 200 + [3] * 50)["classes-4"]


def draw(class_sizes="drawn", deviation=None, zeros=0.0, seed=1, network=NETWORK):
    parameters = mixture_parameters(network, np.random.default_rng(seed), class_sizes, deviation, zeros)
    totals = np.add.reduceat(parameters, network.row_starts[:-1])
    np.testing.assert_allclose(totals, 1.0, rtol=1e-12)
    return parameters, [network.family(i, parameters) for i in range(network.n_variables)]


def test_classes_are_equal_or_drawn():
    assert draw("equal")[1][0].tolist() == [[0.25] * 4]
    sizes = np.array([draw(seed=seed)[1][0][0, 0] for seed in range(300)])
    assert kstest(sizes, lambda x: 1 - (1 - x) ** 3).pvalue > 1e-3  # a margin of Dir(1, 1, 1, 1)


def test_independent_classes_are_uniform():
    tables = np.array(draw()[1][1:201])
    assert kstest(tables[:, :, 0].ravel(), "uniform").pvalue > 1e-3
    assert abs(np.corrcoef(tables[:, 0, 0], tables[:, 1, 0])[0, 1]) < 0.25


@pytest.mark.parametrize("deviation", [0.7, 1.75])
def test_natural_parameters_vary_around_those_of_the_first_class(deviation):
    for tables in (np.array(draw(deviation=deviation)[1][1:201]), np.array(draw(deviation=deviation)[1][201:])):
        natural = np.log(tables[:, :, 1:] / tables[:, :, :1])
        apart = natural[:, 1:] - natural[:, :1]
        assert kstest(apart.ravel(), norm(scale=deviation).cdf).pvalue > 1e-3
        assert kstest(apart.ravel(), norm(scale=1.6 * deviation).cdf).pvalue < 1e-3
    assert kstest(np.array(draw(deviation=deviation)[1][1:201])[:, 0, 0], "uniform").pvalue > 1e-3


def test_without_deviation_the_classes_are_the_same_but_for_zeros():
    tables = np.array(draw(deviation=0.0)[1][1:201])
    assert np.ptp(tables, axis=1).max() == pytest.approx(0.0, abs=1e-12)
    spoiled = np.array(draw(deviation=0.0, zeros=0.1)[1][1:201])
    zero = spoiled == 0
    assert 0.07 < zero.mean() < 0.13
    np.testing.assert_array_equal(spoiled[zero.any(axis=2)].max(axis=1), 1.0)  # of two, the other is what is left
    for rows, kept in zip(spoiled, ~zero.any(axis=2), strict=True):
        for row in rows[kept]:
            np.testing.assert_allclose(row, rows[kept][0], rtol=1e-12)


def test_a_row_of_zeros_keeps_one_value():
    tables = np.array(draw(zeros=0.95)[1][1:201])
    assert (tables.max(axis=2) > 0).all()
    assert 0.35 < tables[..., 0].mean() < 0.65


def test_separation_is_one_minus_the_mean_entropy():
    network = naive_bayes([2], [2])["classes-2"]
    data = UniqueRows.of([[0], [0], [0], [1]], [2])
    parameters = np.array([0.5, 0.5, 0.8, 0.2, 0.2, 0.8])
    entropy = -(0.8 * np.log(0.8) + 0.2 * np.log(0.2)) / np.log(2)
    assert separation(network, data, parameters) == pytest.approx(1 - entropy, rel=1e-12)
    assert separation(network, data, np.array([0.5, 0.5, 1.0, 0.0, 0.0, 1.0])) == 1.0
    assert separation(network, data, np.array([0.5, 0.5, 0.3, 0.7, 0.3, 0.7])) == pytest.approx(0.0, abs=1e-12)
    assert np.isnan(separation(naive_bayes([1], [2])["classes-1"], data, np.array([0.5, 0.5])))
